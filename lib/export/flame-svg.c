/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Without script it shows names, and numbers where the pointer is; pictures/flame-svg.js adds zoom and search. Frames that are
 * too narrow are left out, with all above them, so that the file's size is bounded by the width. */

#include "flame-picture.h"

#include <inttypes.h>

#include "picture-scripts.h"
#include "utf8.h"

#define PAD 10u           /* pixels at the left and the right */
#define GLYPH 0.59        /* the width of a character, as a part of the font's size */
#define SHOWN_CHARACTERS 3u

typedef struct FlameSvg {
        const FlamePicture *p;
        const FrameTree *t;
        TextBuffer *out;
        double inner, least; /* pixels: all frames together; the narrowest frame */
        unsigned above, below, height;
        double total;
} FlameSvg;

/* Valid UTF-8 as text or as the value of an attribute. What XML 1.0 does not allow becomes '?'. */
static void put_escaped(TextBuffer *b, const char *text) {
        for (const char *p = text; *p;) {
                size_t n = strcspn(p, "<>&\"'\xef\x7f");

                for (size_t i = 0; i < n; i++)
                        if ((unsigned char) p[i] < ' ')
                                n = i;
                text_buffer_put(b, p, n);
                p += n;
                if (*p == '\0')
                        return;
                if (*p == '\xef' && (startswith(p, "\xef\xbf\xbe") || startswith(p, "\xef\xbf\xbf"))) {
                        text_buffer_putc(b, '?');
                        p += 3;
                } else if (*p == '\n' || *p == '\xef')
                        text_buffer_putc(b, *p++);
                else if (strchr("<>&\"'", *p))
                        text_buffer_format(b, "&#%u;", (unsigned char) *p++);
                else {
                        text_buffer_putc(b, '?');
                        p++;
                }
        }
}

static void put_text(FlameSvg *s, const char *id, const char *style, double x, double y, const char *text) {
        text_buffer_format(s->out, "<text id=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>", id, x, y, style);
        put_escaped(s->out, text);
        text_buffer_puts(s->out, "</text>\n");
}

static void put_element(FlameSvg *s, const char *name, const char *text) {
        text_buffer_format(s->out, "<%s>", name);
        put_escaped(s->out, text);
        text_buffer_format(s->out, "</%s>\n", name);
}

static void put_style(FlameSvg *s) {
        const FlamePicture *p = s->p;

        text_buffer_puts(s->out, "<style>\ntext{font-family:");
        put_escaped(s->out, p->font);
        text_buffer_format(s->out, ",sans-serif;font-size:%upx;fill:#222}\n", p->font_size);
        text_buffer_puts(s->out, "#background{fill:");
        put_escaped(s->out, p->background ?: "#fff");
        text_buffer_format(s->out, "}\n#title{font-size:%upx;text-anchor:middle}\n#subtitle,.middle{text-anchor:middle}\n",
                           p->font_size + 5);
        text_buffer_puts(s->out, "#search,#case,#matched{text-anchor:end}\n"
                         "#search,#reset,#case{cursor:pointer;opacity:.6}\n#search:hover,#reset:hover,#case.on{opacity:1}\n"
                         "#frames g{cursor:pointer}#frames g:hover rect{stroke:#000;stroke-width:.5}\n"
                         "#frames text{pointer-events:none;fill:#111}#frames .hit rect{fill:#e600e6}\n");
        if (!p->background)
                text_buffer_puts(s->out, "@media (prefers-color-scheme:dark){text{fill:#ddd}#background{fill:#1c1c1e}"
                                 "#frames{fill-opacity:.82}}\n");
        text_buffer_puts(s->out, "</style>\n");
}

static void put_head(FlameSvg *s) {
        const FlamePicture *p = s->p;

        text_buffer_puts(s->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text_buffer_format(s->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
                           "data-total=\"%.0f\" data-pad=\"%u\" data-inner=\"%.1f\" data-font=\"%u\"",
                           p->width, s->height, p->width, s->height, s->total, PAD, s->inner, p->font_size);
        if (p->search) {
                text_buffer_puts(s->out, " data-search=\"");
                put_escaped(s->out, p->search);
                text_buffer_putc(s->out, '"');
        }
        text_buffer_puts(s->out, ">\n");
        put_element(s, "title", p->title);
        if (p->notes)
                put_element(s, "desc", p->notes);
        put_style(s);
        text_buffer_puts(s->out, "<rect id=\"background\" width=\"100%\" height=\"100%\"/>\n");
        put_text(s, "title", "", p->width / 2.0, p->font_size * 2, p->title);
        if (p->subtitle)
                put_text(s, "subtitle", "", p->width / 2.0, p->font_size * 4, p->subtitle);
        text_buffer_format(s->out, "<text id=\"details\" data-name=\"");
        put_escaped(s->out, p->name_type);
        text_buffer_format(s->out, "\" x=\"%u\" y=\"%u\"> </text>\n", PAD, s->height - p->font_size / 2 - 3);
        put_text(s, "reset", " style=\"display:none\"", PAD, p->font_size * 2, "Reset Zoom");
        put_text(s, "search", " style=\"display:none\"", p->width - PAD - 2.0 * p->font_size, p->font_size * 2, "Search");
        put_text(s, "case", " style=\"display:none\"", p->width - PAD, p->font_size * 2, "ic");
        put_text(s, "matched", "", p->width - PAD, s->height - p->font_size * 0.5 - 3, " ");
}

/* 1234567 is "1,234,567". */
static void put_grouped(TextBuffer *b, uint64_t number) {
        char digits[32];
        int n = snprintf(digits, sizeof(digits), "%" PRIu64, number);

        for (int i = 0; i < n; i++) {
                if (i > 0 && (n - i) % 3 == 0)
                        text_buffer_putc(b, ',');
                text_buffer_putc(b, digits[i]);
        }
}

static void put_title(FlameSvg *s, uint32_t node, const char *name) {
        uint64_t weight = s->t->nodes[node].weight;
        const Frame *f = node > 0 ? frame_tree_frame(s->t, node) : NULL;

        text_buffer_puts(s->out, "<title>");
        put_escaped(s->out, name);
        text_buffer_puts(s->out, " (");
        put_grouped(s->out, s->p->factor == 1 ? weight : (uint64_t) ((double) weight * s->p->factor));
        text_buffer_putc(s->out, ' ');
        put_escaped(s->out, s->p->count_name);
        text_buffer_format(s->out, ", %.2f%%)", 100 * (double) weight / s->total);
        if (f && f->binary > 0) {
                text_buffer_putc(s->out, '\n');
                put_escaped(s->out, frame_names_text(&s->t->frames, f->binary));
        }
        text_buffer_puts(s->out, "</title>");
}

/* As many characters of a name as there is room for. Without room for any there is no label, which a browser would lay out. */
static void put_label(FlameSvg *s, double x, double y, double width, const char *name) {
        size_t room = (size_t) (width / (GLYPH * s->p->font_size)), n = 0, cut = 0, end = 0;
        char label[4096];

        for (; n <= room && name[end]; n++) {
                cut = n + 2 <= room ? end : cut;
                end += utf8_decode(name + end, SIZE_MAX, &(uint32_t) { 0 }) ?: 1;
        }
        if (room < SHOWN_CHARACTERS)
                return;
        end = n > room ? cut : end;
        (void) snprintf(label, sizeof(label), "%.*s%s", utf8_prefix(name, (int) MIN_OF(end, sizeof(label) - 3)), name,
                        n > room ? ".." : "");
        text_buffer_format(s->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y);
        put_escaped(s->out, label);
        text_buffer_puts(s->out, "</text>");
}

static void put_frame(FlameSvg *s, const FrameWalk *w) {
        const FlamePicture *p = s->p;
        const char *name = w->node > 0 ? frame_tree_name(s->t, w->node) : "all";
        uint64_t weight = s->t->nodes[w->node].weight;
        double x = PAD + s->inner * (double) w->begin / s->total, width = s->inner * (double) weight / s->total;
        double row = (double) (w->depth * p->frame_height);
        double y = p->inverted ? s->above + row : s->height - s->below - row - p->frame_height;
        uint32_t color = flame_color(p->palette, w->node > 0 ? frame_tree_frame(s->t, w->node)->kind : FRAME_GROUP, name);

        /* The line ends inside of a tag: between two it would be one more node of the document. */
        text_buffer_format(s->out, "<g\ndata-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\">", w->begin, weight);
        put_title(s, w->node, name);
        text_buffer_format(s->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%u\" rx=\"2\" fill=\"#%06x\"/>", x, y,
                           MAX_OF(width - 0.2, 0.1), p->frame_height - 1, color);
        put_label(s, x, y + p->frame_height / 2.0 + p->font_size * 0.35, width, name);
        text_buffer_puts(s->out, "</g>");
}

static bool is_wide(const FlameSvg *s, uint32_t node) {
        return s->inner * (double) s->t->nodes[node].weight / s->total >= s->least;
}

static size_t shown_depth(const FlameSvg *s) {
        FrameWalk w = {};
        size_t depth = 0;

        for (bool wide = true; frame_walk_next(s->t, &w, wide);) {
                wide = is_wide(s, w.node);
                depth = wide && !frame_tree_is_gap(s->t, w.node) ? MAX_OF(depth, w.depth) : depth;
        }
        return depth;
}

void flame_put_svg(const FlamePicture *p, const FrameTree *t, TextBuffer *out) {
        FlameSvg s = {
                .p = p, .t = t, .out = out, .inner = p->width - 2.0 * PAD, .total = (double) MAX_OF(t->nodes->weight, UINT64_C(1)),
                .above = p->font_size * (p->subtitle ? 5 : 3), .below = p->font_size * 2 + 10,
        };
        FrameWalk w = {};

        s.least = p->least_percent ? s.inner * p->least / 100 : p->least;
        s.height = s.above + s.below + (unsigned) (shown_depth(&s) + 1) * p->frame_height;
        put_head(&s);
        text_buffer_puts(out, "<g id=\"frames\">");
        put_frame(&s, &w);
        for (bool wide = true; out->error == 0 && frame_walk_next(t, &w, wide);) {
                wide = is_wide(&s, w.node);
                if (wide && !frame_tree_is_gap(t, w.node))
                        put_frame(&s, &w);
        }
        text_buffer_puts(out, "</g>\n<script><![CDATA[\n");
        text_buffer_put(out, picture_flame_svg_js, picture_flame_svg_js_size);
        text_buffer_puts(out, "]]></script>\n</svg>\n");
}
