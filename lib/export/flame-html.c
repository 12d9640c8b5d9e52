/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The page is pictures/flame.html; the tree stands in its script as a literal, and behind it the scripts that the page needs. If
 * something is compared, what a node weighs is a pair: in what is compared, and in the baseline. */

#include "flame-page.h"

#include <inttypes.h>

#include "flame-scale.h"
#include "picture-scripts.h"

#define MARK      "/*DATA*/"
#define NO_DATA   "null" /* behind the mark, so that the page is a whole script by itself */
#define SECTION   "<!--SECTION-->"
#define NODES_MAX 300000u
#define REST      "[smaller ones]"

typedef struct FlameHtml {
        const FlamePicture *p;
        const FrameTree *t;
        TextBuffer *out;
        uint64_t least;        /* lighter nodes are not there by themselves */
        uint32_t rest;         /* the frame that stands for them, behind those of the tree */
        uint32_t *places;      /* see FlamePageAddition; NULL: not wanted */
        uint32_t n_put;        /* nodes of the page */
} FlameHtml;

typedef struct HtmlWeight {
        uint64_t drawn, baseline; /* by itself, it is drawn; the baseline has none then */
} HtmlWeight;

static HtmlWeight html_self(const FlameHtml *h, uint32_t node) {
        const FrameDifference *d = h->p->difference;

        if (!d)
                return (HtmlWeight) { h->t->nodes[node].self, 0 };
        return (HtmlWeight) {
                frame_difference_node(d, node, FRAME_COMPARED)->self, frame_difference_node(d, node, FRAME_BASELINE)->self,
        };
}

/* Adds all that is in a node. */
static void html_add(const FlameHtml *h, uint32_t node, HtmlWeight *sum) {
        const FrameDifference *d = h->p->difference;

        sum->drawn += d ? frame_difference_node(d, node, FRAME_COMPARED)->weight : h->t->nodes[node].weight;
        sum->baseline += d ? frame_difference_node(d, node, FRAME_BASELINE)->weight : 0;
}

/* Returns what is compared with the least weight that has a place. */
static uint64_t html_weight(const FrameTree *t, const FrameDifference *d, uint32_t node) {
        return d ? MAX_OF(t->nodes[node].weight, d->others[node].weight) : t->nodes[node].weight;
}

/* A string for a script in HTML: "</script>" would end it. */
static void html_put_string(TextBuffer *b, const char *text) {
        text_buffer_putc(b, '"');
        for (const char *p = text; *p; p++)
                if (*p == '"' || *p == '\\' || *p == '<' || (unsigned char) *p < ' ')
                        text_buffer_format(b, "\\u%04x", (unsigned) (unsigned char) *p);
                else
                        text_buffer_putc(b, *p);
        text_buffer_putc(b, '"');
}

static void put_member(TextBuffer *b, const char *key, const char *text) {
        text_buffer_format(b, "%s:", key);
        html_put_string(b, text ?: "");
        text_buffer_puts(b, ",\n");
}

static void put_hues(FlameHtml *h) {
        text_buffer_puts(h->out, "hues:[");
        for (FrameKind kind = 0; kind < _FRAME_KIND_MAX; kind++) {
                const HueRange *r = flame_hues(h->p->palette, kind);

                text_buffer_format(h->out, "[%g,%g,%g,%g,%g],", (double) r->first, (double) r->last, (double) r->saturation,
                                   (double) r->dark, (double) r->light);
        }
        text_buffer_puts(h->out, "],\n");
}

/* Texts have the numbers of the tree, and 0 is none. */
static void html_put_frames(FlameHtml *h) {
        text_buffer_puts(h->out, "texts:[\"\"");
        for (uint32_t i = 1; i <= h->t->frames.texts.n; i++) {
                text_buffer_putc(h->out, ',');
                html_put_string(h->out, frame_names_text(&h->t->frames, i));
        }
        text_buffer_puts(h->out, ",\"" REST "\"],\nframes:[");
        for (size_t i = 0; i < h->t->frames.n; i++) {
                const Frame *f = h->t->frames.frames + i;

                text_buffer_format(h->out, "[%u,%u,%d],", f->name, f->binary, (int) f->kind);
        }
        text_buffer_format(h->out, "[%zu,0,0]],\n", h->t->frames.texts.n + 1);
}

/* The root has the frame -1, and a gap -2. */
static void html_put_node(FlameHtml *h, uint32_t frame, bool gap, HtmlWeight self, size_t up) {
        h->n_put++;
        if (frame > 0)
                text_buffer_decimal(h->out, frame - 1, 0);
        else
                text_buffer_puts(h->out, gap ? "-2" : "-1");
        text_buffer_putc(h->out, ',');
        text_buffer_decimal(h->out, self.drawn, 0);
        text_buffer_putc(h->out, ',');
        text_buffer_decimal(h->out, up, 0);
        text_buffer_putc(h->out, ',');
        if (!h->p->difference)
                return;
        text_buffer_decimal(h->out, self.baseline, 0);
        text_buffer_putc(h->out, ',');
}

/* In a chart, such a node stands for lighter ones that follow each other. Returns the last of them. */
static uint32_t put_run(FlameHtml *h, uint32_t node, size_t up) {
        HtmlWeight rest = {};
        uint32_t next;

        html_add(h, node, &rest);
        for (; (next = h->t->nodes[node].sibling) > 0 && h->t->nodes[next].weight < h->least; node = next)
                html_add(h, next, &rest);
        html_put_node(h, h->rest, false, rest, up);
        return node;
}

/* Puts the node that stands for a node's lighter children. */
static void html_put_rest(FlameHtml *h, uint32_t node, size_t *up) {
        HtmlWeight rest = {};

        for (uint32_t child = h->t->nodes[node].child; child > 0; child = h->t->nodes[child].sibling)
                if (html_weight(h->t, h->p->difference, child) < h->least)
                        html_add(h, child, &rest);
        if ((rest.drawn == 0 && rest.baseline == 0) || h->t->chart)
                return;
        for (uint32_t child = h->t->nodes[node].child; h->places && child > 0; child = h->t->nodes[child].sibling)
                h->places[child] = h->n_put;
        html_put_node(h, h->rest, false, rest, 0);
        *up = 1;
}

static void put_nodes(FlameHtml *h) {
        FrameWalk w = {};
        size_t depth = 0, up = 0;
        uint32_t run = 0; /* the last node of a run of lighter ones, until it is passed */

        text_buffer_puts(h->out, "nodes:[");
        html_put_node(h, 0, false, html_self(h, 0), 0);
        html_put_rest(h, 0, &up);
        for (bool heavy = true; h->out->error == 0 && frame_walk_next(h->t, &w, heavy);) {
                const FrameNode *n = h->t->nodes + w.node;

                heavy = html_weight(h->t, h->p->difference, w.node) >= h->least;
                if (!heavy && h->t->chart && run == 0) {
                        run = put_run(h, w.node, up + depth + 1 - w.depth);
                        depth = w.depth;
                        up = 0;
                }
                if (run == w.node)
                        run = 0;
                if (!heavy)
                        continue;
                if (h->places)
                        h->places[w.node] = h->n_put;
                html_put_node(h, n->frame, frame_tree_is_gap(h->t, w.node), html_self(h, w.node), up + depth + 1 - w.depth);
                depth = w.depth;
                up = 0;
                html_put_rest(h, w.node, &up);
        }
        text_buffer_putc(h->out, ']');
}

/* Returns how heavy a node must be for a place in the page: 0, 1, 3, 7, …; more than NODES_MAX of the greatest weight are left to
 * the page. */
static uint64_t find_least(const FrameTree *t, const FrameDifference *d) {
        uint64_t least = 0;

        for (; least < UINT64_MAX; least = 2 * least + 1) {
                size_t n = 0;

                for (uint32_t i = 0; i < t->n; i++)
                        n += html_weight(t, d, i) >= least;
                if (n <= NODES_MAX)
                        break;
        }
        return least;
}

static void html_put_texts(FlameHtml *h) {
        const FlamePicture *p = h->p;
        const FrameDifference *d = p->difference;
        const char *on_base = d && d->range == FRAME_BASELINE ? "true" : "false";

        put_member(h->out, "title", p->title);
        put_member(h->out, "subtitle", p->subtitle);
        put_member(h->out, "countName", p->count_name);
        put_member(h->out, "search", p->search);
        put_member(h->out, "name", p->name ?: p->title);
        text_buffer_puts(h->out, "caption:[");
        for (size_t i = 0; p->caption && p->caption[i]; i++) {
                html_put_string(h->out, p->caption[i]);
                text_buffer_putc(h->out, ',');
        }
        text_buffer_format(h->out, "],\nfactor:%.17g,unit:%" PRIu64 ",inverted:%s,busy:%s,\n", p->factor, p->unit,
                           p->inverted ? "true" : "false", p->busy ? "true" : "false");
        text_buffer_puts(h->out, "moments:[");
        if (flame_scale_is_known(h->t))
                flame_scale_put(p, h->t, h->out);
        text_buffer_puts(h->out, "],\n");
        if (!d)
                text_buffer_puts(h->out, "diff:null,\n");
        else if (d->timed) /* exactly, so that the page finds the same changes */
                text_buffer_format(h->out, "diff:{seconds:[%.17g,%.17g],onBase:%s},\n", d->exposure[FRAME_BASELINE],
                                   d->exposure[FRAME_COMPARED], on_base);
        else
                text_buffer_format(h->out, "diff:{seconds:null,onBase:%s},\n", on_base);
}

/* Puts the page up to a mark. Returns what is behind it. */
static const char *html_put_up_to(TextBuffer *out, const char *page, const char *mark) {
        const char *end = picture_flame_html + picture_flame_html_size;
        const char *at = memmem(page, (size_t) (end - page), mark, strlen(mark));

        text_buffer_put(out, page, (size_t) (at - page));
        return at + strlen(mark);
}

void flame_page_put(const FlamePicture *p, const FrameTree *t, const FlamePageAddition *addition, TextBuffer *out) {
        _cleanup_free_ uint32_t *places = addition ? calloc(t->n, sizeof(*places)) : NULL;
        FlameHtml h = {
                .p = p, .t = t, .out = out, .least = find_least(t, p->difference), .rest = (uint32_t) t->frames.n + 1,
                .places = places,
        };
        const char *page = html_put_up_to(out, picture_flame_html, SECTION);

        out->error = addition && !places ? -ENOMEM : out->error;
        text_buffer_put(out, addition ? addition->section : "", addition ? addition->section_size : 0);
        page = html_put_up_to(out, page, MARK NO_DATA ";");
        text_buffer_puts(out, "{");
        html_put_texts(&h);
        put_hues(&h);
        html_put_frames(&h);
        put_nodes(&h);
        if (places) {
                for (uint32_t i = 1; i < t->n; i++) /* callers come first: what is left out with its caller has its place */
                        places[i] = places[i] > 0 ? places[i] : places[t->nodes[i].parent];
                text_buffer_puts(out, ",\n");
                addition->put(addition->userdata, places, out);
        }
        text_buffer_puts(out, "};\n");
        text_buffer_put(out, picture_flame_scale_js, picture_flame_scale_js_size);
        if (addition || p->difference)
                text_buffer_put(out, picture_flame_diff_js, picture_flame_diff_js_size);
        if (addition)
                text_buffer_put(out, addition->script, addition->script_size);
        text_buffer_put(out, page, (size_t) (picture_flame_html + picture_flame_html_size - page));
}

void flame_put_html(const FlamePicture *p, const FrameTree *t, TextBuffer *out) {
        flame_page_put(p, t, NULL, out);
}
