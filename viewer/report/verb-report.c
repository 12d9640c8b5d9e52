/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the samples of a recording, names what was hit, and prints groups of them. What the output can't show
 * (damage, losses) is said on standard error. */

#include "verb-report.h"

#include "report-steps.h"
#include "place-lines.h"
#include "progress.h"
#include "raw-dump.h"
#include "recording-damage.h"
#include "report-group.h"
#include "report-header.h"
#include "report-keys.h"
#include "report-print.h"
#include "report-stats.h"
#include "report-tasks.h"
#include "report-waits.h"
#include "sched-labels.h"

#define STATUS_FAILED 1

static int flush_output(void) {
        return fflush(stdout) != 0 || ferror(stdout) ? -EIO : 0;
}

static int report_fail(const RecordingInput *in, const char *what, int r) {
        (void) recording_input_fail(in, what, r);
        return STATUS_FAILED;
}

static int report_find_lines(CountedSamples *c, const ReportOptions *o) {
        SymbolSources sources;
        int r;

        (void) progress_begin(&c->progress, "Finding the lines of", counted_samples_title(c));
        sources = counted_samples_sources(c);
        r = place_lines_find(&c->names, sample_table_places(c->table), &sources, o->look.full_source_path, &c->broken);
        progress_end(&c->progress);
        return r;
}

int report_steps_count(ReportOptions *o, CountedSamples *c, unsigned also) {
        int r = report_keys_complete(o, &c->inputs);
        ReportNeeds needs;

        if (r < 0)
                return r;
        needs = report_needs(o);
        if (also != 0)
                needs.dimensions = (needs.dimensions & ~(unsigned) SAMPLE_WITHOUT_CHAIN) | also;
        r = counted_samples_count(c, &(CountingPlan) {
                .select = &o->select, .names = &o->names, .dimensions = needs.dimensions, .slice = o->counting.slice,
                .inlined = o->counting.inlined, .verbose = o->verbose,
                .traces = &o->words.traces, .trace_text = needs.flags & FIELD_NEEDS_TRACE_TEXT,
                .facets = needs.facets, .map_sizes = needs.flags & FIELD_NEEDS_MAP_SIZES,
        });
        if (r >= 0)
                r = report_group_check(c->table, o);
        if (r >= 0)
                r = counted_samples_name(c);
        if (r < 0)
                return r;
        report_keys_drop_latency(o, c->table);
        r = needs.flags & FIELD_NEEDS_LINES ? report_find_lines(c, o) : 0;
        return r < 0 ? recording_input_fail(c->inputs.inputs, "report on", r) : 0;
}

static int report_samples(ReportOptions *o, CountedSamples *c) {
        int r = report_steps_count(o, c, 0);

        if (r < 0)
                return STATUS_FAILED;
        r = report_print(c->table, &c->names, o, stdout);
        if (r >= 0)
                r = flush_output();
        if (r < 0)
                return report_fail(c->inputs.inputs, "report on", r);
        /* or its header says so */
        return counted_samples_remark(c, o->quiet ? COUNTED_ALL : report_is_as_perf(o) ? 0 : COUNTED_NOTHING);
}

static int report_waits(const ReportOptions *o, CountedSamples *c) {
        _cleanup_(thread_waits_done) ThreadWaits waits = { .spans_wanted = true };
        _cleanup_free_ uint64_t *weights = NULL;
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .dimensions = SAMPLE_BY_THREAD | SAMPLE_WITHOUT_CHAIN,
                .waits = &waits, .wakings = true, .verbose = o->verbose,
        };
        size_t n;
        int r = sched_labels_check(&c->inputs, "off-cpu", false);

        if (r < 0)
                return STATUS_FAILED;
        if (counted_samples_count(c, &plan) < 0)
                return STATUS_FAILED;
        (void) sample_table_rows(c->table, &n);
        r = thread_waits_finish(&waits, n, &weights);
        if (r >= 0)
                r = report_waits_print(c->table, &waits, o->look.columns, stdout);
        if (r >= 0)
                r = flush_output();
        if (r < 0)
                return report_fail(c->inputs.inputs, "report on", r);
        sched_labels_remark(counted_samples_title(c), &waits);
        return counted_samples_remark(c, COUNTED_NOTHING | (o->quiet ? COUNTED_LOST : 0));
}

static int report_records(const ReportOptions *o, const RecordingInput *in) {
        int status = o->parts.dump && !o->parts.header_only ? raw_dump_print(in) : EXIT_SUCCESS; /* in perf, numbers follow them */
        int read = o->parts.header_only ? 0 :
                o->parts.tasks ? report_tasks_print(in->reader, o->parts.mmaps, stdout) : report_stats_print(in->reader, stdout);
        int r = read == -ENOMEM ? read : flush_output();

        if (status != EXIT_SUCCESS)
                return status;
        return r < 0 ? report_fail(in, "report on", r) : recording_damage_print(&(SampleTotals) {}, in, read);
}

/* Takes the clock of the recordings, if all have the same: up to a second, since clocks are adjusted. */
static void take_clock(ReportOptions *o, const RecordingInputs *inputs) {
        for (size_t i = 0; i < inputs->n; i++) {
                WallClock clock;
                uint64_t wall;

                if (wall_clock_read(inputs->inputs[i].reader, &clock) < 0) {
                        o->found.has_clock = false;
                        return;
                }
                if (i == 0)
                        o->found.clock = clock;
                wall = wall_clock_from_time(&o->found.clock, clock.time);
                o->found.has_clock = (i == 0 || o->found.has_clock) &&
                                     MAX_OF(wall, clock.wall) - MIN_OF(wall, clock.wall) < NSEC_PER_SEC;
        }
}

static bool shows_records(const ReportOptions *o) {
        return o->parts.header_only || o->parts.stats || o->parts.tasks || o->parts.dump;
}

int report_steps_open(ReportOptions *o, CountedSamples *all) {
        int r;

        if (!shows_records(o))
                progress_catch_interrupt();
        r = name_options_begin(&o->names);
        if (r >= 0)
                r = counted_samples_open(all, &o->inputs);
        if (r < 0)
                return r;
        take_clock(o, &all->inputs);
        o->found.lent = &all->lent;
        return 0;
}

int report_steps_print(ReportOptions *o) {
        _cleanup_(counted_samples_done) CountedSamples all = {};
        bool records = shows_records(o);
        int status = EXIT_SUCCESS;

        if (report_steps_open(o, &all) < 0)
                return STATUS_FAILED;
        for (size_t i = 0; i < all.inputs.n; i++) {
                const RecordingInput *in = all.inputs.inputs + i;
                int r = o->parts.header && (o->parts.header_only || !o->quiet) ?
                        report_header_print(in->reader, in->changed, o->parts.header_full, stdout) : 0;

                if (r < 0)
                        return report_fail(in, "read", r);
                if (records)
                        status |= report_records(o, in);
        }
        return records ? status : o->parts.off_cpu ? report_waits(o, &all) : report_samples(o, &all);
}

int verb_report(int argc, char **argv) {
        _cleanup_(report_options_done) ReportOptions o = {};
        int r = report_options_parse(&o, argc, argv);

        return r < 0 ? STATUS_FAILED : r > 0 ? EXIT_SUCCESS : report_steps_print(&o);
}
