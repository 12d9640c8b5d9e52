/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any file as a perf.data, as the viewer looks at it: what is counted adds up, what is printed has no control characters. No file of
 * this machine is looked at. */

#include <linux/perf_event.h>

#include "event-pairs.h"
#include "flame-picture.h"
#include "fuzz.h"
#include "raw-dump.h"
#include "report-header.h"
#include "report-print.h"
#include "report-stats.h"
#include "sched-labels.h"
#include "script-json.h"
#include "script-options.h"
#include "thread-waits.h"

#define LABEL_SIZE 64u

static void check_rows(const SampleTable *t) {
        size_t n, n_events;
        const SampleRow *rows = sample_table_rows(t, &n);
        const SampleEvent *events = sample_table_events(t, &n_events);
        uint64_t counted = 0, samples = 0;

        for (size_t i = 0; i < n; i++) {
                FUZZ_ASSERT(rows[i].event < n_events && rows[i].count > 0);
                counted += rows[i].count;
        }
        for (size_t i = 0; i < n_events; i++)
                samples += events[i].samples;
        FUZZ_ASSERT(counted == samples);
}

static void check_text(const char *text, size_t size) {
        for (size_t i = 0; i < size; i++)
                FUZZ_ASSERT((unsigned char) text[i] >= ' ' || text[i] == '\n');
}

static void print_records(PerfDataReader *reader) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);

        FUZZ_ASSERT(f && report_header_print(reader, 0, true, f) == 0);
        (void) report_stats_print(reader, f);
        (void) fclose(f);
        check_text(text, size);
}

static void print(SampleTable *t, int argc, char **argv) {
        _cleanup_(report_options_done) ReportOptions o = {};
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);

        (void) setenv("SYSTEMD_COLORS", "false", 1); /* colours are control characters */
        FUZZ_ASSERT(f && report_options_parse(&o, argc, argv) == 0);
        FUZZ_ASSERT(place_names_init(&names, sample_table_places(t), NULL) == 0);
        FUZZ_ASSERT(report_print(t, &names, &o, f) == 0);
        (void) fclose(f);
        check_text(text, size);
}

/* Counts samples by how much raw data they have, which may be none. */
static void count_labelled(SampleTable *t, PerfDataReader *reader) {
        Replay *replay;
        Moment m;
        int r = sample_table_begin(t, reader, &(SampleReading) { .labels = true }, &replay);

        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                char text[LABEL_SIZE];
                SampleLabel label = { .texts = text };
                uint32_t row;

                label.size = (size_t) snprintf(text, sizeof(text), "%zu: %u bytes", m.number, m.sample->raw_size) + 1;
                if (moment_is_sample(&m))
                        FUZZ_ASSERT(sample_table_count(t, &m, &label, &row) == 0);
        }
        (void) sample_table_end(t);
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
}

/* Prints each sample and record with those fields. */
static void print_script(PerfDataReader *reader, const char *fields, bool json) {
        _cleanup_(script_options_done) ScriptOptions o = {};
        _cleanup_(script_source_done) ScriptSource source = {};
        _cleanup_script_lines_free_ ScriptLines *lines = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        ScriptTogether together = {};
        const PerfDataEvent *events;
        char *words[] = { (char *) "script", (char *) "-F", (char *) fields, NULL };
        size_t n = perf_data_reader_events(reader, &events);
        FramePlan plan = { .json = json };
        Moment m;
        int r;

        FUZZ_ASSERT(script_options_parse(&o, 3, words) == 0);
        if (script_fields_check(&o.fields, events, n, true) < 0)
                return;
        plan.max_stack = o.style.max_stack;
        FUZZ_ASSERT(replay_new(reader, &(ReplayOptions) { .named = true }, &replay) == 0);
        FUZZ_ASSERT(script_source_init(&source, replay, reader, &o.fields, &plan, &(SymbolSources) {}) == 0);
        FUZZ_ASSERT(json || script_lines_new(&source, &o.style, &together, &out, &lines) == 0);
        while ((r = replay_next(replay, &m)) == 1) {
                int q = 0;

                if (moment_is_sample(&m))
                        q = lines ? script_lines_sample(lines, &m) : script_json_sample(&source, true, &m, &out);
                else if (lines && script_records_want(~0u, &m))
                        q = script_records_put(lines, replay, &m, &out);
                FUZZ_ASSERT(q >= 0 || q == -ENOSPC);
        }
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        for (size_t i = 0; i < out.n; i++)
                FUZZ_ASSERT((unsigned char) out.data[i] >= ' ' || out.data[i] == '\n' || out.data[i] == '\t');
}

static void print_raw(PerfDataReader *reader) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        int r = raw_dump_put(reader, &out);

        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        check_text(out.data, out.n);
}

static void check_tree(const FrameTree *t) {
        _cleanup_(text_buffer_done) TextBuffer lines = {}, json = {};

        for (uint32_t i = 0; i < t->n; i++) {
                uint64_t weight = t->nodes[i].self;

                for (uint32_t child = t->nodes[i].child; child > 0; child = t->nodes[child].sibling)
                        weight += t->nodes[child].weight;
                FUZZ_ASSERT(weight == t->nodes[i].weight);
                FUZZ_ASSERT(!t->chart || t->nodes[i].child == 0 || t->nodes[i].self == 0);
        }
        flame_put_folded(&(FoldedStyle) {}, t, &lines);
        flame_put_json(t, &json);
        check_text(lines.data, lines.n);
        check_text(json.data, json.n);
}

static void draw_chart(PerfDataReader *reader) {
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_(timeline_done) Timeline timeline = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        uint32_t row = SAMPLE_NO_ROW;
        FrameTree tree;
        Replay *replay;
        Moment m;
        int r;

        FUZZ_ASSERT(sample_table_new(&(SampleTablePlan) { .dimensions = SAMPLE_BY_THREAD }, &t) == 0);
        FUZZ_ASSERT(timeline_begin_recording(&timeline, reader) == 0);
        r = sample_table_begin(t, reader, &(SampleReading) { .records = TIMELINE_RECORDS }, &replay);
        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                if (moment_is_sample(&m))
                        FUZZ_ASSERT(sample_table_count(t, &m, NULL, &row) == 0);
                FUZZ_ASSERT(timeline_take(&timeline, &m, row) == 0);
        }
        (void) sample_table_end(t);
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        timeline_sort_samples(&timeline, t);
        FUZZ_ASSERT(place_names_init(&names, sample_table_places(t), NULL) == 0);
        FUZZ_ASSERT(frame_tree_init_chart(&tree, t, &names, &(FrameTreePlan) {}, 0, timeline.samples, timeline.n) == 0);
        check_tree(&tree);
        frame_tree_done(&tree);
}

static void draw_waits(PerfDataReader *reader, bool wakers) {
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_(sched_labels_freep) SchedLabels *labels = NULL;
        _cleanup_(thread_waits_done) ThreadWaits waits = { .wakers = wakers };
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_free_ uint64_t *weights = NULL;
        _cleanup_free_ uint32_t *order = NULL;
        FrameTree tree;
        Replay *replay;
        size_t n;
        Moment m;
        int r;

        FUZZ_ASSERT(sched_labels_new(reader, wakers, &labels) == 0);
        FUZZ_ASSERT(sample_table_new(&(SampleTablePlan) { .dimensions = wakers ? SAMPLE_BY_LABEL : 0 }, &t) == 0);
        FUZZ_ASSERT(thread_waits_begin_recording(&waits, reader) == 0);
        r = sample_table_begin(t, reader, &(SampleReading) { .labels = true, .all = true,
                                                             .records = THREAD_WAITS_RECORDS }, &replay);
        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                SampleLabel label = {};
                SchedEvent event;
                bool switched = moment_is_sample(&m) && sched_labels_event_of(labels, &m, &event);
                uint32_t row;

                if (switched)
                        label = sched_labels_label(labels, &m, &event);
                if (moment_is_sample(&m))
                        FUZZ_ASSERT(sample_table_count(t, &m, &label, &row) == 0);
                FUZZ_ASSERT((switched ? thread_waits_take_sample(&waits, &m, &event, row) :
                             moment_is_sample(&m) ? 0 : thread_waits_take_record(&waits, &m)) == 0);
        }
        (void) sample_table_end(t);
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        (void) sample_table_rows(t, &n);
        FUZZ_ASSERT(thread_waits_finish(&waits, n, &weights) == 0 && (order = sample_table_order(t)));
        FUZZ_ASSERT(place_names_init(&names, sample_table_places(t), NULL) == 0);
        FUZZ_ASSERT(frame_tree_init(&tree, t, &names, &(FrameTreePlan) { .weights = weights, .labels = wakers }, order, n) == 0);
        check_tree(&tree);
        frame_tree_done(&tree);
}

/* Few may be open, so that these are forgotten. */
static void take_pairs(PerfDataReader *reader, const PairRule *rule) {
        _cleanup_(event_pairs_done) EventPairs pairs = { .rule = rule, .max_open = 2 };
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_free_ char *why = NULL;
        Replay *replay;
        Moment m;
        int r = event_pairs_check(rule, reader, &why);

        FUZZ_ASSERT(r == (why ? -ENODATA : 0));
        FUZZ_ASSERT(sample_table_new(&(SampleTablePlan) {}, &t) == 0);
        FUZZ_ASSERT(event_pairs_begin_recording(&pairs, reader) == 0);
        r = sample_table_begin(t, reader, &(SampleReading) { .all = true, .records = EVENT_PAIRS_RECORDS, .fields = EVENT_PAIRS_FIELDS },
                               &replay);
        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                uint32_t row = SAMPLE_NO_ROW;

                if (moment_is_sample(&m))
                        FUZZ_ASSERT(sample_table_count(t, &m, NULL, &row) == 0);
                FUZZ_ASSERT(event_pairs_take(&pairs, &m, row) == 0);
        }
        (void) sample_table_end(t);
        FUZZ_ASSERT(r == 0 || r == -EBADMSG);
        FUZZ_ASSERT(event_pairs_finish(&pairs) == 0 && pairs.n == pairs.totals.pairs);
        for (size_t i = 0; i < pairs.n; i++)
                FUZZ_ASSERT(pairs.pairs[i].begin <= pairs.pairs[i].end);
        FUZZ_ASSERT(pairs.totals.ends == pairs.n + pairs.totals.lone_ends + pairs.totals.doubtful + pairs.totals.unselected);
        FUZZ_ASSERT(pairs.totals.begins == pairs.n + pairs.totals.doubtful + pairs.totals.unselected + pairs.totals.replaced +
                                                   pairs.totals.forgotten + pairs.totals.crowded + pairs.totals.open);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static char *const graph[] = { (char *) "report", NULL };
        static char *const fractal[] = { (char *) "report", (char *) "--no-children", (char *) "-gfractal,0,callee", (char *) "-spid,cpu,sym",
                                         NULL };
        static char *const folded[] = { (char *) "report", (char *) "-gfolded,0,address", (char *) "-t,", NULL };
        static char *const json[] = { (char *) "report", (char *) "--json", (char *) "-strace,comm,sym", (char *) "-p.", NULL };
        static char *const parents[] = { (char *) "report", (char *) "-x", (char *) "-p[a-m]", (char *) "-gflat", NULL };
        const SampleTablePlan plan = { .dimensions = SAMPLE_BY_THREAD | SAMPLE_BY_CPU | SAMPLE_BY_TIME | SAMPLE_BY_LABEL };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_free_ uint8_t *copy = malloc(size > 0 ? size : 1);

        FUZZ_ASSERT(copy);
        if (size > 0)
                memcpy(copy, data, size);
        if (perf_data_reader_new_memory(copy, size, &reader) < 0)
                return 0;
        print_records(reader);
        FUZZ_ASSERT(sample_table_new(&plan, &t) == 0);
        count_labelled(t, reader);
        check_rows(t);
        print(t, 1, (char **) graph);
        print(t, 4, (char **) fractal);
        print(t, 3, (char **) folded);
        print(t, 4, (char **) json);
        print(t, 4, (char **) parents);
        print_script(reader, "-trace", false); /* its fields need a process */
        print_script(reader, "-trace", true);
        print_script(reader, "ip,sym,dso,symoff", false);
        print_script(reader, "ip,brstacksym,dso", false);
        print_raw(reader);
        draw_chart(reader);
        draw_waits(reader, false);
        draw_waits(reader, true);
        take_pairs(reader, pair_rule_find("sched"));
        take_pairs(reader, pair_rule_find("syscall"));
        return 0;
}
