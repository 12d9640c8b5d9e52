/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "run-history.h"
#include "sched-run.h"
#include "text-buffer.h"

/* The waits for a CPU that sched blame found, and what is printed of them. */

#define BLAME_QUEUES_MAX 4u /* CPUs at which a thread waits; what comes then belongs to the last one */
#define BLAME_NAMED_MAX 3u  /* threads that a line names */

/* A CPU at which a thread has waited, and since when. */
typedef struct BlameQueue {
        uint32_t cpu;
        uint64_t since;
} BlameQueue;

typedef struct BlameThread {
        BlameQueue queues[BLAME_QUEUES_MAX];
        uint32_t n;
} BlameThread;

/* A long delay. Threads are numbers of labels. */
typedef struct BlameDelay {
        uint64_t ready, came;
        uint32_t cpu, thread, waker; /* waker: 0: it was preempted */
        RunShare ran[BLAME_NAMED_MAX];     /* the longest first; nsec 0: no further one */
        uint64_t others;
} BlameDelay;

/* Two threads, or labels: who waited and who ran, or who woke and who was woken. */
typedef struct BlamePair {
        uint32_t a, b;
        uint64_t count, nsec, longest;
} BlamePair;

/* Zero-initialise. */
typedef struct BlamePairs {
        BlamePair *pairs;
        size_t n, allocated;
        HashIndex index; /* number + 1 */
} BlamePairs;

typedef struct Blame {
        const SchedOptions *options;
        RunHistory history;
        BlameThread *threads;
        size_t n_threads, threads_allocated;
        BlamePairs instead, wakers;         /* of the recording that is read */
        BlamePairs all_instead, all_wakers; /* of labels */
        BlameDelay *delays;                 /* at most the limit */
        size_t n_delays, delays_allocated;
        BytePool labels;
        uint64_t n, long_ones, nsec, unknown;
} Blame;

/* Put all of it: the delays and pairs are sorted. */
void blame_print(const Blame *b, TextBuffer *out);
void blame_print_json(const Blame *b, TextBuffer *out);
