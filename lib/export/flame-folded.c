/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines and fields of the folded format have no quoting: what separates them is replaced in names. */

#include "flame-picture.h"

#define INLINED_LENGTH strlen(" (inlined)")

typedef struct FoldedLine {
        TextBuffer text;
        size_t *ends; /* of the text, for each depth: where that frame ends */
        size_t allocated;
} FoldedLine;

/* ';' separates frames, and a blank the weight: readers take the last one, so that those in names of functions may stay. */
static void folded_put_name(TextBuffer *b, const char *name, size_t n, bool group) {
        char *p = text_buffer_room(b, n);

        for (size_t i = 0; p && i < n; i++)
                p[i] = name[i];
        for (size_t i = 0; p && i < n; i++)
                if (p[i] == ';' || (group && p[i] == ' '))
                        p[i] = p[i] == ';' ? ':' : '_';
        b->n += p ? n : 0;
}

static void folded_put_frame(const FoldedStyle *style, const FrameTree *t, uint32_t node, TextBuffer *b) {
        const Frame *f = frame_tree_frame(t, node);
        const char *name = frame_names_text(&t->frames, f->name);
        size_t n = strlen(name);

        folded_put_name(b, name, f->kind == FRAME_INLINED && style->inlined ? n - INLINED_LENGTH : n, f->binary == 0);
        if (f->kind == FRAME_KERNEL && style->kernel)
                text_buffer_puts(b, "_[k]");
        else if (f->kind == FRAME_GENERATED && style->jit)
                text_buffer_puts(b, "_[j]");
        else if (f->kind == FRAME_INLINED && style->inlined)
                text_buffer_puts(b, "_[i]");
}

void flame_put_folded(const FoldedStyle *style, const FrameTree *t, TextBuffer *out) {
        FoldedLine line = {};
        FrameWalk w = {};

        while (out->error == 0 && frame_walk_next(t, &w, true)) {
                const FrameNode *n = t->nodes + w.node;

                if (ARRAY_RESERVE(line.ends, line.allocated, w.depth + 1) < 0) {
                        out->error = -ENOMEM;
                        break;
                }
                line.text.n = w.depth > 1 ? line.ends[w.depth - 1] : 0;
                if (!frame_tree_is_gap(t, w.node)) {
                        if (w.depth > 1)
                                text_buffer_putc(&line.text, ';');
                        folded_put_frame(style, t, w.node, &line.text);
                }
                line.ends[w.depth] = line.text.n;
                if (line.text.error < 0)
                        out->error = line.text.error;
                if (n->self == 0 || out->error < 0)
                        continue;
                text_buffer_put(out, line.text.data, line.text.n);
                text_buffer_putc(out, ' ');
                text_buffer_decimal(out, n->self, 0);
                text_buffer_putc(out, '\n');
        }
        free(line.ends);
        text_buffer_done(&line.text);
}
