/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the samples of recordings by all that formats have room for, and writes the rows. */

#include "verb-export.h"

#include "counted-samples.h"
#include "export-formats.h"
#include "export-options.h"
#include "gzip-text.h"
#include "picture-run.h"
#include "sample-timeline.h"

/* The time between samples of the first event that has one. */
static uint64_t interval_nsec(const CountedSamples *c) {
        for (size_t i = 0; i < c->inputs.n; i++) {
                const PerfDataEvent *e;
                size_t n = perf_data_reader_events(c->inputs.inputs[i].reader, &e);

                if (n > 0 && e->attr.freq && e->attr.sample_freq > 0)
                        return NSEC_PER_SEC / e->attr.sample_freq;
        }
        return NSEC_PER_MSEC;
}

static int write_samples(const CountedSamples *c, const Timeline *timeline, const ExportOptions *o, PictureOutput *output) {
        static void (*const put[_EXPORT_FORMAT_MAX])(const ExportedSamples *c, TextBuffer *out) = {
                [EXPORT_PPROF] = export_put_pprof, [EXPORT_SPEEDSCOPE] = export_put_speedscope,
                [EXPORT_CALLGRIND] = export_put_callgrind, [EXPORT_CSV] = export_put_csv,
                [EXPORT_FIREFOX] = export_put_firefox,
        };
        _cleanup_(text_buffer_done) TextBuffer out = {}, packed = {};
        _cleanup_free_ uint64_t *triggers = calloc(c->inputs.n + 1, sizeof(*triggers));
        char loss[256];
        const ExportedSamples samples = {
                .table = c->table, .names = &c->names, .timeline = timeline, .title = counted_samples_title(c),
                .loss = counted_samples_loss(c, loss, sizeof(loss)) ? loss : NULL, .interval = interval_nsec(c),
                .triggers = triggers, .n_triggers = triggers ? c->inputs.n : 0,
        };
        bool pack = o->format != EXPORT_PPROF && streq(picture_extension(o->output), "gz"); /* pprof's is packed in any case */

        for (size_t i = 0; i < samples.n_triggers; i++)
                triggers[i] = c->inputs.inputs[i].triggered;
        put[o->format](&samples, &out);
        if (pack && out.error == 0)
                gzip_text(&out, &packed);
        return picture_output_write(output, pack && out.error == 0 ? &packed : &out);
}

static bool records_cgroups(const CountedSamples *c) {
        for (size_t i = 0; i < c->inputs.n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(c->inputs.inputs[i].reader, &events);

                for (size_t k = 0; k < n; k++)
                        if (events[k].attr.sample_type & PERF_SAMPLE_CGROUP)
                                return true;
        }
        return false;
}

/* The formats that have no place for threads and CPUs get rows that do not tell them apart. */
static unsigned dimensions_of(const CountedSamples *c, ExportFormat format) {
        if (format == EXPORT_CALLGRIND || format == EXPORT_SPEEDSCOPE)
                return 0;
        if (format == EXPORT_FIREFOX)
                return SAMPLE_BY_THREAD | SAMPLE_BY_HOST;
        return SAMPLE_BY_THREAD | SAMPLE_BY_CPU | SAMPLE_BY_HOST | (records_cgroups(c) ? SAMPLE_BY_CGROUP : 0);
}

static int export(CountedSamples *c, const void *options, PictureOutput *output) {
        const ExportOptions *o = options;
        _cleanup_(timeline_done) Timeline timeline = { .records = TIMELINE_RECORDS };
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .dimensions = dimensions_of(c, o->format), .inlined = o->inlined,
                .verbose = o->verbose, .timeline = o->format == EXPORT_FIREFOX ? &timeline : NULL,
        };
        size_t n_rows;

        if (counted_samples_count(c, &plan) < 0 || counted_samples_name(c) < 0)
                return -ENODATA;
        timeline_sort_marks(&timeline);
        (void) sample_table_rows(c->table, &n_rows);
        return n_rows > 0 ? write_samples(c, &timeline, o, output) : 1;
}

int verb_export(int argc, char **argv) {
        _cleanup_(export_options_done) ExportOptions o = {};
        int r = export_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        return picture_run(&(PictureRun) {
                .inputs = &o.inputs, .names = &o.names, .output = o.output, .draw = export, .options = &o,
        });
}
