/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Makes the tree of frames that a picture shows, describes it, and puts it in a format; the verbs count the samples and write the
 * file. */

#include "flame-drawing.h"

#include "picture-event.h"

int flame_drawing_tree(const CountedSamples *c, const FlameOptions *o, const FlameContent *content, uint32_t event,
                       FrameTree *tree) {
        _cleanup_free_ uint32_t *order = sample_table_order(c->table);
        FrameTreePlan plan = {
                .by = o->by, .periods = o->periods, .weights = content->weights, .labels = content->labels,
                .reverse = o->reverse, .max_stack = o->max_stack,
        };
        const uint32_t *rows = order;
        size_t n;

        chain_patterns_apply(&o->chains, &plan);
        (void) sample_table_rows(c->table, &n);
        if (!order)
                return -ENOMEM;
        if (content->timeline)
                return frame_tree_init_chart(tree, c->table, &c->names, &plan, event, content->timeline->samples,
                                             content->timeline->n);
        if (!content->weights)
                rows = picture_event_rows(c->table, order, event, &n);
        return frame_tree_init(tree, c->table, &c->names, &plan, rows, n);
}

int flame_drawing_describe(const CountedSamples *c, const FlameOptions *o, const FrameTree *t, const SampleEvent *e,
                           Caption *caption) {
        _cleanup_(text_buffer_done) TextBuffer waited = {};
        bool waits = flame_subject_is_wait(o->subject);
        int r = caption_init(caption, c, waits ? NULL : e);

        if (r >= 0)
                r = chain_patterns_describe(&o->chains, caption);
        text_buffer_span(&waited, MIN_OF(t->nodes->weight, UINT64_MAX / NSEC_PER_USEC) * NSEC_PER_USEC);
        text_buffer_puts(&waited, o->subject == FLAME_WAKERS ? " asleep" : " off the CPU");
        text_buffer_putc(&waited, '\0');
        if (r < 0 || waited.error < 0)
                return -ENOMEM;
        return waits ? caption_add(caption, CAPTION_SAMPLES, waited.data) : 0;
}

void flame_drawing_put(const FlameOptions *o, const FlamePicture *picture, const FrameTree *t, TextBuffer *out) {
        switch (o->format) {
        case FLAME_FOLDED:
                flame_put_folded(&o->folded, t, out);
                break;
        case FLAME_JSON:
                flame_put_json(t, out);
                break;
        case FLAME_HTML:
                flame_put_html(picture, t, out);
                break;
        default:
                flame_put_svg(picture, t, out);
        }
}
