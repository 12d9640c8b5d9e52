/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings are counted one after the other into one table; each has symbols of its own, for the binaries that are its own. */

#include "counted-samples.h"

#include <inttypes.h>

#include "array.h"
#include "inlined-places.h"
#include "recording-damage.h"
#include "recording-lendings.h"
#include "sample-times.h"
#include "sched-labels.h"
#include "trace-labels.h"
#include "unwound-remark.h"

#define STATUS_FAILED 1

void counted_samples_done(CountedSamples *c) {
        place_names_done(&c->names);
        sample_table_free(c->table);
        for (size_t i = 0; c->each && i < c->inputs.n; i++) {
                symbols_free(c->each[i].symbols);
                recorded_paths_done(&c->each[i].paths);
        }
        free(c->each);
        lendings_done(&c->lent);
        recording_inputs_done(&c->inputs);
        *c = (CountedSamples) {};
}

const char *counted_samples_title(const CountedSamples *c) {
        return c->inputs.n > 1 ? "All of it" : c->inputs.inputs->name;
}

SymbolSources counted_samples_sources(const CountedSamples *c) {
        SymbolSources sources = symbols_sources(c->each->symbols);

        sources.symbols = c->each->symbols;
        return sources;
}

int counted_samples_open(CountedSamples *c, const RecordingNames *recordings) {
        c->each = calloc(recordings->n + 1, sizeof(*c->each));
        return c->each ? recording_inputs_open(&c->inputs, recordings) : -ENOMEM;
}

int counted_samples_take(CountedSamples *c, RecordingInput *in) {
        if (ARRAY_RESERVE_NEXT(c->each, c->inputs.n) < 0 || ARRAY_RESERVE_NEXT(c->inputs.inputs, c->inputs.n) < 0)
                return -ENOMEM;
        c->each[c->inputs.n] = (CountedRecording) {};
        c->inputs.inputs[c->inputs.n++] = *in;
        *in = (RecordingInput) RECORDING_INPUT_EMPTY;
        return 0;
}

/* A recording while it is read. */
typedef struct CountedReading {
        CountedSamples *counted;
        const RecordingInput *in;
        SampleTotals *totals;
        TraceLabels *traces;  /* NULL: they are not wanted */
        SchedLabels *switches; /* likewise */
} CountedReading;

static void counted_reading_done(CountedReading *x) {
        trace_labels_free(x->traces);
        sched_labels_free(x->switches);
}

static int counted_take_sample(const CountedReading *x, const Moment *m, uint32_t *ret) {
        const CountingPlan *plan = &x->counted->plan;
        SampleLabel label = {};
        SchedEvent event;
        bool switched = x->switches && sched_labels_event_of(x->switches, m, &event);
        int r;

        if (switched && plan->dimensions & SAMPLE_BY_LABEL)
                label = sched_labels_label(x->switches, m, &event);
        else if (x->traces && m->selected == MOMENT_SELECTED)
                label = trace_labels_label(x->traces, m);
        r = sample_table_count(x->counted->table, m, &label, ret);
        if (r >= 0 && plan->accesses && *ret != SAMPLE_NO_ROW)
                return access_table_take(plan->accesses, m, sample_table_places(x->counted->table),
                                         sample_table_rows(x->counted->table, &(size_t) { 0 })[*ret].leaf);
        return r >= 0 && switched ? thread_waits_take_sample(plan->waits, m, &event, *ret) : r;
}

/* Counts all samples of a recording, or those before what cannot be read. */
static int counted_read(const CountedReading *x, const SampleReading *reading) {
        const CountingPlan *plan = &x->counted->plan;
        Replay *replay;
        Moment m;
        int r = sample_table_begin(x->counted->table, x->in->reader, reading, &replay);

        if (r >= 0 && plan->timeline)
                r = timeline_begin_recording(plan->timeline, x->in->reader);
        if (r >= 0 && plan->waits)
                r = thread_waits_begin_recording(plan->waits, x->in->reader);
        if (r >= 0 && plan->accesses)
                r = access_table_begin_recording(plan->accesses, x->in->reader);
        if (r >= 0 && plan->pairs)
                r = event_pairs_begin_recording(plan->pairs, x->in->reader);
        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                uint32_t row = SAMPLE_NO_ROW;

                r = moment_is_sample(&m) ? counted_take_sample(x, &m, &row) :
                    plan->waits ? thread_waits_take_record(plan->waits, &m) : 0;
                if (r >= 0 && plan->timeline)
                        r = timeline_take(plan->timeline, &m, row);
                if (r >= 0 && plan->spans && (!moment_is_sample(&m) || row != SAMPLE_NO_ROW))
                        r = span_counts_take(plan->spans, &m, row);
                if (r >= 0 && plan->pairs)
                        r = event_pairs_take(plan->pairs, &m, row);
        }
        *x->totals = sample_table_end(x->counted->table);
        return r;
}

/* Spans end with the last moment of what is selected. */
static int counted_begin_spans(SpanCounts *spans, const RecordingInput *in, const SampleSelection *selection) {
        uint64_t first = 0, last = 0, begin = UINT64_MAX, end = 0;
        int r = sample_times_find(in->reader, &first, &last);

        for (size_t i = 0; i < selection->n_spans; i++) {
                begin = MIN_OF(begin, selection->spans[i].since);
                end = MAX_OF(end, selection->spans[i].until > 0 ? selection->spans[i].until : UINT64_MAX);
        }
        if (selection->n_spans > 0) {
                first = MAX_OF(first, begin);
                last = MIN_OF(last, end);
        }
        span_counts_begin_recording(spans, first, last);
        return r == -ENODATA ? 0 : r;
}

static int counted_read_selected(CountedReading *x, const SampleSelection *selection) {
        CountedSamples *c = x->counted;
        const SymbolHelpers helpers = name_options_helpers(c->plan.names, c->plan.verbose);
        const SymbolSources sources = name_options_sources(x->in, &helpers);
        SampleReading reading = {
                .selection = selection, .stacks = &sources, .all = c->plan.waits || c->plan.pairs,
                .records = (c->plan.timeline ? c->plan.timeline->records : 0) | (c->plan.waits ? THREAD_WAITS_RECORDS : 0) |
                           (c->plan.spans ? SPAN_COUNTS_RECORDS : 0) | (c->plan.pairs ? EVENT_PAIRS_RECORDS : 0),
                .fields = (c->plan.accesses ? ACCESS_TABLE_FIELDS : 0) | (c->plan.pairs ? EVENT_PAIRS_FIELDS : 0),
        };
        int r = 0;

        if (c->plan.waits)
                r = sched_labels_new(x->in->reader, c->plan.wakings, &x->switches);
        else if (c->plan.dimensions & SAMPLE_BY_LABEL)
                r = trace_labels_new(x->in->reader, c->plan.traces, c->plan.trace_text, &x->traces);
        if (r < 0)
                return r;
        reading.labels = x->traces || x->switches;
        if (c->plan.spans)
                r = counted_begin_spans(c->plan.spans, x->in, selection);
        if (r < 0)
                return r;
        reading.watcher = progress_begin(&c->progress, "Reading", x->in->name);
        r = counted_read(x, &reading);
        progress_end(&c->progress);
        return r;
}

/* Adds a recording to the table. An error is printed if it is one that ends everything. */
static int read_recording(CountedSamples *c, size_t number) {
        RecordingInput *in = c->inputs.inputs + number;
        CountedRecording *counted = c->each + number;
        _cleanup_(counted_reading_done) CountedReading x = { .counted = c, .in = in, .totals = &counted->totals };
        _cleanup_free_ SampleSpan *spans = NULL;
        SampleSelection selection = { .units = c->plan.select->units };
        int r = selection_options_find(c->plan.select, in, &spans, &selection);

        if (r < 0)
                return r;
        r = recording_inputs_leave_out_common(&c->inputs, number, &spans, &selection.n_spans);
        selection.spans = spans;
        if (r >= 0) {
                recording_lendings_select(in, spans, selection.n_spans);
                r = lendings_merge(&c->lent, &in->lent);
        }
        if (r < 0)
                return recording_input_fail(in, "read", r);
        counted->read = counted_read_selected(&x, &selection);
        if (counted->read == -EOPNOTSUPP)
                (void) fprintf(stderr, "%s has no common axis with the recording before: only one of both knows the time of day\n",
                               in->name);
        else if (counted->read == -ENOMEM)
                (void) recording_input_fail(in, "read", -ENOMEM);
        return counted->read == -EOPNOTSUPP || counted->read == -ENOMEM ? counted->read : 0;
}

int counted_samples_count(CountedSamples *c, const CountingPlan *plan) {
        const SampleTablePlan table = {
                .dimensions = plan->dimensions, .facets = plan->facets, .slice = plan->slice, .map_sizes = plan->map_sizes,
                .by_file = !plan->names->plain_addresses, .data_maps = plan->accesses,
        };
        int r = sample_table_new(&table, &c->table);

        c->plan = *plan;
        if (r < 0)
                return recording_input_fail(c->inputs.inputs, "read", r);
        for (size_t i = 0; r >= 0 && i < c->inputs.n; i++)
                r = read_recording(c, i);
        return r;
}

/* Finds the symbols of each recording, for the binaries that are its own. */
static int counted_find_symbols(CountedSamples *c, Watcher watcher, Symbols **ret) {
        const CodePlaces *places = sample_table_places(c->table);
        size_t from = 0;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < c->inputs.n; i++) {
                const RecordingInput *in = c->inputs.inputs + i;
                CountedRecording *counted = c->each + i;
                size_t to = i < places->view->n_earlier ? places->view->earlier[i].end_dso : places->dsos->n;

                r = name_options_symbols(c->plan.names, c->plan.verbose, in, &counted->symbols);
                if (r >= 0)
                        r = recorded_paths_identify(&counted->paths, to > from ? places->dsos->dsos + from : NULL, to - from,
                                                    in->reader);
                if (r >= 0)
                        symbols_set_watcher(counted->symbols, watcher);
                ret[i] = counted->symbols;
                from = to;
        }
        return r;
}

int counted_samples_name(CountedSamples *c) {
        _cleanup_free_ Symbols **symbols = calloc(c->inputs.n + 1, sizeof(Symbols *));
        CodePlaces *places = sample_table_places(c->table);
        Watcher watcher = progress_begin(&c->progress, "Naming the code of", c->inputs.inputs->name);
        SymbolSources sources;
        int r = symbols ? counted_find_symbols(c, watcher, symbols) : -ENOMEM;

        if (r >= 0)
                r = place_names_init_each(&c->names, places, symbols, c->inputs.n);
        if (r >= 0 && c->plan.inlined) {
                sources = counted_samples_sources(c);
                r = inlined_places_add(c->table, &c->names, &sources, &c->broken);
        }
        progress_end(&c->progress);
        return r < 0 ? recording_input_fail(c->inputs.inputs, "name the code of", r) : 0;
}

bool counted_samples_loss(const CountedSamples *c, char *buf, size_t size) {
        const SampleTotals *t = sample_table_totals(c->table);
        const struct {
                const char *what;
                uint64_t n;
        } losses[] = {
                { "samples lost", t->lost_samples }, { "records lost", t->lost_records }, { "times throttled", t->throttled },
                { "samples unreadable", t->unreadable },
                { "recordings cut off", c->inputs.n > 0 && ANY_OF(c->inputs.n, i, c->each[i].read < 0 ||
                                                                            perf_data_reader_is_cut(c->inputs.inputs[i].reader)) },
        };
        size_t n = 0;

        *buf = '\0';
        for (size_t i = 0; i < ELEMENTSOF(losses) && n < size; i++)
                if (losses[i].n > 0)
                        n += (size_t) snprintf(buf + n, size - n, "%s%" PRIu64 " %s", n > 0 ? ", " : "", losses[i].n,
                                               losses[i].what);
        for (size_t i = 0; i < c->lent.n && n < size; i++) {
                const Lending *x = c->lent.all + i;

                if (!ANY_OF(i, k, c->lent.all[k].kind == x->kind && streq(c->lent.all[k].who, x->who)))
                        n += (size_t) snprintf(buf + n, size - n, "%s%s counters lent to %s", n > 0 ? ", " : "",
                                               counter_kind_to_string(x->kind), x->who);
        }
        return n > 0;
}

/* Reports an empty result and its cause. shown: the output says that no sample was selected. Returns whether it was reported. */
static bool remark_nothing(const CountedSamples *c, bool shown) {
        const SelectionOptions *select = c->plan.select;
        bool times = select->n_times > 0 || time_window_is_set(&select->window), cpus = select->n_cpus > 0;
        uint64_t samples, selected = sample_table_selected(c->table, &samples);
        const void *stat;
        size_t size;

        if (samples == 0 && perf_data_reader_feature(c->inputs.inputs->reader, PERF_FEATURE_STAT, &stat, &size) >= 0)
                (void) fprintf(stderr, "%s has counts and no samples: perfctl stat report shows them\n", counted_samples_title(c));
        else if (samples == 0)
                (void) fprintf(stderr, "%s has no samples%s%s%s\n", counted_samples_title(c), times ? " of that time" : "",
                               times && cpus ? " and" : "", cpus ? times ? " these CPUs" : " of these CPUs" : "");
        else if (selected == 0 && !shown)
                (void) fprintf(stderr, "%s: none of its %" PRIu64 " samples matches the selection\n",
                               counted_samples_title(c), samples);
        return samples == 0 || (selected == 0 && !shown);
}

int counted_samples_remark(const CountedSamples *c, unsigned what) {
        const char *title = counted_samples_title(c);
        int status = EXIT_SUCCESS;
        bool nothing;
        size_t n;
        const SampleEvent *events = sample_table_events(c->table, &n);

        if (c->broken > 0)
                (void) fprintf(stderr, "%s: the debug information of %u files is broken, too large, or takes too long\n",
                               c->inputs.inputs->name, c->broken);
        nothing = remark_nothing(c, !(what & COUNTED_NOTHING));
        for (size_t i = 0; i < n; i++)
                unwound_remark(title, events[i].name, events[i].unwound);
        for (size_t i = 0; i < c->inputs.n; i++) {
                SampleTotals totals = c->each[i].totals;

                if (!(what & COUNTED_LOST))
                        totals.lost_samples = 0;
                status |= recording_damage_print(&totals, c->inputs.inputs + i, c->each[i].read);
                if (what & COUNTED_LOST || nothing) /* then no header has it */
                        recording_lendings_remark(c->inputs.inputs + i);
        }
        if (!progress_was_interrupted())
                return status;
        (void) fprintf(stderr, "Interrupted: the result is incomplete, and some functions have no names\n");
        return STATUS_FAILED;
}
