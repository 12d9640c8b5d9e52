/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "replay.h"

/* Samples of the scheduler's tracepoints, and what these say, out of their fields. The fields are those of
 * include/trace/events/sched.h of the kernel, whose places the recording has in its formats. */

#define SCHED_SWITCH "sched:sched_switch"
#define SCHED_NAME_SIZE 17u /* TASK_COMM_LEN bytes of a thread's name, and a zero byte */
#define SCHED_CPU_UNKNOWN UINT32_MAX

typedef enum SchedEventKind {
        SCHED_OUT_RUNNABLE = 'r', /* a switch from a thread that could have gone on, … */
        SCHED_OUT_ASLEEP = 's',   /* … that waits for something, */
        SCHED_OUT_DEAD = 'x',     /* … and that exited */
        SCHED_WAKING = 'w',
        SCHED_WAKING_NEW = 'n',   /* of a thread that begins */
        SCHED_MIGRATION = 'm',    /* to another CPU */
} SchedEventKind;

/* A sample says this. */
typedef struct SchedEvent {
        SchedEventKind kind;
        uint32_t out; /* the thread that leaves the CPU; of others: that runs there; 0: the idle one */
        uint32_t in;  /* the thread that comes to it; of others: that is woken or moved */
        char state;   /* of the thread that leaves, as ps(1) has it: 'R', 'S', 'D' …; 0: not known */
        uint32_t from, to; /* CPUs of a migration; to: where a thread that is woken ran last; SCHED_CPU_UNKNOWN */
} SchedEvent;

static inline bool sched_event_is_switch(const SchedEvent *e) {
        return e->kind == SCHED_OUT_RUNNABLE || e->kind == SCHED_OUT_ASLEEP || e->kind == SCHED_OUT_DEAD;
}

/* Returns a word for a state: "asleep (S)". */
const char *sched_state_text(char state);

/* The events that are wanted. Wakings are those of sched:sched_waking, or of sched:sched_wakeup if there are no others. */
enum {
        SCHED_EVENTS_SWITCHES = 1 << 0,
        SCHED_EVENTS_WAKINGS = 1 << 1,
        SCHED_EVENTS_NEW = 1 << 2,
        SCHED_EVENTS_MIGRATIONS = 1 << 3,
        SCHED_EVENTS_ALL = (1 << 4) - 1,
};

typedef struct SchedEvents SchedEvents;

/* reader must outlive it. 0, -ENOMEM. */
int sched_events_new(const PerfDataReader *reader, unsigned wanted, SchedEvents **ret);
SchedEvents *sched_events_free(SchedEvents *l);
DEFINE_CLEANUP(SchedEvents *, sched_events_free);

/* Returns false if a sample is not of these events, or cut off. */
bool sched_events_of(const SchedEvents *l, const Moment *m, SchedEvent *ret);

/* Copies the name of the thread "in" or "out" of an event, as it is. Returns false if the sample does not have it. */
bool sched_events_name_in(const SchedEvents *l, const Moment *m, char ret[static SCHED_NAME_SIZE]);
bool sched_events_name_out(const SchedEvents *l, const Moment *m, char ret[static SCHED_NAME_SIZE]);

/* Returns the name of the event that wakings are taken of. */
const char *sched_events_waking(const PerfDataReader *reader);
