/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "exported-samples.h"
#include "frame-names.h"

/* Samples as a profile with an axis of time has them: call chains are a tree of functions, and each sample belongs to a thread and
 * has its place in the order of time. */

typedef struct StackNode {
        uint32_t frame, prefix; /* prefix: number + 1 of the caller's; 0: there is none */
} StackNode;

/* Samples of a thread and an event. Threads of a process lie side by side, the main one first. */
typedef struct TimedThread {
        uint32_t row;    /* the first one */
        size_t first, n; /* in the order of samples */
        bool is_first;   /* of this thread */
} TimedThread;

typedef struct TimedTables {
        const ExportedSamples *c;
        const Timeline *t;
        const SampleRow *rows;
        size_t n_rows;
        FrameNames frames;
        StackNode *nodes;
        size_t n_nodes, nodes_allocated;
        HashIndex index;      /* of nodes: number + 1 */
        uint32_t *stack_of;   /* of each row: the node of what was hit */
        TimedThread *threads;
        size_t n_threads;
        uint32_t *thread_of;  /* of each row */
        uint32_t *order;      /* of the samples, by thread and time */
        uint32_t *binaries;   /* texts of frames, ascending */
        size_t n_binaries;
        bool hosts;           /* there are several */
        uint64_t begin;       /* the earliest time */
} TimedTables;

#define TIMED_STACKS_MAX (UINT32_C(1) << 26) /* nodes */

/* c has a timeline, and must outlive it. x is initialised, and done after a failure too. 0; -EFBIG: it would have more than
 * TIMED_STACKS_MAX nodes; -ENOMEM. */
int timed_tables_init(TimedTables *x, const ExportedSamples *c);
void timed_tables_done(TimedTables *x);

static inline const NamedThread *timed_tables_thread(const TimedTables *x, uint32_t row) {
        return sample_table_view(x->c->table)->threads + x->rows[row].thread;
}
