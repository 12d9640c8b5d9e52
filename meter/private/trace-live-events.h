/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-event.h"
#include "event-spec.h"
#include "trace-live.h"

/* The events that are opened for a trace. Zero-initialise. */
typedef struct TraceLiveEvents {
        EventSpecs specs;   /* those of calls and of signals, if these are shown, further tracepoints, then page faults */
        size_t n_calls;     /* 2, 0 */
        size_t n_signals;   /* 2 (taken and sent), 0 */
        size_t n_further;
        CallEvent *further; /* their fields; NULL: there is none */
} TraceLiveEvents;

/* Returns whether a call is execve(2). */
bool trace_live_is_exec(uint32_t number);

/* Returns whether the kernel is to tell of a call: -e names it, the command begins with it, descriptors are followed by it, or
 * lines of strace's need it to say how threads end. */
bool trace_live_wants(const TraceLiveOptions *o, uint32_t number);

/* 0; a negative errno, with d filled unless it is -ENOMEM. */
int trace_live_events_make(TraceLiveEvents *e, const TraceLiveOptions *o, Diagnosis *d);
void trace_live_events_done(TraceLiveEvents *e);
