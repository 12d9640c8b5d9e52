/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "trace-live.h"

/* A program in the kernel that reads the memory which arguments of system calls point to. */

typedef struct TraceMemory TraceMemory;

/* Its records (call-memory-record.h) go to the rings of the set, which must have been opened, each before the event of the same
 * call. -EOPNOTSUPP: libbpf is missing; -EPERM: the process may not load programs; other errors of the kernel. d says which, and
 * the calls can be traced without it. */
int trace_memory_new(const EventSet *set, const TraceLiveOptions *o, TraceMemory **ret, Diagnosis *d);
TraceMemory *trace_memory_free(TraceMemory *m);
DEFINE_CLEANUP(TraceMemory *, trace_memory_free);
