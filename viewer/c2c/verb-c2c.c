/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view c2c report: reads samples of accesses to memory, names the code of them, and shows which cache lines cores
 * compete for. */

#include "verb-c2c.h"

#include <inttypes.h>
#include <stdlib.h>

#include "c2c-report.h"
#include "place-lines.h"
#include "progress.h"

#define STATUS_FAILED 1
#define LEAST_SHARE 0.001 /* of lines that are shown, of what they are sorted by */

/* Refuses a recording without an event that samples memory. An error is printed. */
static int c2c_check(const RecordingInputs *inputs) {
        const uint64_t needed = PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TID;

        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[i].reader, &events);

                if (ANY_OF(n, k, (events[k].attr.sample_type & needed) == needed))
                        continue;
                (void) fprintf(stderr, "%s has no samples of memory accesses: none of its events records addresses and sources of "
                               "data. 'perfctl c2c record' records what is needed, on CPUs that can\n", inputs->inputs[i].name);
                return -ENODATA;
        }
        return 0;
}

static int c2c_find_lines(CountedSamples *samples, const C2cOptions *o) {
        SymbolSources sources;
        int r;

        if (o->no_source || o->stats || !c2c_options_have(o, C2C_KEY_IADDR))
                return 0;
        (void) progress_begin(&samples->progress, "Finding the lines of", counted_samples_title(samples));
        sources = counted_samples_sources(samples);
        r = place_lines_find(&samples->names, sample_table_places(samples->table), &sources, false, &samples->broken);
        progress_end(&samples->progress);
        return r;
}

/* Returns how many of the sorted lines are shown. */
static size_t c2c_count_shown(const C2cOptions *o, const AccessTable *t, const uint32_t *order) {
        double least = LEAST_SHARE * (double) access_counts_sum(&t->shared, t->plan.key);
        size_t n = 0;

        if (o->show_all)
                return t->n_lines;
        while (n < t->n_lines && t->lines[order[n]].key > 0 && (double) t->lines[order[n]].key >= least)
                n++;
        return n;
}

static int c2c_show(const C2cOptions *o, CountedSamples *samples, AccessTable *t) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        _cleanup_free_ uint32_t *order = NULL;
        C2cReport report = { .options = o, .samples = samples, .table = t, .places = sample_table_places(samples->table) };
        int r, flushed;

        access_table_finish(t);
        order = access_table_order(t);
        if (!order)
                return -ENOMEM;
        report.lines = order;
        report.n_lines = c2c_count_shown(o, t, order);
        r = (o->json ? c2c_print_json : c2c_print)(&report, &out);
        flushed = text_buffer_flush(&out);
        if (t->omitted > 0)
                (void) fprintf(stderr, "%s has accesses to more than %u cache lines or parts of them: %" PRIu64 " count in the "
                               "sums only\n", counted_samples_title(samples), ACCESS_ENTRIES_MAX, t->omitted);
        return r < 0 ? r : flushed;
}

static int c2c_report(const C2cOptions *o, CountedSamples *samples) {
        _cleanup_(access_table_done) AccessTable t = {
                .plan = {
                        .by_pid = c2c_options_have(o, C2C_KEY_PID), .by_tid = c2c_options_have(o, C2C_KEY_TID),
                        .by_code = c2c_options_have(o, C2C_KEY_IADDR), .by_dso = c2c_options_have(o, C2C_KEY_DSO),
                        .key = c2c_display_facts(o->display), .line_bytes = o->double_lines ? 128 : 64,
                },
        };
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .dimensions = SAMPLE_WITHOUT_CHAIN | SAMPLE_PERIOD_IS_WEIGHT,
                .accesses = &t, .verbose = o->verbose,
        };
        int r;

        if (c2c_check(&samples->inputs) < 0 || counted_samples_count(samples, &plan) < 0 || counted_samples_name(samples) < 0)
                return STATUS_FAILED;
        r = c2c_find_lines(samples, o);
        if (r >= 0)
                r = c2c_show(o, samples, &t);
        if (r < 0) {
                (void) recording_input_fail(samples->inputs.inputs, "show", r);
                return STATUS_FAILED;
        }
        return counted_samples_remark(samples, COUNTED_ALL);
}

int verb_c2c(int argc, char **argv) {
        _cleanup_(c2c_options_done) C2cOptions o = {};
        _cleanup_(counted_samples_done) CountedSamples samples = {};
        int r;

        if (argc < 2 || !streq(argv[1], "report")) {
                (void) fprintf(stderr, "The word behind c2c is report\n");
                return EXIT_FAILURE;
        }
        r = c2c_options_parse(&o, argc - 1, argv + 1);
        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        progress_catch_interrupt();
        if (name_options_begin(&o.names) < 0 || counted_samples_open(&samples, &o.inputs) < 0)
                return EXIT_FAILURE;
        return c2c_report(&o, &samples);
}
