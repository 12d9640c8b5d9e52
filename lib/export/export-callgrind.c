/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The format is described in valgrind's manual, "Callgrind Format Specification". A column is the number of an event's samples. A
 * call costs what all samples have in which it is, however often in one of them. */

#include "export-formats.h"

#include "array.h"
#include "frame-names.h"

#define WORD_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

typedef struct CallEdge {
        uint32_t caller, callee; /* frames */
        size_t stamp;            /* the row that counted for it last, + 1 */
} CallEdge;

typedef struct Callgrind {
        const ExportedSamples *c;
        FrameNames frames;
        CallEdge *edges;
        size_t n, allocated;
        HashIndex index;    /* of number + 1 */
        uint64_t *self;     /* for each frame and event */
        uint64_t *calls;    /* for each edge and event */
        size_t self_allocated, calls_allocated;
        size_t n_events;
        uint32_t *first, *next; /* for each frame: its edges + 1 */
} Callgrind;

static uint64_t edge_hash_of(const void *owner, uintptr_t entry) {
        const CallEdge *e = ((const Callgrind *) owner)->edges + entry - 1;

        return hash_mix(e->caller, e->callee);
}

static int edge_find(Callgrind *g, uint32_t caller, uint32_t callee, size_t *ret) {
        uint64_t hash = hash_mix(caller, callee);
        uintptr_t found = HASH_INDEX_FIND(&g->index, hash, entry,
                                          g->edges[entry - 1].caller == caller && g->edges[entry - 1].callee == callee);
        int r;

        if (found > 0) {
                *ret = found - 1;
                return 0;
        }
        if (ARRAY_RESERVE(g->edges, g->allocated, g->n + 1) < 0 ||
            ARRAY_RESERVE(g->calls, g->calls_allocated, (g->n + 1) * g->n_events) < 0)
                return -ENOMEM;
        g->edges[g->n] = (CallEdge) { .caller = caller, .callee = callee };
        memset(g->calls + g->n * g->n_events, 0, g->n_events * sizeof(*g->calls));
        r = hash_index_add(&g->index, hash, g->n + 1, edge_hash_of, g);
        if (r >= 0)
                *ret = g->n++;
        return r;
}

static int callgrind_find_frame(Callgrind *g, uint32_t place, uint32_t *ret) {
        size_t before = g->frames.n * g->n_events;
        int r = frame_names_place(&g->frames, place, ret);

        if (r < 0 || ARRAY_RESERVE(g->self, g->self_allocated, g->frames.n * g->n_events) < 0)
                return -ENOMEM;
        memset(g->self + before, 0, (g->frames.n * g->n_events - before) * sizeof(*g->self));
        return 0;
}

static int callgrind_add_row(Callgrind *g, const SampleRow *row, size_t number) {
        SampleStack stack = sample_table_stack(g->c->table, row);
        uint32_t callee = 0, caller;
        size_t edge;
        int r = callgrind_find_frame(g, sample_stack_place(&stack, 0), &callee);

        if (r >= 0)
                g->self[(callee - 1) * g->n_events + row->event] += row->count;
        for (size_t i = 1; r >= 0 && i < stack.n; i++, callee = caller) {
                r = callgrind_find_frame(g, sample_stack_place(&stack, i), &caller);
                if (r >= 0)
                        r = edge_find(g, caller, callee, &edge);
                if (r < 0 || g->edges[edge].stamp == number + 1)
                        continue;
                g->edges[edge].stamp = number + 1;
                g->calls[edge * g->n_events + row->event] += row->count;
        }
        return r;
}

static void put_costs(const Callgrind *g, const uint64_t *costs, const SampleEvent *events, TextBuffer *out) {
        text_buffer_putc(out, '0');
        for (size_t i = 0; i < g->n_events; i++) {
                if (events[i].selected == 0)
                        continue;
                text_buffer_putc(out, ' ');
                text_buffer_decimal(out, costs[i], 0);
        }
        text_buffer_putc(out, '\n');
}

/* "(1)" refers to an earlier name of that number, and "(1) NAME" gives a name the number 1. */
static void callgrind_put_text(const Callgrind *g, uint32_t text, TextBuffer *out) {
        const char *s = frame_names_text(&g->frames, text);

        if (s[0] == '(' && s[1] >= '0' && s[1] <= '9')
                text_buffer_format(out, "(%u) ", text);
        text_buffer_puts(out, s);
        text_buffer_putc(out, '\n');
}

static void callgrind_put_name(const Callgrind *g, const char *prefix, uint32_t number, TextBuffer *out) {
        const Frame *f = frame_names_frame(&g->frames, number);

        text_buffer_format(out, "%sob=", prefix);
        callgrind_put_text(g, f->binary, out);
        text_buffer_format(out, "%s=", *prefix ? "cfi" : "fl");
        callgrind_put_text(g, f->binary, out);
        text_buffer_format(out, "%sfn=", prefix);
        callgrind_put_text(g, f->name, out);
}

static void callgrind_put_function(const Callgrind *g, uint32_t frame, const SampleEvent *events, TextBuffer *out) {
        callgrind_put_name(g, "", frame, out);
        put_costs(g, g->self + (frame - 1) * g->n_events, events, out);
        for (uint32_t edge = g->first[frame]; edge > 0; edge = g->next[edge]) {
                callgrind_put_name(g, "c", g->edges[edge - 1].callee, out);
                text_buffer_puts(out, "calls=1 0\n");
                put_costs(g, g->calls + (edge - 1) * g->n_events, events, out);
        }
        text_buffer_putc(out, '\n');
}

/* Names of events are one word. */
static void callgrind_put_events(const SampleEvent *events, size_t n, TextBuffer *out) {
        text_buffer_puts(out, "# callgrind format\nversion: 1\ncreator: perf-recorder\npositions: line\nevents:");
        for (size_t i = 0; i < n; i++) {
                if (events[i].selected == 0)
                        continue;
                text_buffer_puts(out, " ");
                for (const char *p = events[i].name; *p; p++)
                        text_buffer_putc(out, strchr(WORD_CHARACTERS, *p) ? *p : '_');
        }
        text_buffer_puts(out, "\n\n");
}

static int chain_edges(Callgrind *g) {
        g->first = calloc(g->frames.n + 1, sizeof(*g->first));
        g->next = calloc(g->n + 1, sizeof(*g->next));
        if (!g->first || !g->next)
                return -ENOMEM;
        for (size_t i = g->n; i-- > 0;) {
                g->next[i + 1] = g->first[g->edges[i].caller];
                g->first[g->edges[i].caller] = (uint32_t) i + 1;
        }
        return 0;
}

void export_put_callgrind(const ExportedSamples *c, TextBuffer *out) {
        Callgrind g = { .c = c };
        size_t n;
        const SampleRow *rows = sample_table_rows(c->table, &n);
        const SampleEvent *events = sample_table_events(c->table, &g.n_events);
        int r = frame_names_init(&g.frames, c->table, c->names);

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = callgrind_add_row(&g, rows + i, i);
        if (r >= 0)
                r = chain_edges(&g);
        callgrind_put_events(events, g.n_events, out);
        for (uint32_t i = 1; r >= 0 && i <= g.frames.n; i++)
                callgrind_put_function(&g, i, events, out);
        if (r < 0)
                out->error = r;
        frame_names_done(&g.frames);
        hash_index_done(&g.index);
        free(g.edges);
        free(g.self);
        free(g.calls);
        free(g.first);
        free(g.next);
}
