/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-sums.h"
#include "kernel-program.h"
#include "trace-live.h"

/* System calls that a program in the kernel sums up, which costs a tenth of events that are read. */

typedef struct TraceSums TraceSums;

/* Begins with the threads, or with all but our own (tids[0]: -1). command: one of them, which counts from its exec on; 0: there is
 * none. -EOPNOTSUPP: the options need events; other errors as those of kernel_program_load(). */
int trace_sums_new(const TraceLiveOptions *o, const pid_t *tids, size_t n_tids, pid_t command, TraceSums **ret, Diagnosis *d);
TraceSums *trace_sums_free(TraceSums *s);
DEFINE_CLEANUP(TraceSums *, trace_sums_free);

/* Adds what was summed up so far. *ret_lost: so many events were not. 0, -ENOMEM. */
int trace_sums_read(const TraceSums *s, const CallOptions *o, CallSums *sums, uint64_t *ret_lost);
