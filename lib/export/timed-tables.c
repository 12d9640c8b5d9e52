/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows are put in order by thread, then each sample goes to where its row's thread begins: samples are millions, rows are few. */

#include "timed-tables.h"

#include "array.h"

void timed_tables_done(TimedTables *x) {
        frame_names_done(&x->frames);
        free(x->nodes);
        hash_index_done(&x->index);
        free(x->stack_of);
        free(x->threads);
        free(x->thread_of);
        free(x->order);
        free(x->binaries);
        *x = (TimedTables) {};
}

static uint64_t timed_node_hash_of(const void *owner, uintptr_t entry) {
        const StackNode *n = ((const TimedTables *) owner)->nodes + entry - 1;

        return hash_mix(n->prefix, n->frame);
}

/* Finds or adds the node of a frame that is called from the stack *node, which becomes that node; both are numbers + 1. */
static int timed_descend(TimedTables *x, uint32_t frame, uint32_t *node) {
        uint64_t hash = hash_mix(*node, frame);
        uintptr_t found = HASH_INDEX_FIND(&x->index, hash, entry,
                                          x->nodes[entry - 1].prefix == *node && x->nodes[entry - 1].frame == frame);
        int r;

        if (found > 0) {
                *node = (uint32_t) found;
                return 0;
        }
        if (x->n_nodes >= TIMED_STACKS_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(x->nodes, x->nodes_allocated, x->n_nodes + 1) < 0)
                return -ENOMEM;
        x->nodes[x->n_nodes++] = (StackNode) { .frame = frame, .prefix = *node };
        r = hash_index_add(&x->index, hash, x->n_nodes, timed_node_hash_of, x);
        *node = (uint32_t) x->n_nodes;
        return r;
}

static int make_stacks(TimedTables *x) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < x->n_rows; i++) {
                SampleStack stack = sample_table_stack(x->c->table, x->rows + i);
                uint32_t node = 0, frame;

                for (size_t k = stack.n; r >= 0 && k-- > 0;) {
                        r = frame_names_place(&x->frames, sample_stack_place(&stack, k), &frame);
                        if (r >= 0)
                                r = timed_descend(x, frame, &node);
                }
                x->stack_of[i] = node - 1;
        }
        return r;
}

static int timed_compare_numbers(uint32_t a, uint32_t b) {
        return a < b ? -1 : a > b;
}

static int timed_compare_tasks(const TimedTables *x, uint32_t a, uint32_t b) {
        const NamedThread *s = timed_tables_thread(x, a), *t = timed_tables_thread(x, b);
        int order = timed_compare_numbers(x->rows[a].host, x->rows[b].host);

        order = order != 0 ? order : timed_compare_numbers(s->pid, t->pid);
        order = order != 0 ? order : (t->tid == t->pid) - (s->tid == s->pid);
        return order != 0 ? order : timed_compare_numbers(s->tid, t->tid);
}

static int timed_compare_rows(const void *a, const void *b, void *userdata) {
        const TimedTables *x = userdata;
        uint32_t s = *(const uint32_t *) a, t = *(const uint32_t *) b;
        int order = timed_compare_tasks(x, s, t);

        order = order != 0 ? order : timed_compare_numbers(x->rows[s].event, x->rows[t].event);
        return order != 0 ? order : timed_compare_numbers(s, t);
}

static int make_threads(TimedTables *x) {
        _cleanup_free_ uint32_t *by_thread = calloc(x->n_rows + 1, sizeof(*by_thread));

        if (!by_thread)
                return -ENOMEM;
        for (uint32_t i = 0; i < x->n_rows; i++) {
                by_thread[i] = i;
                x->hosts = x->hosts || x->rows[i].host != x->rows[0].host;
        }
        qsort_r(by_thread, x->n_rows, sizeof(*by_thread), timed_compare_rows, x);
        for (size_t i = 0; i < x->n_rows; i++) {
                uint32_t row = by_thread[i], before = i > 0 ? by_thread[i - 1] : 0;
                bool other = i == 0 || timed_compare_tasks(x, before, row) != 0;

                if (other || x->rows[before].event != x->rows[row].event) {
                        if (ARRAY_RESERVE_NEXT(x->threads, x->n_threads) < 0)
                                return -ENOMEM;
                        x->threads[x->n_threads++] = (TimedThread) { .row = row, .is_first = other };
                }
                x->thread_of[row] = (uint32_t) x->n_threads - 1;
        }
        return 0;
}

static int compare_times(const void *a, const void *b, void *userdata) {
        const Timeline *t = userdata;
        uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;

        if (t->samples[i].time != t->samples[k].time)
                return t->samples[i].time < t->samples[k].time ? -1 : 1;
        return timed_compare_numbers(i, k);
}

/* Samples are in the order of time but for a few. */
static void order_samples(TimedTables *x) {
        size_t at = 0;

        for (size_t i = 0; i < x->t->n; i++)
                x->threads[x->thread_of[x->t->samples[i].row]].n++;
        for (size_t i = 0; i < x->n_threads; i++) {
                x->threads[i].first = at;
                at += x->threads[i].n;
                x->threads[i].n = 0;
        }
        for (uint32_t i = 0; i < x->t->n; i++) {
                TimedThread *t = x->threads + x->thread_of[x->t->samples[i].row];

                x->order[t->first + t->n++] = i;
        }
        for (size_t k = 0; k < x->n_threads; k++) {
                const TimedThread *t = x->threads + k;
                uint32_t *o = x->order + t->first;

                if (ANY_OF(t->n, i, i > 0 && x->t->samples[o[i]].time < x->t->samples[o[i - 1]].time))
                        qsort_r(o, t->n, sizeof(*o), compare_times, (void *) x->t);
        }
}

static int compare_texts(const void *a, const void *b) {
        return timed_compare_numbers(*(const uint32_t *) a, *(const uint32_t *) b);
}

static int find_binaries(TimedTables *x) {
        size_t n = 0;

        x->binaries = calloc(x->frames.n + 1, sizeof(*x->binaries));
        if (!x->binaries)
                return -ENOMEM;
        for (size_t i = 0; i < x->frames.n; i++)
                x->binaries[i] = x->frames.frames[i].binary;
        qsort(x->binaries, x->frames.n, sizeof(*x->binaries), compare_texts);
        for (size_t i = 0; i < x->frames.n; i++)
                if (n == 0 || x->binaries[n - 1] != x->binaries[i])
                        x->binaries[n++] = x->binaries[i];
        x->n_binaries = n;
        return 0;
}

int timed_tables_init(TimedTables *x, const ExportedSamples *c) {
        int r;

        *x = (TimedTables) { .c = c, .t = c->timeline };
        x->rows = sample_table_rows(c->table, &x->n_rows);
        r = frame_names_init(&x->frames, c->table, c->names);
        x->stack_of = calloc(x->n_rows + 1, sizeof(*x->stack_of));
        x->thread_of = calloc(x->n_rows + 1, sizeof(*x->thread_of));
        x->order = calloc(x->t->n + 1, sizeof(*x->order));
        if (!x->stack_of || !x->thread_of || !x->order)
                return -ENOMEM;
        if (r >= 0)
                r = make_stacks(x);
        if (r >= 0)
                r = make_threads(x);
        if (r >= 0)
                r = find_binaries(x);
        if (r >= 0)
                order_samples(x);
        x->begin = timeline_first(x->t);
        return r;
}
