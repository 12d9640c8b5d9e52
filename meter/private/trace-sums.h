/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-sums.h"
#include "kernel-program.h"
#include "trace-live.h"

/* System calls that a program in the kernel sums up, which costs a tenth of events that are read. */

typedef struct TraceSums TraceSums;

/* Begins with the target's threads, or with all but our own. command: counts from its exec on; 0: there is none. -EOPNOTSUPP: the
 * options need events; other errors: the process or the kernel can't, and events can be tried. */
int trace_sums_new(const TraceLiveOptions *o, pid_t command, TraceSums **ret);
TraceSums *trace_sums_free(TraceSums *s);
DEFINE_CLEANUP(TraceSums *, trace_sums_free);

/* Returns whether any of the target's threads is left. */
bool trace_sums_have_threads(const TraceSums *s);

/* Adds what was summed up so far, and says on standard error how many events were not. 0, -ENOMEM. */
int trace_sums_read(const TraceSums *s, const CallOptions *o, CallSums *sums);
