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

static const char *const json_modes[_REPORT_JSON_MAX] = { "off", "short", "pretty" };

int report_fields_add(ReportFields *list, ReportField field) {
        if (ANY_OF(list->n, i, list->all[i] == field))
                return 0;
        if (ARRAY_RESERVE_NEXT(list->all, list->n) < 0)
                return -ENOMEM;
        list->all[list->n++] = field;
        return 0;
}

/* A word that is no key may be a field of a tracepoint, which the recording says. */
static int add_word(ReportOptions *o, ReportFields *list, const char *word) {
        static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:*/%-@";
        size_t n = strv_length(o->words.trace_words);
        ReportField field = report_field_from_word(word);
        int r;

        if ((int) field >= 0)
                return report_fields_add(list, field);
        if (n >= TRACE_COLUMNS_MAX || word[strspn(word, characters)])
                return -EINVAL;
        r = strv_extend(&o->words.trace_words, word);
        return r < 0 ? r : report_fields_add(list, (ReportField) (REPORT_FIELD_TRACES + n));
}

static int add_key(void *options, const char *word) {
        return add_word(options, &((ReportOptions *) options)->words.keys, word);
}

static int add_shown(void *options, const char *word) {
        return add_word(options, &((ReportOptions *) options)->words.fields, word);
}

/* A list that begins with '+' is added to the default. */
static int take_sort(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->words.sort = value;
        o->words.keys.added = o->words.keys.added || *value == '+';
        return option_list_parse(option->name, value + (*value == '+'), add_key, o);
}

static int take_fields(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->words.fields.added = o->words.fields.added || *value == '+';
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
        if (parse_uint(value, columns) < 0 || *(unsigned *) columns > COLUMN_WIDTH_MAX)
                return option_fail(option->name, value, "not a number of columns");
        return 0;
}

static int take_stdio(void *options, const ViewOption *option, const char *value) {
        ReportOptions *o = options;

        o->look.columns = 0;
        o->browser = false;
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
        .purpose = "Show the functions of a recording by their shares, as perf report does.",
        .options = rows, .n = ELEMENTSOF(rows),
};

/* With a pattern, parents are the last key. */
static int complete_keys(ReportOptions *o) {
        o->words.default_keys = (o->words.keys.n == 0 || o->words.keys.added) && (o->words.fields.n == 0 || o->words.fields.added);
        if (o->counting.parent)
                return report_fields_add(&o->words.keys, REPORT_FIELD_PARENT);
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

bool report_options_show_entries(const ReportOptions *options) {
        const ReportParts *p = &options->parts;

        return !p->header && !p->header_full && !p->stats && !p->tasks && !p->off_cpu && !p->dump && p->json == REPORT_JSON_OFF &&
               !options->look.hierarchy && !options->look.separator;
}

void report_options_done(ReportOptions *options) {
        free(options->inputs.names);
        free(options->look.widths);
        free(options->counting.parallelisms);
        name_options_done(&options->names);
        free(options->words.keys.all);
        free(options->words.fields.all);
        strv_free(options->words.trace_words);
        trace_columns_done(&options->words.traces);
        selection_options_done(&options->select);
        *options = (ReportOptions) {};
}
