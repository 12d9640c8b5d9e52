/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf report's. Like there, --call-graph takes the next word as its value unless
 * that is an option. */

#include "report-options.h"

#include <regex.h>

#include "array.h"
#include "parse-number.h"
#include "parse-time.h"
#include "report-rows.h"
#include "share-color.h"
#include "string-table.h"
#include "strv.h"
#include "terminal.h"

#define MAX_STACK 127u /* PERF_MAX_STACK_DEPTH */
#define MAX_STACK_MAX 4096u
#define COLUMN_WIDTH_MAX 65536u
#define COLUMNS_MAX 64u
#define PARENT "^sys_|^do_page_fault" /* perf's */
#define SCREEN_LIMIT 0.5 /* percent */
#define TIME_QUANTUM (100 * USEC_PER_MSEC * NSEC_PER_USEC)

static const char *const field_words[] = {
        [REPORT_FIELD_CHILDREN] = "overhead_children",
        [REPORT_FIELD_OVERHEAD] = "overhead",
        [REPORT_FIELD_SYSTEM] = "overhead_sys",
        [REPORT_FIELD_USER] = "overhead_us",
        [REPORT_FIELD_LATENCY] = "latency",
        [REPORT_FIELD_SAMPLES] = "sample",
        [REPORT_FIELD_PERIOD] = "period",
        [REPORT_FIELD_KEYS + REPORT_COMM] = "comm",
        [REPORT_FIELD_KEYS + REPORT_PID] = "pid",
        [REPORT_FIELD_KEYS + REPORT_DSO] = "dso",
        [REPORT_FIELD_KEYS + REPORT_SYMBOL] = "symbol",
        [REPORT_FIELD_KEYS + REPORT_CPU] = "cpu",
        [REPORT_FIELD_KEYS + REPORT_TIME] = "time",
        [REPORT_FIELD_KEYS + REPORT_CGROUP] = "cgroup",
        [REPORT_FIELD_KEYS + REPORT_UNIT] = "unit",
        [REPORT_FIELD_KEYS + REPORT_CONTAINER] = "container",
        [REPORT_FIELD_KEYS + REPORT_HOST] = "host",
        [REPORT_FIELD_KEYS + REPORT_PARALLELISM] = "parallelism",
        [REPORT_FIELD_KEYS + REPORT_SOURCE_LINE] = "srcline",
        [REPORT_FIELD_KEYS + REPORT_SOURCE_FILE] = "srcfile",
        [REPORT_FIELD_KEYS + REPORT_TRACE] = "trace",
        [REPORT_FIELD_KEYS + REPORT_PARENT] = "parent",
        [REPORT_FIELD_KEYS + REPORT_WEIGHT] = "weight",
        [REPORT_FIELD_KEYS + REPORT_LOCAL_WEIGHT] = "local_weight",
        [REPORT_FIELD_KEYS + REPORT_LATENCY] = "ins_lat",
        [REPORT_FIELD_KEYS + REPORT_LOCAL_LATENCY] = "local_ins_lat",
        [REPORT_FIELD_KEYS + REPORT_STAGE] = "p_stage_cyc",
        [REPORT_FIELD_KEYS + REPORT_LOCAL_STAGE] = "local_p_stage_cyc",
        [REPORT_FIELD_KEYS + REPORT_RETIRE] = "retire_lat",
        [REPORT_FIELD_KEYS + REPORT_LOCAL_RETIRE] = "local_retire_lat",
        [REPORT_FIELD_KEYS + REPORT_MEMORY_LEVEL] = "mem",
        [REPORT_FIELD_KEYS + REPORT_SNOOP] = "snoop",
        [REPORT_FIELD_KEYS + REPORT_LOCKED] = "locked",
        [REPORT_FIELD_KEYS + REPORT_TLB] = "tlb",
        [REPORT_FIELD_KEYS + REPORT_BLOCKED] = "blocked",
        [REPORT_FIELD_KEYS + REPORT_CACHE_LINE] = "dcacheline",
        [REPORT_FIELD_KEYS + REPORT_DATA_SYMBOL] = "symbol_daddr",
        [REPORT_FIELD_KEYS + REPORT_DATA_DSO] = "dso_daddr",
        [REPORT_FIELD_KEYS + REPORT_CODE_SYMBOL] = "symbol_iaddr",
        [REPORT_FIELD_KEYS + REPORT_PHYSICAL] = "phys_daddr",
        [REPORT_FIELD_KEYS + REPORT_DATA_PAGE] = "data_page_size",
        [REPORT_FIELD_KEYS + REPORT_CODE_PAGE] = "code_page_size",
        [REPORT_FIELD_KEYS + REPORT_TRANSACTION] = "transaction",
        [REPORT_FIELD_KEYS + REPORT_DSO_FROM] = "dso_from",
        [REPORT_FIELD_KEYS + REPORT_DSO_TO] = "dso_to",
        [REPORT_FIELD_KEYS + REPORT_SYMBOL_FROM] = "symbol_from",
        [REPORT_FIELD_KEYS + REPORT_SYMBOL_TO] = "symbol_to",
        [REPORT_FIELD_KEYS + REPORT_LINE_FROM] = "srcline_from",
        [REPORT_FIELD_KEYS + REPORT_LINE_TO] = "srcline_to",
        [REPORT_FIELD_KEYS + REPORT_ADDRESS_FROM] = "addr_from",
        [REPORT_FIELD_KEYS + REPORT_ADDRESS_TO] = "addr_to",
        [REPORT_FIELD_KEYS + REPORT_MISPREDICTED] = "mispredict",
        [REPORT_FIELD_KEYS + REPORT_ABORT] = "abort",
        [REPORT_FIELD_KEYS + REPORT_IN_TRANSACTION] = "in_tx",
        [REPORT_FIELD_KEYS + REPORT_CYCLES] = "cycles",
        [REPORT_FIELD_KEYS + REPORT_ADDRESS] = "addr",
        [REPORT_FIELD_KEYS + REPORT_SYMBOL_SIZE] = "symbol_size",
        [REPORT_FIELD_KEYS + REPORT_DSO_SIZE] = "dso_size",
};

static const char *const json_modes[_REPORT_JSON_MAX] = { "off", "short", "pretty" };

/* perf takes any beginning of a key, in any case, and of several keys the first one of its list; these are they in its order. */
static const char *const perf_words[] = {
        "pid", "comm", "dso", "symbol", "parent", "cpu", "socket", "srcline", "srcfile", "local_weight", "weight", "transaction",
        "trace", "symbol_size", "dso_size", "cgroup", "cgroup_id", "ipc_null", "time", "code_page_size", "local_ins_lat",
        "ins_lat", "local_p_stage_cyc", "p_stage_cyc", "addr", "overhead", "overhead_sys", "overhead_us", "overhead_guest_sys",
        "overhead_guest_us", "overhead_children", "sample", "period", "dso_from", "dso_to", "symbol_from", "symbol_to",
        "mispredict", "in_tx", "abort", "cycles", "srcline_from", "srcline_to", "ipc_lbr", "addr_from", "addr_to", "symbol_daddr",
        "symbol_iaddr", "dso_daddr", "locked", "tlb", "mem", "snoop", "dcacheline", "phys_daddr", "data_page_size", "blocked",
};

static ReportField field_from_word(const char *word) {
        int field = string_table_value(field_words, ELEMENTSOF(field_words), word);

        if (streq(word, "tid"))
                return REPORT_FIELD_KEYS + REPORT_PID;
        for (size_t i = 0; *word && field < 0 && i < ELEMENTSOF(perf_words); i++)
                if (strncasecmp(perf_words[i], word, strlen(word)) == 0)
                        return (ReportField) string_table_value(field_words, ELEMENTSOF(field_words), perf_words[i]);
        return (ReportField) field;
}

const char *report_field_to_string(ReportField field) {
        return field_words[field];
}

static int add_field(ReportField **fields, size_t *n, ReportField field) {
        for (size_t i = 0; i < *n; i++)
                if ((*fields)[i] == field)
                        return 0;
        if (ARRAY_RESERVE_NEXT(*fields, *n) < 0)
                return -ENOMEM;
        (*fields)[(*n)++] = field;
        return 0;
}

/* Returns the field of a word. One that is no key may be a field of a tracepoint, which the recording says. */
static int report_find_field(ReportOptions *o, const char *word, ReportField *ret) {
        static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:*/%-@";
        size_t n = strv_length(o->words.trace_words);

        *ret = field_from_word(word);
        if ((int) *ret >= 0)
                return 0;
        if (n >= TRACE_COLUMNS_MAX || word[strspn(word, characters)])
                return -EINVAL;
        *ret = (ReportField) (REPORT_FIELD_TRACES + n);
        return strv_extend(&o->words.trace_words, word);
}

static int add_key(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        ReportField field;
        int r = report_find_field(o, word, &field);

        return r < 0 ? r : add_field(&o->words.keys, &o->words.n_keys, field);
}

static int add_shown(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        ReportField field;
        int r = report_find_field(o, word, &field);

        return r < 0 ? r : add_field(&o->words.fields, &o->words.n_fields, field);
}

/* A list that begins with '+' is added to the default. */
static int take_sort(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->words.sort = value;
        o->words.keys_added = o->words.keys_added || *value == '+';
        return option_list_parse(option->name, value + (*value == '+'), add_key, o);
}

static int take_fields(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->words.fields_added = o->words.fields_added || *value == '+';
        return option_list_parse(option->name, value + (*value == '+'), add_shown, o);
}

static int take_time_quantum(void *field, const ViewOption *option, const char *value) {
        usec_t usec;

        if (parse_timespan(value, &usec) < 0 || usec == 0 || usec > USEC_PER_SEC * 1000000)
                return option_fail(option->name, value, "not a time as '100ms'");
        *(uint64_t *) field = usec * NSEC_PER_USEC;
        return 0;
}

static int take_parallelism(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;
        int r;

        free(o->counting.parallelisms);
        o->counting.parallelisms = NULL;
        o->counting.n_parallelisms = 0;
        r = parse_cpu_list(value, &o->counting.parallelisms, &o->counting.n_parallelisms);
        return r == -ENOMEM ? r : r < 0 ? option_fail(option->name, value, "not a list of numbers as 1-4,8") : 0;
}

static int take_percent_limit(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;
        int r = view_option_take_percentage(&o->counting.percent_limit, option, value);

        o->graph.least = o->counting.percent_limit;
        return r;
}

static int take_max_stack(void *field, const ViewOption *option, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n > MAX_STACK_MAX)
                return option_fail(option->name, value, "not a number of addresses up to 4096");
        *(size_t *) field = n;
        return 0;
}

static int take_json(void *field, const ViewOption *option, const char *value) {
        ReportJson *json = field;

        *json = value ? (ReportJson) string_table_value(json_modes, ELEMENTSOF(json_modes), value) : REPORT_JSON_SHORT;
        return (int) *json < 0 ? option_fail(option->name, value, "not short, pretty or off") : 0;
}

static int take_pattern(void *field, const ViewOption *option, const char *value) {
        regex_t regex;

        if (regcomp(&regex, value, REG_EXTENDED | REG_NOSUB) != 0)
                return option_fail(option->name, value, "not a regular expression");
        regfree(&regex);
        *(const char **) field = value;
        return 0;
}

static int take_separator(void *field, const ViewOption *option, const char *value) {
        if (streq(value, "\\t"))
                value = "\t";
        if (strlen(value) != 1)
                return option_fail(option->name, value, "not one character");
        *(char *) field = *value;
        return 0;
}

static int add_width(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        unsigned width;

        if (parse_uint(word, &width) < 0 || width > COLUMN_WIDTH_MAX || o->look.n_widths >= COLUMNS_MAX)
                return -EINVAL;
        if (ARRAY_RESERVE_NEXT(o->look.widths, o->look.n_widths) < 0)
                return -ENOMEM;
        o->look.widths[o->look.n_widths++] = width;
        return 0;
}

static int take_widths(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->look.n_widths = 0;
        return option_list_parse(option->name, value, add_width, o);
}

static int take_call_graph(void *graph, const ViewOption *option, const char *value) {
        ((CallGraphOptions *) graph)->wanted = true;
        return value ? call_graph_options_parse(graph, value) : 0;
}

static int take_inverted(void *graph, const ViewOption *option, const char *value) {
        CallGraphOptions *g = graph;

        g->caller = g->order_set = g->wanted = true;
        return 0;
}

static int take_percentage(void *relative, const ViewOption *option, const char *value) {
        if (!streq(value, "relative") && !streq(value, "absolute"))
                return option_fail(option->name, value, "neither relative nor absolute");
        *(bool *) relative = streq(value, "relative");
        return 0;
}

static int take_grouping(void *grouping, const ViewOption *option, const char *value) {
        *(ReportGrouping *) grouping = (ReportGrouping) option->number;
        return 0;
}

static int take_group_sort(void *event, const ViewOption *option, const char *value) {
        return parse_uint(value, event) < 0 ? option_fail(option->name, value, "not a number of an event") : 0;
}

static int take_children(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->counting.no_children = option->number != 0;
        o->counting.children_set = true;
        return 0;
}

static int take_columns(void *columns, const ViewOption *option, const char *value) {
        if (parse_uint(value ?: "0", columns) < 0 || *(unsigned *) columns > COLUMN_WIDTH_MAX)
                return option_fail(option->name, value, "not a number of columns");
        return 0;
}

static int take_branches(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->counting.branches = option->number != 0;
        o->counting.branches_set = true;
        return 0;
}

static const ViewOption rows[] = { REPORT_ROWS };

static const ViewVerb verb = {
        .synopsis = "report [OPTION...]",
        .purpose = "Show the functions of a recording by their shares, as perf report --stdio does.",
        .options = rows, .n = ELEMENTSOF(rows),
};

/* With a pattern, parents are the last key. */
static int complete_keys(ReportOptions *o) {
        o->words.default_keys = (o->words.n_keys == 0 || o->words.keys_added) && (o->words.n_fields == 0 || o->words.fields_added);
        if (o->counting.parent)
                return add_field(&o->words.keys, &o->words.n_keys, REPORT_FIELD_KEYS + REPORT_PARENT);
        o->counting.parent = PARENT;
        return 0;
}

/* Somebody at a terminal sees what used the time first: the functions that were hit, by their own shares, and few rows. Other words
 * say how all is printed, and mean perf's text. */
static void complete_screen(ReportOptions *o) {
        if (o->parts.json != REPORT_JSON_OFF || o->look.separator || o->look.n_widths > 0 || o->look.hierarchy)
                o->look.columns = 0;
        if (o->counting.percent_limit < 0)
                o->counting.percent_limit = o->look.columns > 0 ? SCREEN_LIMIT : 0;
        if (o->look.columns == 0)
                return;
        if (!o->graph.wanted)
                o->graph.type = CALL_GRAPH_NONE;
        if (!o->counting.children_set)
                o->counting.no_children = true;
}

int report_options_parse(ReportOptions *options, int argc, char **argv) {
        int r;

        *options = (ReportOptions) {
                .graph.least = 0.5,
                .counting = { .max_stack = MAX_STACK, .slice = TIME_QUANTUM, .percent_limit = -1 },
                .look = { .colors = share_colors_wanted(), .columns = terminal_get()->tty ? terminal_get()->columns : 0 },
        };
        r = view_options_parse(&verb, options, argc, argv);
        options->parts.header = options->parts.header || options->parts.header_only;
        options->parts.tasks = options->parts.tasks || options->parts.mmaps;
        options->counting.no_children = options->counting.no_children || options->look.hierarchy; /* as in perf */
        options->names.plain_addresses = options->names.plain_addresses || options->counting.resolved;
        complete_screen(options);
        if (r == 0)
                r = complete_keys(options);
        if (r == 0 && options->parts.json != REPORT_JSON_OFF &&
            (options->parts.header || options->parts.stats || options->parts.tasks || options->parts.dump ||
             options->parts.off_cpu || options->look.hierarchy)) {
                (void) fprintf(stderr,
                               "--json is of the samples, and goes with none of --header, --stats, --tasks, --mmaps, --off-cpu, "
                               "--hierarchy and -D\n");
                r = -EINVAL;
        }
        return r == 0 ? recording_names_complete(&options->inputs) : r;
}

void report_options_done(ReportOptions *options) {
        free(options->inputs.names);
        free(options->look.widths);
        free(options->counting.parallelisms);
        name_options_done(&options->names);
        free(options->words.keys);
        free(options->words.fields);
        strv_free(options->words.trace_words);
        trace_columns_done(&options->words.traces);
        selection_options_done(&options->select);
        *options = (ReportOptions) {};
}
