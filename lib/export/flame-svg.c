/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Without script it shows names, and numbers where the pointer is, and is as wide as the place that it gets, with all in it smaller
 * or larger; pictures/flame-svg.js lays it out for a window's width, and adds zoom and search. Frames that are too narrow are left
 * out, with all above them, so that the file's size is bounded by the width.
 *
 * Invariant: what lies below the caption is in groups that are moved as a whole, since a narrow window needs more lines for it. */

#include "flame-picture.h"

#include <inttypes.h>
#include <math.h>

#include "flame-scale.h"
#include "picture-scripts.h"
#include "svg-text.h"
#include "utf8.h"

#define PAD 10u           /* pixels at the left and the right */
#define SHOWN_CHARACTERS 3u
#define MINUS "\xe2\x88\x92"
#define SCALE_STEP 110.0 /* pixels between two times of a chart's scale, with a font of 12 */

typedef struct FlameSvg {
        const FlamePicture *p;
        const FrameTree *t;
        TextBuffer *out;
        double inner, least; /* pixels: all frames together; the narrowest frame */
        unsigned line;       /* the height of a line of text */
        unsigned caption;    /* where the first one of the caption is */
        unsigned above, frames, below; /* the heights of the title and the caption, of all frames, and of what is below them */
        unsigned scale;      /* the part of that which a chart's scale takes */
        double total;
} FlameSvg;

static void put_element(FlameSvg *s, const char *name, const char *text) {
        text_buffer_format(s->out, "<%s>", name);
        svg_put_escaped(s->out, text);
        text_buffer_format(s->out, "</%s>\n", name);
}

static void put_style(FlameSvg *s) {
        const FlamePicture *p = s->p;

        text_buffer_puts(s->out, "<style>\n");
        svg_put_style(s->out, p->background, p->font, p->font_size);
        text_buffer_puts(s->out, "#search,#case,#matched{text-anchor:end}\n"
                         "#search,#reset,#case{cursor:pointer;opacity:.7}\n#search:hover,#reset:hover,#case.on{opacity:1}\n"
                         "#case.on{text-decoration:underline}#scale path{stroke:#888}\n"
                         "#frames g{cursor:pointer}#frames g:hover rect{stroke:#000;stroke-width:.5}\n"
                         "#frames text{pointer-events:none;fill:#111}#frames .hit rect{fill:#e600e6}\n");
        if (!p->background) {
                svg_put_dark_style(s->out);
                text_buffer_puts(s->out, "#frames rect{fill-opacity:.82}#frames g:hover rect{stroke:#fff}}\n");
        }
        text_buffer_puts(s->out, "</style>\n");
}

static void put_heading(FlameSvg *s) {
        const FlamePicture *p = s->p;
        unsigned y = p->font_size * 2;

        svg_put_text(s->out, " id=\"title\"", "50%", y, p->title);
        svg_put_text(s->out, " id=\"reset\" style=\"display:none\"", "10", y, "Reset Zoom");
        svg_put_text(s->out, " id=\"search\" style=\"display:none\" dx=\"-34\"", "100%", y, "Search");
        svg_put_text(s->out, " id=\"case\" style=\"display:none\" dx=\"-10\"", "100%", y, "ic");
        y += 8;
        if (p->subtitle) {
                svg_put_text(s->out, " id=\"subtitle\"", "50%", y + p->font_size, p->subtitle);
                y += s->line;
        }
        s->caption = y + p->font_size;
        y = svg_put_phrases(s->out, p->caption, (size_t) (s->inner / (SVG_GLYPH * p->font_size)), s->caption, s->line);
        s->above = y - p->font_size + 8;
}

static void put_head(FlameSvg *s, unsigned height) {
        const FlamePicture *p = s->p;

        text_buffer_puts(s->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text_buffer_puts(s->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\"");
        text_buffer_format(s->out, " viewBox=\"0 0 %u %u\" data-total=\"%.0f\" "
                           "data-pad=\"%u\" data-font=\"%u\" data-line=\"%u\" data-caption=\"%u\"",
                           p->width, height, s->total, PAD, p->font_size, s->line, s->caption);
        if (p->search) {
                text_buffer_puts(s->out, " data-search=\"");
                svg_put_escaped(s->out, p->search);
                text_buffer_putc(s->out, '"');
        }
        text_buffer_puts(s->out, ">\n");
        put_element(s, "title", p->name ?: p->title);
        if (p->notes)
                put_element(s, "desc", p->notes);
        put_style(s);
        text_buffer_puts(s->out, "<rect id=\"background\" width=\"100%\" height=\"100%\"/>\n");
}

/* A label each 110 pixels; the script adds where threads begin. */
static void put_scale(FlameSvg *s) {
        double step = SCALE_STEP * s->p->font_size / 12.0, x;
        const FrameMoment *m, *last = NULL;
        char label[FLAME_SCALE_LABEL_SIZE], at[32];

        text_buffer_format(s->out, "<g id=\"scale\" transform=\"translate(0 %u)\" data-moments=\"", s->above + s->frames);
        flame_scale_put(s->p, s->t, s->out);
        text_buffer_format(s->out, "\" data-step=\"%.0f\">", step);
        for (x = 0; x + step * .85 < s->inner; x += step, last = m) {
                m = flame_scale_moment(s->t, x / s->inner * s->total);
                if (m == last)
                        continue;
                flame_scale_label(s->p, s->t, m, label);
                text_buffer_format(s->out, "<path d=\"M%.1f 0v7\"/>", PAD + x);
                (void) snprintf(at, sizeof(at), "%.1f", PAD + x + 3);
                svg_put_text(s->out, "", at, s->p->font_size + 4, label);
        }
        text_buffer_puts(s->out, "</g>\n");
}

static void put_foot(FlameSvg *s) {
        text_buffer_format(s->out, "<g id=\"foot\" transform=\"translate(0 %u)\">\n", s->above + s->frames + s->scale);
        text_buffer_puts(s->out, "<text id=\"details\" data-name=\"");
        svg_put_escaped(s->out, s->p->name_type);
        text_buffer_format(s->out, "\" x=\"%u\" y=\"%u\"> </text>\n", PAD, s->below - s->p->font_size / 2 - 3);
        svg_put_text(s->out, " id=\"matched\" dx=\"-10\"", "100%", s->below - s->p->font_size * 0.5 - 3, " ");
        text_buffer_puts(s->out, "</g>\n");
}

/* "1,234 samples", or "81.2 s" */
static void put_weight(FlameSvg *s, uint64_t weight) {
        if (s->p->unit > 0) {
                text_buffer_span(s->out, weight > UINT64_MAX / s->p->unit ? UINT64_MAX : weight * s->p->unit);
                return;
        }
        text_buffer_grouped(s->out, s->p->factor == 1 ? weight : (uint64_t) ((double) weight * s->p->factor));
        text_buffer_putc(s->out, ' ');
        svg_put_escaped(s->out, s->p->count_name);
}

/* "name (1,234 samples, 12.30%)"; of a comparison "12.30% of all, was 8.10%: +4.20%, changed", whose words are those of
 * pictures/flame.html. */
static void put_title(FlameSvg *s, uint32_t node, const char *name) {
        const FrameDifference *d = s->p->difference;
        double now = d ? frame_difference_percent(d, node, FRAME_COMPARED) : 0;
        double before = d ? frame_difference_percent(d, node, FRAME_BASELINE) : 0;
        uint64_t weight = s->t->nodes[node].weight;
        const Frame *f = node > 0 ? frame_tree_frame(s->t, node) : NULL;

        text_buffer_puts(s->out, "<title>");
        svg_put_escaped(s->out, name);
        text_buffer_puts(s->out, " (");
        put_weight(s, weight);
        if (d)
                text_buffer_format(s->out, ", %.2f%% of all, was %.2f%%: %s%.2f%%, %s)", now, before, now < before ? MINUS : "+",
                                   fabs(now - before), d->changed[node] ? "changed" : frame_difference_is_tested(d, node) ?
                                   "no change that chance does not explain" : "too few samples to tell");
        else
                text_buffer_format(s->out, ", %.2f%%)", 100 * (double) weight / s->total);
        if (f && f->binary > 0) {
                text_buffer_putc(s->out, '\n');
                svg_put_escaped(s->out, frame_names_text(&s->t->frames, f->binary));
        }
        text_buffer_puts(s->out, "</title>");
}

/* As many characters of a name as there is room for, behind a sign. Without room for any there is no label, which a browser would
 * lay out. */
static void svg_put_label(FlameSvg *s, double x, double y, double width, const char *sign, const char *name) {
        size_t room = (size_t) fmax(width / (SVG_GLYPH * s->p->font_size) - (*sign ? 2 : 0), 0), n = 0, cut = 0, end = 0;
        char label[4096];

        for (; n <= room && name[end]; n++) {
                cut = n + 2 <= room ? end : cut;
                end += utf8_decode(name + end, SIZE_MAX, &(uint32_t) { 0 }) ?: 1;
        }
        if (room < SHOWN_CHARACTERS)
                return;
        end = n > room ? cut : end;
        (void) snprintf(label, sizeof(label), "%s%.*s%s", sign, utf8_prefix(name, (int) MIN_OF(end, sizeof(label) - 8)), name,
                        n > room ? ".." : "");
        text_buffer_format(s->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y);
        svg_put_escaped(s->out, label);
        text_buffer_puts(s->out, "</text>");
}

static void svg_put_frame(FlameSvg *s, const FrameWalk *w) {
        const FlamePicture *p = s->p;
        const char *name = w->node > 0 ? frame_tree_name(s->t, w->node) : "all";
        uint64_t weight = s->t->nodes[w->node].weight;
        double x = PAD + s->inner * (double) w->begin / s->total, width = s->inner * (double) weight / s->total;
        double row = (double) (w->depth * p->frame_height);
        double y = p->inverted ? row : s->frames - row - p->frame_height;
        uint32_t color = p->difference ? flame_change_color(p->difference, w->node) :
                         flame_color(p->palette, w->node > 0 ? frame_tree_frame(s->t, w->node)->kind : FRAME_GROUP, name);
        int changed = p->difference ? p->difference->changed[w->node] : 0;
        const char *sign = changed > 0 ? "+ " : changed < 0 ? MINUS " " : "";

        /* The line ends inside of a tag: between two it would be one more node of the document. */
        text_buffer_format(s->out, "<g\ndata-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\"", w->begin, weight);
        if (*sign)
                text_buffer_format(s->out, " data-sign=\"%s\"", sign);
        text_buffer_putc(s->out, '>');
        put_title(s, w->node, name);
        text_buffer_format(s->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%u\" rx=\"2\" fill=\"#%06x\"/>", x, y,
                           MAX_OF(width - 0.2, 0.1), p->frame_height - 1, color);
        svg_put_label(s, x, y + p->frame_height / 2.0 + p->font_size * 0.35, width, sign, name);
        text_buffer_puts(s->out, "</g>");
}

static bool is_wide(const FlameSvg *s, uint32_t node) {
        uint64_t weight = s->t->nodes[node].weight; /* 0: only the other range of a comparison has it */

        return weight > 0 && s->inner * (double) weight / s->total >= s->least;
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

static void svg_put_frames(FlameSvg *s) {
        FrameWalk w = {};

        text_buffer_format(s->out, "<g id=\"frames\" transform=\"translate(0 %u)\">", s->above);
        svg_put_frame(s, &w);
        for (bool wide = true; s->out->error == 0 && frame_walk_next(s->t, &w, wide);) {
                wide = is_wide(s, w.node);
                if (wide && !frame_tree_is_gap(s->t, w.node))
                        svg_put_frame(s, &w);
        }
        text_buffer_puts(s->out, "</g>\n");
}

void flame_put_svg(const FlamePicture *p, const FrameTree *t, TextBuffer *out) {
        _cleanup_(text_buffer_done) TextBuffer heading = {};
        FlameSvg s = {
                .p = p, .t = t, .out = &heading, .inner = p->width - 2.0 * PAD, .line = p->font_size + 5,
                .total = (double) MAX_OF(t->nodes->weight, UINT64_C(1)), .below = p->font_size * 2 + 10,
        };

        s.least = p->least_percent ? s.inner * p->least / 100 : p->least;
        s.frames = (unsigned) (shown_depth(&s) + 1) * p->frame_height;
        s.scale = flame_scale_is_known(t) ? s.line : 0;
        put_heading(&s);
        s.out = out;
        put_head(&s, s.above + s.frames + s.scale + s.below);
        text_buffer_put(out, heading.data, heading.n);
        svg_put_frames(&s);
        if (s.scale > 0)
                put_scale(&s);
        put_foot(&s);
        text_buffer_puts(out, "<script><![CDATA[\n");
        if (s.scale > 0)
                text_buffer_put(out, picture_flame_scale_js, picture_flame_scale_js_size);
        text_buffer_put(out, picture_flame_svg_js, picture_flame_svg_js_size);
        text_buffer_puts(out, "]]></script>\n</svg>\n");
        out->error = out->error ?: heading.error;
}
