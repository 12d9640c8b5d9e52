/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words that are no keys were numbered when the command line was parsed, since only the recording says which fields
 * there are. */

#include "report-keys.h"

#include "array.h"
#include "option-list.h"
#include "report-facets.h"
#include "strv.h"

static int fail_word(const char *option, const char *word, int r) {
        switch (r) {
        case -ENOENT:
                return option_fail(option, word, "neither a key nor a field of the recording's tracepoints");
        case -EINVAL:
                return option_fail(option, word, "several events have that in their names");
        case -ENOSPC:
                return option_fail(option, word, "too many fields");
        default:
                return r;
        }
}

/* Keys that are put together anew. */
typedef struct KeyList {
        ReportField *fields;
        size_t n, allocated;
} KeyList;

static int list_add(KeyList *l, ReportField field) {
        if (ARRAY_RESERVE(l->fields, l->allocated, l->n + 1) < 0)
                return -ENOMEM;
        l->fields[l->n++] = field;
        return 0;
}

/* Adds the fields that a word names. */
static int list_add_word(KeyList *l, ReportOptions *o, const char *option, const char *word, const RecordingInputs *inputs) {
        _cleanup_free_ size_t *found = NULL;
        size_t n = 0;
        int r = trace_columns_find(&o->words.traces, word, inputs, &found, &n);

        if (r < 0)
                return fail_word(option, word, r);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = list_add(l, (ReportField) (REPORT_FIELD_TRACES + found[i]));
        return r;
}

/* Replaces the numbers of words by those of the fields that these name. */
static int replace_words(ReportOptions *o, const char *option, const RecordingInputs *inputs, ReportField **fields, size_t *n) {
        KeyList all = {};
        int r = 0;

        for (size_t i = 0; r >= 0 && i < *n; i++)
                r = (*fields)[i] < REPORT_FIELD_TRACES ? list_add(&all, (*fields)[i]) :
                        list_add_word(&all, o, option, o->words.trace_words[(*fields)[i] - REPORT_FIELD_TRACES], inputs);
        if (r < 0) {
                free(all.fields);
                return r;
        }
        free(*fields);
        *fields = all.fields;
        *n = all.n;
        return 0;
}

static bool has_only_tracepoints(const RecordingInputs *inputs) {
        size_t n_all = 0;

        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[i].reader, &events);

                if (ANY_OF(n, k, events[k].attr.type != PERF_TYPE_TRACEPOINT))
                        return false;
                n_all += n;
        }
        return n_all > 0;
}

/* Returns whether any event has these fields, and the branches that it has are not its call chain. */
static bool have_fields(const RecordingInputs *inputs, uint64_t fields) {
        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[i].reader, &events);

                if (ANY_OF(n, k, events[k].attr.sample_type & fields &&
                                 !(events[k].attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)))
                        return true;
        }
        return false;
}

/* Branches have no call chains, and of memory accesses callers have no share, as in perf. */
static int choose_mode(ReportOptions *o, const RecordingInputs *inputs) {
        bool any = have_fields(inputs, PERF_SAMPLE_BRANCH_STACK);

        if (!o->counting.branches_set)
                o->counting.branches = any && !o->counting.memory && !have_fields(inputs, PERF_SAMPLE_STACK_USER);
        if (o->counting.branches && (!any || o->counting.memory)) {
                (void) fprintf(stderr, any ? "-b counts branches, --mem-mode memory accesses: only one can be\n" :
                               "-b: no event was recorded with branches, as perf record -b does\n");
                return -EINVAL;
        }
        o->counting.no_children = o->counting.no_children || o->counting.branches || o->counting.memory;
        if (o->counting.branches) {
                o->graph.type = CALL_GRAPH_NONE;
                o->counting.inlined = false;
        }
        return 0;
}

static int check_keys(const ReportOptions *o, const char *option, const ReportField *fields, size_t n) {
        uint64_t others = o->counting.branches ? REPORT_MEMORY_KEYS : REPORT_BRANCH_KEYS;

        for (size_t i = 0; i < n; i++)
                if (fields[i] >= REPORT_FIELD_KEYS && fields[i] < REPORT_FIELD_TRACES &&
                    others & REPORT_KEY(fields[i] - REPORT_FIELD_KEYS))
                        return option_fail(option, report_field_to_string(fields[i]),
                                           o->counting.branches ? "not a key of branches" :
                                           "a key of branches, which are not counted here");
        return 0;
}

/* Adds the default keys of what is counted; those of tracepoints are what these print. */
static int list_add_default(KeyList *l, ReportOptions *o, const RecordingInputs *inputs) {
        static const ReportKey branches[] = {
                REPORT_COMM, REPORT_DSO_FROM, REPORT_SYMBOL_FROM, REPORT_SYMBOL_TO, REPORT_CYCLES,
        };
        static const ReportKey memory[] = {
                REPORT_LOCAL_WEIGHT, REPORT_MEMORY_LEVEL, REPORT_SYMBOL, REPORT_DSO, REPORT_DATA_SYMBOL, REPORT_DATA_DSO,
                REPORT_SNOOP, REPORT_TLB, REPORT_LOCKED, REPORT_BLOCKED, REPORT_LOCAL_LATENCY,
        };
        static const ReportKey others[] = { REPORT_COMM, REPORT_DSO, REPORT_SYMBOL };
        const ReportKey *keys = o->counting.branches ? branches : o->counting.memory ? memory : others;
        size_t n = o->counting.branches ? ELEMENTSOF(branches) : o->counting.memory ? ELEMENTSOF(memory) : ELEMENTSOF(others);
        int r = 0;

        if (!o->counting.branches && !o->counting.memory && has_only_tracepoints(inputs))
                return o->words.traces.raw ? list_add_word(l, o, "sort", "trace_fields", inputs) :
                        list_add(l, REPORT_FIELD_KEYS + REPORT_TRACE);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = list_add(l, REPORT_FIELD_KEYS + keys[i]);
        return r;
}

/* Puts the default before the keys that were named. */
static int add_default_keys(ReportOptions *o, const RecordingInputs *inputs) {
        KeyList all = {};
        int r = list_add_default(&all, o, inputs);

        for (size_t i = 0; r >= 0 && i < o->words.n_keys; i++)
                r = ANY_OF(all.n, k, all.fields[k] == o->words.keys[i]) ? 0 : list_add(&all, o->words.keys[i]);
        if (r < 0) {
                free(all.fields);
                return r;
        }
        free(o->words.keys);
        o->words.keys = all.fields;
        o->words.n_keys = all.n;
        return 0;
}

/* perf record --latency says so of itself. perf 7 keeps none of its arguments, and shows the time that passed wherever there are
 * context switches. */
static bool is_latency_profile(const PerfDataReader *reader) {
        _cleanup_strv_free_ char **words = NULL;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        if (perf_data_reader_command_line(reader, &words) < 0)
                return false;
        return strv_contains(words, "--latency") || (strv_length(words) == 1 && ANY_OF(n, i, events[i].attr.context_switch));
}

void report_keys_drop_latency(ReportOptions *options, const SampleTable *table) {
        uint64_t all = 0, single = 0;
        size_t n;
        const SampleRow *rows = sample_table_rows(table, &n);

        for (size_t i = 0; i < n; i++) {
                all += rows[i].count;
                single += rows[i].parallelism == 1 ? rows[i].count : 0;
        }
        if (!options->look.latency_first && all > 0 && (double) single >= 0.99 * (double) all)
                options->look.latency = false;
}

int report_keys_complete(ReportOptions *options, const RecordingInputs *inputs) {
        int r = choose_mode(options, inputs);

        options->look.latency = options->look.latency_first ||
                (inputs->n > 0 && !ANY_OF(inputs->n, i, !is_latency_profile(inputs->inputs[i].reader)));
        if (r >= 0)
                r = replace_words(options, "sort", inputs, &options->words.keys, &options->words.n_keys);
        if (r >= 0 && options->words.default_keys)
                r = add_default_keys(options, inputs);
        if (r >= 0)
                r = replace_words(options, "fields", inputs, &options->words.fields, &options->words.n_fields);
        if (r >= 0)
                r = check_keys(options, "sort", options->words.keys, options->words.n_keys);
        return r < 0 ? r : check_keys(options, "fields", options->words.fields, options->words.n_fields);
}
