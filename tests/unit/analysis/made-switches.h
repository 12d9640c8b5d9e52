/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "perfdata-test.h"

/* Recordings of the scheduler's tracepoints with call chains, as of CPUs that switch between threads. */

#define MADE_SCHED_TYPE (TEST_SAMPLE_TYPE | PERF_SAMPLE_RAW)

typedef struct MadeSwitch {
        uint64_t usec;
        uint32_t cpu, out, in;
        uint64_t state;     /* prev_state: 0: it could go on; 1: it sleeps; 0x10: it exited */
        uint64_t chain[2];  /* addresses in user space, the innermost first; 0: none */
        const char *comm;   /* NULL: a switch; otherwise out wakes in, which has this name */
} MadeSwitch;

/* Puts samples of that many switches; a process has one thread. */
void made_switches(RecordBuffer *b, const MadeSwitch *s, size_t n);

/* The same for a recording whose events have no call chains. */
void made_switches_without_chains(RecordBuffer *b, const MadeSwitch *s, size_t n);

/* Records were lost on that CPU up to this time. */
void made_loss(RecordBuffer *b, uint32_t cpu, uint64_t usec);

/* Writes a recording with the events sched:sched_switch and "waking", if that is not NULL; change (may be NULL) changes the first
 * one's attributes. */
void made_sched_recording(const char *path, const RecordBuffer *b, const char *waking, void (*change)(struct perf_event_attr *attr));

/* A thread begins to wait for a lock, or has it. */
typedef struct MadeLock {
        uint64_t usec;
        uint32_t thread;
        uint64_t lock;
        uint32_t flags; /* of include/trace/events/lock.h */
        bool ends;
} MadeLock;

void made_lock(RecordBuffer *b, const MadeLock *l);
void made_lock_recording(const char *path, const RecordBuffer *b);
