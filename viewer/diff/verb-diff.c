/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view diff: counts the samples of two recordings, or of a part of one and its rest, and shows for each event which
 * functions took more or less in the second one. */

#include "verb-diff.h"

#include <stdlib.h>

#include "diff-print.h"
#include "diff-unusual.h"
#include "flame-difference.h"

#define STATUS_FAILED 1

/* Reports rows that grew by more than a limit. Returns whether there is any. */
static bool diff_report_growth(const DiffTable *t) {
        bool any = false;

        for (const DiffRow *row = t->rows; t->options->fail_above >= 0 && row < t->rows + t->n; row++) {
                const char *text = diff_table_texts(t, row);

                if (!row->changed || diff_row_delta(row) <= t->options->fail_above)
                        continue;
                any = true;
                for (size_t i = 0; i < t->options->n_keys; i++, text += strlen(text) + 1)
                        (void) fprintf(stderr, "%s%s", i > 0 ? " " : "", text + strspn(text, " "));
                (void) fprintf(stderr, ": grew by %.2f %% of all %s, which is more than %g %%\n", diff_row_delta(row), t->event,
                               t->options->fail_above);
        }
        return any;
}

/* Finds the next event that is in both ranges and has samples in the baseline, from that number of the baseline's on. Others that
 * have samples are reported. */
static bool diff_find_event(DiffRange *ranges, uint32_t *events) {
        size_t n_baseline, n_compared;
        const SampleEvent *baseline = sample_table_events(ranges[DIFF_BASELINE].samples.table, &n_baseline);
        const SampleEvent *compared = sample_table_events(ranges[DIFF_COMPARED].samples.table, &n_compared);

        for (; events[DIFF_BASELINE] < n_baseline; events[DIFF_BASELINE]++) {
                const SampleEvent *event = baseline + events[DIFF_BASELINE];
                uint32_t *other = events + DIFF_COMPARED;

                for (*other = 0; *other < n_compared && !streq(event->name, compared[*other].name);)
                        ++*other;
                if (*other < n_compared && event->samples > 0 && event->period > 0)
                        return true;
                if (event->samples > 0 || (*other < n_compared && compared[*other].samples > 0))
                        (void) fprintf(stderr, "%s is not compared: %s has no %s\n", event->name,
                                       counted_samples_title(&ranges[event->samples > 0 ? DIFF_COMPARED : DIFF_BASELINE].samples),
                                       event->samples > 0 ? "such event" : "samples of it");
        }
        return false;
}

/* Shows all events. *ret: whether something grew too much. */
static int diff_show(const DiffOptions *o, DiffRange *ranges, TextBuffer *out, size_t *ret_events, bool *ret_growth) {
        _cleanup_(unusual_table_done) UnusualTable unusual = {};
        JsonWriter w = { .out = out };
        int r = o->trigger.wanted ? diff_unusual_find(&unusual, o, ranges) : 0;

        *ret_events = 0;
        if (!o->json && (!o->quiet || o->summary) && o->trigger.wanted)
                diff_unusual_print(&unusual, o, out);
        if (o->json) {
                json_writer_begin(&w, NULL, '{');
                diff_json_head(o, ranges, &w);
                if (o->trigger.wanted)
                        unusual_json_put(&unusual, &w);
                json_writer_begin(&w, "events", '[');
        } else if (!o->quiet && !o->summary)
                diff_print_head(o, ranges, out);
        for (uint32_t events[_DIFF_RANGES] = {}; r >= 0 && diff_find_event(ranges, events); events[DIFF_BASELINE]++) {
                _cleanup_(diff_table_done) DiffTable table = {};

                r = diff_table_make(&table, o, ranges, events);
                if (r < 0)
                        break;
                if (o->json)
                        diff_json_table(&table, &w);
                else if (!o->summary) {
                        text_buffer_puts(out, *ret_events > 0 ? "\n" : "");
                        diff_print_table(&table, out);
                }
                *ret_events += table.n > 0; /* without a row, nothing was compared */
                *ret_growth |= diff_report_growth(&table);
        }
        if (o->json) {
                json_writer_end(&w, ']');
                json_writer_end(&w, '}');
                text_buffer_putc(out, '\n');
        }
        return r < 0 ? r : text_buffer_flush(out);
}

static unsigned diff_dimensions(const DiffOptions *o) {
        static const unsigned of_key[_DIFF_KEY_MAX] = {
                [DIFF_KEY_PID] = SAMPLE_BY_THREAD, [DIFF_KEY_CPU] = SAMPLE_BY_CPU, [DIFF_KEY_UNIT] = SAMPLE_BY_CGROUP,
                [DIFF_KEY_CGROUP] = SAMPLE_BY_CGROUP,
        };
        unsigned dimensions = SAMPLE_WITHOUT_CHAIN;

        for (size_t i = 0; i < o->n_keys; i++)
                dimensions |= of_key[o->keys[i]];
        return o->trigger.wanted ? dimensions | SAMPLE_BY_CGROUP : dimensions;
}

static int diff(const DiffOptions *o, DiffRange *ranges) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        const CountingPlan plan = { .names = &o->names, .dimensions = diff_dimensions(o), .verbose = o->verbose };
        bool growth = false;
        size_t n_events;
        int status = EXIT_SUCCESS, r;

        if (diff_ranges_read(ranges, &plan, o->normalize) < 0)
                return STATUS_FAILED;
        r = diff_show(o, ranges, &out, &n_events, &growth);
        if (r < 0) {
                (void) recording_input_fail(ranges->samples.inputs.inputs, "compare", r);
                return STATUS_FAILED;
        }
        diff_ranges_remark_common(ranges);
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                status |= counted_samples_remark(&ranges[i].samples, COUNTED_NOTHING | (o->quiet && !o->json ? COUNTED_LOST : 0));
        return growth || n_events == 0 ? STATUS_FAILED : status;
}

/* The recordings, the samples and the names are those of this verb, and the rest is as in "flamegraph --diff". */
static int diff_draw(const DiffOptions *o) {
        FlameOptions picture;

        flame_options_init(&picture);
        picture.subject = FLAME_DIFF;
        picture.inputs = o->inputs;
        picture.select = o->select;
        picture.comparison.trigger = o->trigger;
        picture.names = o->names;
        picture.output = o->output;
        picture.format = o->format;
        picture.comparison.normalize = o->normalize;
        picture.comparison.on_baseline = o->on_baseline;
        picture.verbose = o->verbose;
        return flame_options_complete(&picture) < 0 ? STATUS_FAILED : flame_difference(&picture);
}

int verb_diff(int argc, char **argv) {
        _cleanup_(diff_options_done) DiffOptions o = {};
        DiffRange ranges[_DIFF_RANGES] = {};
        int status, r = diff_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? STATUS_FAILED : EXIT_SUCCESS;
        if (o.output)
                return diff_draw(&o);
        progress_catch_interrupt();
        status = name_options_begin(&o.names) < 0 || diff_ranges_open(ranges, &o.inputs, &o.select, &o.trigger) < 0 ?
                 STATUS_FAILED : diff(&o, ranges);
        diff_ranges_done(ranges);
        return status;
}
