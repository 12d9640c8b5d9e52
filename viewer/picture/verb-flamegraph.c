/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the samples of recordings, and draws those of one event, or the waits that those of the scheduler's events show. */

#include "verb-flamegraph.h"

#include <inttypes.h>

#include "flame-difference.h"
#include "flame-drawing.h"
#include "picture-event.h"
#include "picture-run.h"
#include "sched-labels.h"
#include "thread-waits.h"
#include "format-text.h"
#include "strv.h"

/* Puts it with a caption and the name of what is counted. The document's name is short: what it is, of what. */
static int put_captioned(const CountedSamples *c, const FlameOptions *o, const FrameTree *t, const SampleEvent *e,
                         bool times_of_day, TextBuffer *out) {
        _cleanup_(caption_done) Caption caption = {};
        _cleanup_strv_free_ char **phrases = NULL;
        _cleanup_free_ char *name = NULL;
        const char *host, *time;
        FlamePicture picture = o->picture;
        int r = flame_drawing_describe(c, o, t, e, &caption);

        phrases = r >= 0 ? caption_phrases(&caption) : NULL;
        host = caption.items[CAPTION_HOST];
        time = caption.items[CAPTION_TIME];
        name = format_text("%s: %s%s%s%s%s", caption.items[CAPTION_RECORDING] ?: "", picture.title, host ? ", " : "", host ?: "",
                           time ? ", " : "", time ?: "");
        if (!phrases || !name)
                return -ENOMEM;
        picture.caption = phrases;
        picture.name = name;
        picture.times_of_day = times_of_day;
        if (o->periods && !o->count_set && e)
                picture.count_name = e->name;
        if (o->periods && !o->count_set && e && (startswith(e->name, "cpu-clock") || startswith(e->name, "task-clock")))
                picture.unit = picture.factor == 1; /* nanoseconds */
        flame_drawing_put(o, &picture, t, out);
        return 0;
}

/* 0; 1: there is nothing to draw; a negative errno. */
static int draw(const CountedSamples *c, const FlameOptions *o, const FlameContent *content, PictureOutput *output) {
        _cleanup_(frame_tree_done) FrameTree tree = {};
        _cleanup_(text_buffer_done) TextBuffer out = {};
        const SampleEvent *events;
        uint32_t event = 0;
        size_t n_events, n_rows;
        int r = content->weights ? 0 : picture_event_find(c, o->event, &event);

        if (r < 0)
                return r;
        r = flame_drawing_tree(c, o, content, event, &tree);
        if (r < 0)
                return recording_input_fail(c->inputs.inputs, "draw", r);
        (void) sample_table_rows(c->table, &n_rows);
        if (tree.nodes->weight == 0 && n_rows > 0 && chain_patterns_are_set(&o->chains))
                (void) fprintf(stderr, "%s: no call chain is left by --only and --exclude\n", counted_samples_title(c));
        if (tree.nodes->weight == 0)
                return 1;
        events = sample_table_events(c->table, &n_events);
        if (flame_format_has_caption(o->format))
                r = put_captioned(c, o, &tree, event < n_events ? events + event : NULL,
                                  content->timeline && content->timeline->axis.wall, &out);
        else
                flame_drawing_put(o, &o->picture, &tree, &out);
        return r < 0 ? recording_input_fail(c->inputs.inputs, "draw", r) : picture_output_write(output, &out);
}

static int draw_samples(CountedSamples *c, const FlameOptions *o, PictureOutput *output) {
        _cleanup_(timeline_done) Timeline timeline = {};
        bool chart = o->subject == FLAME_CHART;
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .inlined = o->inlined, .verbose = o->verbose,
                .dimensions = frame_grouping_dimensions(o->by) | (chart ? SAMPLE_BY_THREAD : 0),
                .timeline = chart ? &timeline : NULL,
        };

        if (counted_samples_count(c, &plan) < 0 || counted_samples_name(c) < 0)
                return -ENODATA;
        timeline_sort_samples(&timeline, c->table);
        return draw(c, o, &(FlameContent) { .timeline = chart ? &timeline : NULL }, output);
}

/* -ENODATA: an event that is needed has no samples, which was printed. */
static int check_waits(const CountedSamples *c, const ThreadWaits *w) {
        const PerfDataReader *reader = c->inputs.inputs->reader;
        bool waking = w->wakers && w->totals.switches > 0;

        if ((waking ? w->totals.wakings : w->totals.switches) > 0)
                return 0;
        (void) fprintf(stderr, "%s has no samples of %s\n", counted_samples_title(c), sched_labels_event(reader, waking));
        return -ENODATA;
}

static int draw_waits(CountedSamples *c, const FlameOptions *o, PictureOutput *output) {
        bool wakers = o->subject == FLAME_WAKERS, labels = wakers || sched_labels_lack_chains(&c->inputs);
        _cleanup_(thread_waits_done) ThreadWaits waits = { .wakers = wakers };
        _cleanup_free_ uint64_t *weights = NULL;
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .inlined = o->inlined, .verbose = o->verbose,
                .dimensions = frame_grouping_dimensions(o->by) | (labels ? SAMPLE_BY_LABEL : 0),
                .waits = &waits, .wakings = wakers,
        };
        size_t n;
        int r;

        if (sched_labels_check(&c->inputs, flame_subject_option(o->subject), wakers) < 0)
                return -ENODATA;
        if (counted_samples_count(c, &plan) < 0 || counted_samples_name(c) < 0 || check_waits(c, &waits) < 0)
                return -ENODATA;
        (void) sample_table_rows(c->table, &n);
        r = thread_waits_finish(&waits, n, &weights);
        if (r < 0)
                return recording_input_fail(c->inputs.inputs, "draw", r);
        r = draw(c, o, &(FlameContent) { .weights = weights, .labels = labels }, output);
        if (r >= 0)
                sched_labels_remark(counted_samples_title(c), &waits);
        return r;
}

static int flamegraph(CountedSamples *c, const void *options, PictureOutput *output) {
        const FlameOptions *o = options;

        return flame_subject_is_wait(o->subject) ? draw_waits(c, o, output) : draw_samples(c, o, output);
}

int verb_flamegraph(int argc, char **argv) {
        _cleanup_(flame_options_done) FlameOptions o = {};
        int r = flame_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (o.subject == FLAME_DIFF)
                return flame_difference(&o);
        return picture_run(&(PictureRun) {
                .inputs = &o.inputs, .names = &o.names, .output = o.output, .draw = flamegraph, .options = &o,
        });
}
