/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words that are no keys were numbered when the command line was parsed, since only the recording says which fields
 * there are. */

#include "report-keys.h"

#include "array.h"
#include "option-list.h"
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

/* Adds the fields that a word names. */
static int add_traces(ReportFields *l, ReportOptions *o, const char *option, const char *word, const RecordingInputs *inputs) {
        _cleanup_free_ size_t *found = NULL;
        size_t n = 0;
        int r = trace_columns_find(&o->words.traces, word, inputs, &found, &n);

        if (r < 0)
                return fail_word(option, word, r);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = report_fields_add(l, (ReportField) (REPORT_FIELD_TRACES + found[i]));
        return r;
}

/* Replaces the numbers of words by those of the fields that these name. */
static int replace_words(ReportOptions *o, const char *option, const RecordingInputs *inputs, ReportFields *list) {
        ReportFields all = { .added = list->added };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < list->n; i++)
                r = !report_field_is_trace(list->all[i]) ? report_fields_add(&all, list->all[i]) :
                    add_traces(&all, o, option, o->words.trace_words[list->all[i] - REPORT_FIELD_TRACES], inputs);
        free(list->all);
        *list = all;
        return r;
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

static int check_keys(const ReportOptions *o, const char *option, const ReportFields *list) {
        ReportFieldFlag others = o->counting.branches ? FIELD_OF_MEMORY : FIELD_OF_BRANCH;

        for (size_t i = 0; i < list->n; i++)
                if (report_field_is(list->all[i], others))
                        return option_fail(option, report_field_type(list->all[i])->word,
                                           o->counting.branches ? "not a key of branches" :
                                           "a key of branches, which are not counted here");
        return 0;
}

/* Adds the default keys of what is counted; those of tracepoints are what these print. */
static int add_default(ReportFields *l, ReportOptions *o, const RecordingInputs *inputs) {
        static const ReportField branches[] = {
                REPORT_FIELD_COMM, REPORT_FIELD_DSO_FROM, REPORT_FIELD_SYMBOL_FROM, REPORT_FIELD_SYMBOL_TO, REPORT_FIELD_CYCLES,
        };
        static const ReportField memory[] = {
                REPORT_FIELD_LOCAL_WEIGHT, REPORT_FIELD_MEMORY_LEVEL, REPORT_FIELD_SYMBOL, REPORT_FIELD_DSO,
                REPORT_FIELD_DATA_SYMBOL, REPORT_FIELD_DATA_DSO, REPORT_FIELD_SNOOP, REPORT_FIELD_TLB, REPORT_FIELD_LOCKED,
                REPORT_FIELD_BLOCKED, REPORT_FIELD_LOCAL_INSTRUCTION,
        };
        static const ReportField others[] = { REPORT_FIELD_COMM, REPORT_FIELD_DSO, REPORT_FIELD_SYMBOL };
        const ReportField *keys = o->counting.branches ? branches : o->counting.memory ? memory : others;
        size_t n = o->counting.branches ? ELEMENTSOF(branches) : o->counting.memory ? ELEMENTSOF(memory) : ELEMENTSOF(others);
        int r = 0;

        if (!o->counting.branches && !o->counting.memory && has_only_tracepoints(inputs))
                return o->words.traces.raw ? add_traces(l, o, "sort", "trace_fields", inputs) :
                        report_fields_add(l, REPORT_FIELD_TRACE);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = report_fields_add(l, keys[i]);
        return r;
}

/* Puts the default before the keys that were named. */
static int add_default_keys(ReportOptions *o, const RecordingInputs *inputs) {
        ReportFields *keys = &o->words.keys, all = { .added = keys->added };
        int r = add_default(&all, o, inputs);

        for (size_t i = 0; r >= 0 && i < keys->n; i++)
                r = report_fields_add(&all, keys->all[i]);
        free(keys->all);
        *keys = all;
        return r;
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
                r = replace_words(options, "sort", inputs, &options->words.keys);
        if (r >= 0 && options->words.default_keys)
                r = add_default_keys(options, inputs);
        if (r >= 0)
                r = replace_words(options, "fields", inputs, &options->words.fields);
        if (r >= 0)
                r = check_keys(options, "sort", &options->words.keys);
        return r < 0 ? r : check_keys(options, "fields", &options->words.fields);
}
