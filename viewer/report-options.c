/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words, their abbreviations and defaults are perf report's. Like there, --call-graph takes the next word as its value unless
 * that is an option. */

#include "report-options.h"

#include <getopt.h>
#include <regex.h>

#include "array.h"
#include "option-list.h"
#include "parse-number.h"
#include "parse-time.h"
#include "share-color.h"
#include "string-table.h"
#include "strv.h"

#define MAX_STACK 127u /* PERF_MAX_STACK_DEPTH */
#define MAX_STACK_MAX 4096u
#define COLUMN_WIDTH_MAX 65536u
#define COLUMNS_MAX 64u
#define PARENT "^sys_|^do_page_fault" /* perf's */
#define TIME_QUANTUM (100 * USEC_PER_MSEC * NSEC_PER_USEC)

static const char *const field_words[] = {
        [REPORT_FIELD_CHILDREN] = "overhead_children",
        [REPORT_FIELD_OVERHEAD] = "overhead",
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
static int find_field(ReportOptions *o, const char *word, ReportField *ret) {
        static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:*/%-@";
        size_t n = strv_length(o->trace_words);

        *ret = field_from_word(word);
        if ((int) *ret >= 0)
                return 0;
        if (n >= TRACE_COLUMNS_MAX || word[strspn(word, characters)])
                return -EINVAL;
        *ret = (ReportField) (REPORT_FIELD_TRACES + n);
        return strv_extend(&o->trace_words, word);
}

static int take_key(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        ReportField field;
        int r = find_field(o, word, &field);

        return r < 0 ? r : add_field(&o->keys, &o->n_keys, field);
}

static int take_field(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        ReportField field;
        int r = find_field(o, word, &field);

        return r < 0 ? r : add_field(&o->fields, &o->n_fields, field);
}

/* A list that begins with '+' is added to the default. */
static int parse_keys(ReportOptions *o, const char *value) {
        o->keys_added = o->keys_added || *value == '+';
        return option_list_parse("sort", value + (*value == '+'), take_key, o);
}

static int parse_fields(ReportOptions *o, const char *value) {
        o->fields_added = o->fields_added || *value == '+';
        return option_list_parse("fields", value + (*value == '+'), take_field, o);
}

static int parse_time_quantum(ReportOptions *o, const char *value) {
        usec_t usec;

        if (parse_timespan(value, &usec) < 0 || usec == 0 || usec > USEC_PER_SEC * 1000000)
                return option_fail("time-quantum", value, "not a time as '100ms'");
        o->slice = usec * NSEC_PER_USEC;
        return 0;
}

static int parse_percent_limit(ReportOptions *o, const char *value) {
        char *end;
        double limit = strtod(value, &end);

        if (end == value || *end || !(limit >= 0 && limit <= 100))
                return option_fail("percent-limit", value, "not a percentage");
        o->percent_limit = o->graph.least = limit;
        return 0;
}

static int parse_max_stack(ReportOptions *o, const char *value) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n > MAX_STACK_MAX)
                return option_fail("max-stack", value, "not a number of addresses up to 4096");
        o->max_stack = n;
        return 0;
}

static int parse_json(ReportOptions *o, const char *value) {
        ReportJson json = value ? (ReportJson) string_table_value(json_modes, ELEMENTSOF(json_modes), value) : REPORT_JSON_SHORT;

        if ((int) json < 0)
                return option_fail("json", value, "not short, pretty or off");
        o->json = json;
        return 0;
}

static int parse_pattern(const char *option, const char *value, const char **ret) {
        regex_t regex;

        if (regcomp(&regex, value, REG_EXTENDED | REG_NOSUB) != 0)
                return option_fail(option, value, "not a regular expression");
        regfree(&regex);
        *ret = value;
        return 0;
}

/* With a pattern, parents are the last key. */
static int complete_keys(ReportOptions *o) {
        o->default_keys = (o->n_keys == 0 || o->keys_added) && (o->n_fields == 0 || o->fields_added);
        if (o->parent)
                return add_field(&o->keys, &o->n_keys, REPORT_FIELD_KEYS + REPORT_PARENT);
        o->parent = PARENT;
        return 0;
}

static int parse_separator(ReportOptions *o, const char *value) {
        if (streq(value, "\\t"))
                value = "\t";
        if (strlen(value) != 1)
                return option_fail("field-separator", value, "not one character");
        o->separator = *value;
        return 0;
}

static int take_width(void *userdata, const char *word) {
        ReportOptions *o = userdata;
        unsigned width;

        if (parse_uint(word, &width) < 0 || width > COLUMN_WIDTH_MAX || o->n_widths >= COLUMNS_MAX)
                return -EINVAL;
        if (ARRAY_RESERVE_NEXT(o->widths, o->n_widths) < 0)
                return -ENOMEM;
        o->widths[o->n_widths++] = width;
        return 0;
}

enum { OPTION_STDIO = 0x100, OPTION_CHILDREN, OPTION_NO_CHILDREN, OPTION_PERIOD, OPTION_PERCENT_LIMIT,
       OPTION_MAX_STACK, OPTION_SYMFS, OPTION_INPUT_NAME, OPTION_HEADER,
       OPTION_HEADER_ONLY, OPTION_STATS, OPTION_TASKS, OPTION_MMAPS, OPTION_SYMBOL_FILTER, OPTION_PERCENTAGE, OPTION_TIME_QUANTUM,
       OPTION_INLINE, OPTION_NO_INLINE, OPTION_FULL_SOURCE_PATH, OPTION_CONFIDENCE, OPTION_JSON, OPTION_COLOR,
       OPTION_RAW_TRACE, OPTION_NANOSECONDS, OPTION_IGNORE_CALLEES,
       OPTION_NO_BRANCHES, OPTION_MEMORY, OPTION_GROUP, OPTION_NO_GROUP, OPTION_GROUP_SORT };

static const struct option long_options[] = {
        { "input", required_argument, NULL, 'i' },
        { "input-name", required_argument, NULL, OPTION_INPUT_NAME },
        { "symfs", required_argument, NULL, OPTION_SYMFS },
        { "stdio", no_argument, NULL, OPTION_STDIO },
        { "force", no_argument, NULL, 'f' },
        { "group", no_argument, NULL, OPTION_GROUP },
        { "no-group", no_argument, NULL, OPTION_NO_GROUP },
        { "group-sort-idx", required_argument, NULL, OPTION_GROUP_SORT },
        { "header", no_argument, NULL, OPTION_HEADER },
        { "header-only", no_argument, NULL, OPTION_HEADER_ONLY },
        { "show-info", no_argument, NULL, 'I' },
        { "stats", no_argument, NULL, OPTION_STATS },
        { "dump-raw-trace", no_argument, NULL, 'D' },
        { "tasks", no_argument, NULL, OPTION_TASKS },
        { "mmaps", no_argument, NULL, OPTION_MMAPS },
        { "json", optional_argument, NULL, OPTION_JSON },
        { "sort", required_argument, NULL, 's' },
        { "fields", required_argument, NULL, 'F' },
        { "call-graph", optional_argument, NULL, 'g' },
        { "inverted", no_argument, NULL, 'G' },
        { "parent", required_argument, NULL, 'p' },
        { "exclude-other", no_argument, NULL, 'x' },
        { "ignore-callees", required_argument, NULL, OPTION_IGNORE_CALLEES },
        { "hide-unresolved", no_argument, NULL, 'U' },
        { "ns", no_argument, NULL, OPTION_NANOSECONDS },
        { "raw-trace", no_argument, NULL, OPTION_RAW_TRACE },
        { "branch-stack", no_argument, NULL, 'b' },
        { "no-branch-stack", no_argument, NULL, OPTION_NO_BRANCHES },
        { "mem-mode", no_argument, NULL, OPTION_MEMORY },
        { "stdio-color", required_argument, NULL, OPTION_COLOR },
        { "children", no_argument, NULL, OPTION_CHILDREN },
        { "no-children", no_argument, NULL, OPTION_NO_CHILDREN },
        { "show-nr-samples", no_argument, NULL, 'n' },
        { "show-total-period", no_argument, NULL, OPTION_PERIOD },
        { "conf", no_argument, NULL, OPTION_CONFIDENCE },
        { "field-separator", required_argument, NULL, 't' },
        { "column-widths", required_argument, NULL, 'w' },
        { "percent-limit", required_argument, NULL, OPTION_PERCENT_LIMIT },
        { "max-stack", required_argument, NULL, OPTION_MAX_STACK },
        { "percentage", required_argument, NULL, OPTION_PERCENTAGE },
        { "comms", required_argument, NULL, 'c' },
        { "dsos", required_argument, NULL, 'd' },
        { "symbols", required_argument, NULL, 'S' },
        { "symbol-filter", required_argument, NULL, OPTION_SYMBOL_FILTER },
        SELECTION_ROWS,
        { "time-quantum", required_argument, NULL, OPTION_TIME_QUANTUM },
        { "inline", no_argument, NULL, OPTION_INLINE },
        { "no-inline", no_argument, NULL, OPTION_NO_INLINE },
        { "full-source-path", no_argument, NULL, OPTION_FULL_SOURCE_PATH },
        NAME_ROWS,
        { "modules", no_argument, NULL, 'm' },
        { "plain-addresses", no_argument, NULL, NAME_PLAIN_ADDRESSES },
        { "quiet", no_argument, NULL, 'q' },
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        {},
};

static void print_table_help(void) {
        (void) printf("perf-recorder-view report [OPTION...]\n\n"
                      "Show the functions of a recording by their shares, as perf report --stdio does.\n\n"
                      "  -i --input=FILE              The recording, or - for standard input (perf.data);\n"
                      "                               several of them are shown as one\n"
                      "     --input-name=NAME         What messages call it\n"
                      "     --symfs=DIRECTORY         The directory of its symbols (the one beside it)\n"
                      "     --header                  Show the header of the recording first\n"
                      "     --header-only             Show nothing else\n"
                      "  -I --show-info               Show tables of CPUs, caches and memory in the header\n"
                      "     --stats                   Show only how many records of each type there are\n"
                      "  -D --dump-raw-trace          Show all records as they are, and how many of each type\n"
                      "     --tasks                   Show only the tasks, each below the one that forked it\n"
                      "     --mmaps                   Show them with what they had mapped\n"
                      "     --json[=MODE]             Print an object of JSON: short, pretty, or off\n"
                      "  -s --sort=KEY[,KEY...]       Group by comm, pid or tid, dso, sym, cpu, time,\n"
                      "                               cgroup, unit, container, host, srcline, srcfile,\n"
                      "                               trace, parent, a field of tracepoints, EVENT.FIELD,\n"
                      "                               trace_fields (comm,dso,sym; trace if all events are\n"
                      "                               tracepoints); +KEY: by these, too;\n"
                      "                               weight, ins_lat, p_stage_cyc, retire_lat,\n"
                      "                               each of them of one sample with local_ before it; mem,\n"
                      "                               snoop, locked, tlb, blocked, dcacheline, symbol_daddr,\n"
                      "                               dso_daddr, symbol_iaddr, phys_daddr, data_page_size,\n"
                      "                               code_page_size, transaction, addr, symbol_size, dso_size;\n"
                      "                               of branches: dso, symbol, srcline and addr with _from\n"
                      "                               or _to behind it, mispredict, abort, in_tx, cycles\n"
                      "  -b --branch-stack            Count branches, if samples have any (the default then)\n"
                      "     --no-branch-stack         Count samples\n"
                      "     --mem-mode                Count the weights of memory accesses\n"
                      "     --raw-trace               Show the fields of tracepoints as they were recorded\n"
                      "  -F --fields=FIELD[,...]      Show these: overhead, overhead_children, sample,\n"
                      "                               period, and keys; +FIELD: these, too\n"
                      "  -g --call-graph[=WORD,...]   Show call chains as graph, fractal, flat, folded or\n"
                      "                               none; least percentage; most lines; caller, callee;\n"
                      "                               function, address, srcline; percent, period, count\n"
                      "  -G --inverted                Show callers first\n"
                      "     --children --no-children  Count samples for callers too, or not\n"
                      "  -p --parent=REGEX            Group by the functions in call chains that match, too\n"
                      "  -x --exclude-other           Show only what has such a function in its call chain\n"
                      "     --ignore-callees=REGEX    Count what these functions called as theirs\n"
                      "  -U --hide-unresolved         Leave out code without a symbol\n"
                      "     --ns                      Show times in nanoseconds\n"
                      "     --stdio-color=MODE        Colours: always, never or auto (on a terminal)\n"
                      "     --group --no-group        Show the events of a group side by side (the default; all\n"
                      "                               events if there is no group), or not\n"
                      "     --group-sort-idx=NUMBER   Sort by that event of a group; 0 is the first one\n"
                      "  -n --show-nr-samples         Show the number of samples\n"
                      "     --show-total-period       Show the sum of periods\n"
                      "     --conf                    Show in which interval a share is with 95 %% confidence\n"
                      "  -t --field-separator=CHAR    Separate columns by that character\n"
                      "  -w --column-widths=N[,N...]  Cut the columns to these widths; 0: do not\n"
                      "     --percent-limit=PERCENT   Leave out what is less\n"
                      "     --max-stack=NUMBER        Use at most that many addresses of a call chain (127)\n"
                      "     --percentage=relative     Show shares of what is shown\n");
}

static void print_help(void) {
        print_table_help();
        (void) printf("  -c --comms=NAME[,NAME...]    Only threads with these names; file://FILE: those\n"
                      "                               that are its lines\n"
                      "  -d --dsos=NAME[,NAME...]     Only samples in these binaries\n"
                      "  -S --symbols=NAME[,NAME...]  Only samples in these functions\n"
                      "     --symbol-filter=TEXT      Only functions with that in their name\n"
                      SELECTION_HELP
                      "     --time-quantum=TIME       How long a slice of the key time is (100ms)\n"
                      "     --inline --no-inline      Show inlined functions in call chains, or not (the default)\n"
                      "     --full-source-path        Show whole paths of source files, not their base names\n"
                      NAME_HELP
                      "     --plain-addresses         Show code without symbols by its addresses, and not\n"
                      "                               by the starts of its functions\n"
                      "  -q --quiet                   Print no headers\n"
                      "  -v --verbose                 Report on the sandbox\n"
                      "  -f --force -m --modules --stdio\n"
                      "                               Accepted: this is always so\n");
}

/* -g and --call-graph without "=": the next word is the value, unless it is an option. */
static int parse_call_graph(ReportOptions *o, int argc, char **argv) {
        const char *value = optarg;

        if (!value && optind < argc && argv[optind][0] != '-')
                value = argv[optind++];
        return value ? call_graph_options_parse(&o->graph, value) : 0;
}

/* Options that decide which samples count, and which are shown. */
static int take_selection(ReportOptions *o, int option) {
        switch (option) {
        case OPTION_PERCENTAGE:
                if (!streq(optarg, "relative") && !streq(optarg, "absolute"))
                        return option_fail("percentage", optarg, "neither relative nor absolute");
                o->relative = streq(optarg, "relative");
                return 0;
        case OPTION_SYMBOL_FILTER:
                o->symbol_part = optarg;
                return 0;
        case 'p':
                return parse_pattern("parent", optarg, &o->parent);
        case 'x':
                o->with_parent = true;
                return 0;
        case OPTION_IGNORE_CALLEES:
                return parse_pattern("ignore-callees", optarg, &o->ignored_callees);
        case 'U':
                o->resolved = o->names.plain_addresses = true;
                return 0;
        case OPTION_TIME_QUANTUM:
                return parse_time_quantum(o, optarg);
        default:
                return selection_options_take(&o->select, option, optarg); /* getopt_long() printed what is none */
        }
}

/* Options that decide how it is shown. */
static int take_look(ReportOptions *o, int option) {
        switch (option) {
        case 'n':
                o->samples = true;
                return 0;
        case OPTION_PERIOD:
                o->period = true;
                return 0;
        case OPTION_CONFIDENCE:
                o->confidence = true;
                return 0;
        case OPTION_GROUP:
        case OPTION_NO_GROUP:
                o->grouping = option == OPTION_GROUP ? REPORT_GROUP_ALL : REPORT_GROUP_OFF;
                return 0;
        case OPTION_GROUP_SORT:
                return parse_uint(optarg, &o->group_sort) < 0 ?
                        option_fail("group-sort-idx", optarg, "not a number of an event") : 0;
        case OPTION_NANOSECONDS:
                o->nanoseconds = true;
                return 0;
        case 't':
                return parse_separator(o, optarg);
        case 'w':
                o->n_widths = 0;
                return option_list_parse("column-widths", optarg, take_width, o);
        case OPTION_RAW_TRACE:
                o->traces.raw = true;
                return 0;
        case 'b':
        case OPTION_NO_BRANCHES:
                o->branches = option == 'b';
                o->branches_set = true;
                return 0;
        case OPTION_MEMORY:
                o->memory = true;
                return 0;
        case OPTION_COLOR:
                return share_colors_parse(optarg, &o->colors);
        case OPTION_JSON:
                return parse_json(o, optarg);
        default:
                return take_selection(o, option);
        }
}

static int take_option(ReportOptions *o, int option, int argc, char **argv) {
        int r;

        switch (option) {
        case 'i':
                return recording_names_take(&o->inputs, optarg, NULL, NULL);
        case OPTION_INPUT_NAME:
                return recording_names_take(&o->inputs, NULL, optarg, NULL);
        case OPTION_SYMFS:
                return recording_names_take(&o->inputs, NULL, NULL, optarg);
        case OPTION_STDIO:
        case 'f': /* others' recordings are shown anyway */
                return 0;
        case OPTION_HEADER:
                o->header = true;
                return 0;
        case OPTION_HEADER_ONLY:
                o->header = o->header_only = true;
                return 0;
        case 'I':
                o->header_full = true;
                return 0;
        case OPTION_STATS:
                o->stats = true;
                return 0;
        case 'D':
                o->dump = true;
                return 0;
        case OPTION_TASKS:
        case OPTION_MMAPS:
                o->tasks = true;
                o->mmaps |= option == OPTION_MMAPS;
                return 0;
        case 's':
                o->sort = optarg;
                return parse_keys(o, optarg);
        case 'F':
                return parse_fields(o, optarg);
        case 'g':
                return parse_call_graph(o, argc, argv);
        case 'G':
                o->graph.caller = o->graph.order_set = true;
                return 0;
        case OPTION_CHILDREN:
        case OPTION_NO_CHILDREN:
                o->no_children = option == OPTION_NO_CHILDREN;
                return 0;
        case OPTION_INLINE:
        case OPTION_NO_INLINE:
                o->inlined = option == OPTION_INLINE;
                return 0;
        case OPTION_FULL_SOURCE_PATH:
                o->full_source_path = true;
                return 0;
        case OPTION_PERCENT_LIMIT:
                return parse_percent_limit(o, optarg);
        case OPTION_MAX_STACK:
                return parse_max_stack(o, optarg);
        case 'q':
                o->quiet = true;
                return 0;
        case 'v':
                o->verbose = true;
                return 0;
        case 'h':
                print_help();
                return 1;
        default:
                r = name_options_take(&o->names, option, optarg);
                return r != 0 ? MIN_OF(r, 0) : take_look(o, option);
        }
}

int report_options_parse(ReportOptions *options, int argc, char **argv) {
        int option, r = 0;

        *options = (ReportOptions) { .graph = { .least = 0.5 }, .max_stack = MAX_STACK, .slice = TIME_QUANTUM,
                                     .colors = share_colors_wanted() };
        optind = 0;
        while (r == 0 && (option = getopt_long(argc, argv, "i:fIDbs:F:g::Gp:xUnt:w:c:d:S:C:u:k:mqvh", long_options, NULL)) >= 0)
                r = take_option(options, option, argc, argv);
        if (r == 0 && optind < argc) {
                (void) fprintf(stderr, "Excess argument: '%s' (perfctl wants dumps in front of all options)\n", argv[optind]);
                r = -EINVAL;
        }
        if (r == 0)
                r = complete_keys(options);
        if (r == 0 && options->json != REPORT_JSON_OFF && (options->header || options->stats || options->tasks || options->dump)) {
                (void) fprintf(stderr,
                               "--json is of the samples, and goes with none of --header, --stats, --tasks, --mmaps and -D\n");
                r = -EINVAL;
        }
        return r == 0 && options->inputs.n == 0 ? recording_names_take(&options->inputs, NULL, NULL, NULL) : r;
}

void report_options_done(ReportOptions *options) {
        free(options->inputs.names);
        free(options->widths);
        name_options_done(&options->names);
        free(options->keys);
        free(options->fields);
        strv_free(options->trace_words);
        trace_columns_done(&options->traces);
        selection_options_done(&options->select);
        *options = (ReportOptions) {};
}
