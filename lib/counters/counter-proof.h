/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "counter-kind.h"

struct perf_event_attr;

/* Proves that counters are free, by using them. */

/* The calls of the kernel that tests replace: perf_event_open(2) for all processes on a CPU, and read(2). Both return a negative
 * errno on failure; the descriptors are closed by close(2). */
typedef struct CounterProofOps {
        int (*open)(void *userdata, struct perf_event_attr *attr, int cpu, int group_fd);
        ssize_t (*read)(void *userdata, int fd, void *buf, size_t size);
        void *userdata;
} CounterProofOps;

typedef struct CounterProof {
        int cpu;         /* the first one that lacks some */
        unsigned n_free; /* of those that were asked for */
} CounterProof;

/* Opens a pinned group of n events (1 to COUNTER_CLAIM_MAX) of that kind on every online CPU, all at the same time, and checks that
 * each of them counts. None is open when it returns. ops: NULL for the kernel. 0: all were free. -EBUSY: not all, and *ret says
 * where. -ENODEV: no CPU has such counters; one without them among others is left out. Others are perf_event_open(2)'s. */
int counter_proof_run(CounterKind kind, unsigned n, const CounterProofOps *ops, CounterProof *ret);
