/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The tree as objects that lie in each other, as deep as call chains are. A gap of a chart is an object without a name. */

#include "flame-picture.h"

static void open_node(const FrameTree *t, uint32_t node, TextBuffer *out) {
        static const char *const kinds[_FRAME_KIND_MAX] = { "", "user", "kernel", "inlined", "jit", "" };
        bool gap = frame_tree_is_gap(t, node);

        text_buffer_puts(out, "{\"name\":");
        text_buffer_json(out, gap ? "" : node > 0 ? frame_tree_name(t, node) : "all");
        text_buffer_puts(out, ",\"value\":");
        text_buffer_decimal(out, t->nodes[node].weight, 0);
        if (node > 0 && !gap && frame_tree_frame(t, node)->binary > 0) {
                text_buffer_puts(out, ",\"libtype\":");
                text_buffer_json(out, kinds[frame_tree_frame(t, node)->kind]);
                text_buffer_puts(out, ",\"binary\":");
                text_buffer_json(out, frame_names_text(&t->frames, frame_tree_frame(t, node)->binary));
        }
        text_buffer_puts(out, ",\"children\":[");
}

void flame_put_json(const FrameTree *t, TextBuffer *out) {
        FrameWalk w = {};
        size_t depth = 0;

        open_node(t, 0, out);
        while (out->error == 0 && frame_walk_next(t, &w, true)) {
                bool first = w.depth > depth;

                for (; depth >= w.depth; depth--)
                        text_buffer_puts(out, "]}");
                if (!first)
                        text_buffer_putc(out, ',');
                open_node(t, w.node, out);
                depth = w.depth;
        }
        for (; depth > 0; depth--)
                text_buffer_puts(out, "]}");
        text_buffer_puts(out, "]}\n");
}
