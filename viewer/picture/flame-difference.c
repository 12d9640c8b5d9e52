/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the samples of two ranges, compares their trees of call chains node by node, and draws the tree of one of them. Weights
 * are numbers of samples: of these, it is known what chance makes of them. */

#include "flame-difference.h"

#include <inttypes.h>

#include "flame-drawing.h"
#include "format-text.h"
#include "picture-output.h"
#include "significance.h"
#include "strv.h"

#define STATUS_FAILED 1

/* An event that both ranges have, under numbers of their own. */
typedef struct SharedEvent {
        const SampleEvent *events[_DIFF_RANGES];
        uint32_t numbers[_DIFF_RANGES];
} SharedEvent;

/* Finds the event with the most samples that both ranges have, or the one that is asked for. -ENODATA: an error was printed. */
static int difference_find_event(const FlameOptions *o, const DiffRange *ranges, SharedEvent *ret) {
        const SampleEvent *all[_DIFF_RANGES];
        size_t n[_DIFF_RANGES], found = 0;
        uint64_t most = 0;

        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                all[i] = sample_table_events(ranges[i].samples.table, n + i);
        for (uint32_t a = 0; a < n[DIFF_BASELINE]; a++)
                for (uint32_t b = 0; b < n[DIFF_COMPARED]; b++) {
                        const SampleEvent *x = all[DIFF_BASELINE] + a, *y = all[DIFF_COMPARED] + b;
                        uint64_t both = x->selected + y->selected;

                        if (!streq(x->name, y->name) || (o->event && !streq(x->name, o->event)) || x->selected == 0 ||
                            y->selected == 0)
                                continue;
                        found++;
                        if (both > most)
                                *ret = (SharedEvent) { { x, y }, { a, b } };
                        most = MAX_OF(most, both);
                }
        if (found > 1)
                (void) fprintf(stderr, "Both recordings have samples of %zu events; these are those of '%s' (flamegraph --diff "
                               "--event chooses another one)\n", found, ret->events[DIFF_BASELINE]->name);
        if (found > 0)
                return 0;
        (void) fprintf(stderr, "%s and %s do not both have samples of %s\n", counted_samples_title(&ranges[DIFF_BASELINE].samples),
                       counted_samples_title(&ranges[DIFF_COMPARED].samples), o->event ?: "the same event");
        return -ENODATA;
}

/* Adds what a range is, as one phrase. *ret_name: its recording. */
static int difference_add_range(const FlameOptions *o, const DiffRange *range, const FrameTree *tree, const SampleEvent *event,
                                const char *what, char ***phrases, char **ret_name) {
        _cleanup_(caption_done) Caption caption = {};
        _cleanup_strv_free_ char **items = NULL;
        _cleanup_free_ char *text = NULL, *time = format_text("%.3f s", range->seconds);
        int r = flame_drawing_describe(&range->samples, o, tree, event, &caption);

        if (r >= 0 && time && range->seconds > 0 && *range->part) /* otherwise it is that of the whole recording */
                r = caption_add(&caption, CAPTION_SELECTION, time);
        items = r >= 0 ? caption_phrases(&caption) : NULL;
        text = items ? strv_join(items, ", ") : NULL;
        if (r < 0 || !text)
                return -ENOMEM;
        *ret_name = steal_ptr(caption.items[CAPTION_RECORDING]);
        return strv_extendf(phrases, "%s: %s", what, text);
}

/* Says what percentages are of, what colours mean, and how sure marks are. A page explains its colours elsewhere, and may change
 * its shape. */
static int difference_add_legend(const FlameOptions *o, char ***phrases) {
        const FlameComparison *c = &o->comparison;
        int r = strv_extendf(phrases, "100%% is all of %s", c->normalize == DIFF_BY_TIME ? "the baseline in the same time" :
                             "the baseline, or of what is compared");

        if (r >= 0 && o->format == FLAME_SVG)
                r = strv_extendf(phrases, "the shape is that of %s", c->on_baseline ? "the baseline" : "what is compared");
        if (r >= 0 && o->format == FLAME_SVG)
                r = strv_extend(phrases, "red (+) takes more, blue (\xe2\x88\x92) less, grey is no change that chance does not "
                                "explain");
        return r < 0 ? r : strv_extendf(phrases, "at most %g %% of all marks are expected to be chance", 100 * SIGNIFICANCE_LEVEL);
}

static int difference_put(const FlameOptions *o, const DiffRange *ranges, const SharedEvent *event, const FrameTree *trees,
                          const FrameDifference *difference, TextBuffer *out) {
        _cleanup_strv_free_ char **phrases = NULL;
        _cleanup_free_ char *baseline = NULL, *compared = NULL, *name = NULL;
        FlamePicture picture = o->picture;
        int r = difference_add_range(o, ranges + DIFF_BASELINE, trees + DIFF_BASELINE, event->events[DIFF_BASELINE], "baseline",
                                     &phrases, &baseline);

        if (r >= 0)
                r = difference_add_range(o, ranges + DIFF_COMPARED, trees + DIFF_COMPARED, event->events[DIFF_COMPARED], "compared",
                                         &phrases, &compared);
        if (r >= 0)
                r = difference_add_legend(o, &phrases);
        name = r >= 0 ? format_text("%s with %s: %s", compared ?: "", baseline ?: "", picture.title) : NULL;
        if (!name)
                return -ENOMEM;
        picture.caption = phrases;
        picture.name = name;
        picture.difference = difference;
        flame_drawing_put(o, &picture, difference->tree, out);
        return 0;
}

/* 0; 1: there is nothing to draw; a negative errno after an error was printed. */
static int difference_draw(const FlameOptions *o, const DiffRange *ranges, PictureOutput *output) {
        unsigned drawn = o->comparison.on_baseline ? DIFF_BASELINE : DIFF_COMPARED;
        FrameTree trees[_DIFF_RANGES] = {};
        _cleanup_(frame_difference_done) FrameDifference difference = {};
        _cleanup_(text_buffer_done) TextBuffer out = {};
        uint64_t samples[_DIFF_RANGES], weight[_DIFF_RANGES];
        double exposure[_DIFF_RANGES];
        SharedEvent event;
        int r = difference_find_event(o, ranges, &event);

        if (r < 0)
                return r;
        for (unsigned i = 0; i < _DIFF_RANGES; i++) {
                samples[i] = event.events[i]->samples;
                weight[i] = event.events[i]->period;
        }
        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                exposure[i] = diff_exposure(ranges, samples, weight, i);
                r = flame_drawing_tree(&ranges[i].samples, o, &(FlameContent) {}, event.numbers[i], trees + i);
        }
        if (r >= 0 && trees[drawn].nodes->weight == 0)
                r = 1;
        if (r == 0)
                r = frame_difference_init(&difference, trees + drawn, trees + !drawn, drawn,
                                          o->comparison.normalize == DIFF_BY_TIME ? exposure : NULL);
        if (r == 0)
                r = difference_put(o, ranges, &event, trees, &difference, &out);
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                frame_tree_done(trees + i);
        if (r < 0)
                return recording_input_fail(ranges[drawn].samples.inputs.inputs, "draw", r);
        return r > 0 ? r : picture_output_write(output, &out);
}

static int difference(const FlameOptions *o, DiffRange *ranges, PictureOutput *output) {
        const CountingPlan plan = {
                .names = &o->names, .inlined = o->inlined, .verbose = o->verbose, .dimensions = frame_grouping_dimensions(o->by),
        };
        int status = EXIT_SUCCESS, r = diff_ranges_read(ranges, &plan, o->comparison.normalize);

        if (r >= 0)
                r = difference_draw(o, ranges, output);
        if (r < 0)
                return STATUS_FAILED;
        diff_ranges_remark_common(ranges);
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                status |= counted_samples_remark(&ranges[i].samples, COUNTED_ALL);
        if (r == 0)
                return status;
        picture_output_leave(output);
        return STATUS_FAILED;
}

int flame_difference(FlameOptions *o) {
        _cleanup_(picture_output_done) PictureOutput output = PICTURE_OUTPUT_EMPTY;
        DiffRange ranges[_DIFF_RANGES] = {};
        int status;

        progress_catch_interrupt();
        status = name_options_begin(&o->names) < 0 || picture_output_open(&output, o->output) < 0 ||
                 diff_ranges_open(ranges, &o->inputs, &o->select, &o->comparison.trigger) < 0 ||
                 picture_output_check(&output, &ranges[DIFF_BASELINE].samples.inputs) < 0 ||
                 picture_output_check(&output, &ranges[DIFF_COMPARED].samples.inputs) < 0 ? STATUS_FAILED :
                 difference(o, ranges, &output);
        diff_ranges_done(ranges);
        return status;
}
