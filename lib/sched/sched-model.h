/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"
#include "sched-events.h"

/* A model of which thread runs on which CPU, since when, and what the others wait for: it follows the moments of a recording in the
 * order of time. Times are those of the recording, in nanoseconds; 0: not known, since it was before the first record that there
 * is, or since records were lost. */

#define SCHED_NOBODY UINT32_MAX
#define SCHED_THREADS_MAX (4u << 20)
#define SCHED_CPUS_MAX 65536u

/* The wait of a thread before it came to its CPU, or the one in which it is. */
typedef struct SchedWait {
        uint64_t left;  /* when it left a CPU */
        uint64_t ready; /* since when it could have run: it was woken, or left as runnable */
        uint64_t came;  /* when it came to the CPU; 0: it waits, or this is not known */
        uint64_t lost;  /* when records were lost last, before it came; 0: never */
        uint32_t waker; /* a number of a thread; SCHED_NOBODY: not known, or it was not woken */
        uint32_t cpu;   /* in whose queue it waited last; SCHED_CPU_UNKNOWN */
        char state;     /* in which it left; 0: not known */
        bool born;      /* it began: it had left no CPU */
} SchedWait;

/* A thread, or the idle task of a CPU, whose tid is 0. */
typedef struct SchedThread {
        uint32_t tid;
        uint32_t pid;    /* 0: not known */
        uint32_t parent; /* the process that made it; 0: not known */
        uint32_t cgroup; /* that of its last sample, see cgroup-names.h; 0: not known */
        SchedWait wait;
        char name[SCHED_NAME_SIZE]; /* as recorded: any bytes; "": not known */
        bool exited;
} SchedThread;

/* A step is what a moment changed. out and in are numbers of threads, as those of the event. */
typedef struct SchedStep {
        SchedEvent event;
        uint64_t time;
        uint32_t cpu;     /* SCHED_CPU_UNKNOWN */
        uint32_t out, in;
        SchedWait stay;   /* a switch: of "out", before it came to the CPU that it leaves now; it ran from "came" on */
        SchedWait wait;   /* a switch: of "in", which comes now */
} SchedStep;

/* Returns how long a thread had been ready when it came; false: this is not known, or records of that time were lost. */
static inline bool sched_wait_delay(const SchedWait *w, uint64_t *ret) {
        *ret = w->came - w->ready;
        return w->ready > 0 && w->ready <= w->came && w->lost < w->ready;
}

typedef struct SchedCpu {
        uint32_t running; /* a number of a thread; SCHED_NOBODY: not known */
        uint32_t idle;    /* the CPU's idle task; SCHED_NOBODY: it was not seen */
        uint64_t since;   /* of the last switch; 0: there was none */
} SchedCpu;

typedef struct SchedModel {
        SchedEvents *events;
        SchedThread *threads;
        size_t n_threads, threads_allocated;
        size_t threads_max; /* SCHED_THREADS_MAX; tests have less */
        HashIndex by_tid;  /* of the newest thread of each id: number + 1 */
        SchedCpu *cpus;    /* by number */
        size_t n_cpus, cpus_allocated;
        uint64_t lost;     /* when records were lost last */
        bool overwritten;  /* rings of CPUs begin at times of their own */
} SchedModel;

/* reader must outlive it. 0, -ENOMEM. */
int sched_model_new(const PerfDataReader *reader, SchedModel **ret);
SchedModel *sched_model_free(SchedModel *m);
DEFINE_CLEANUP(SchedModel *, sched_model_free);

/* Returns the newest thread of that id, which is not 0; NULL: there is none. */
const SchedThread *sched_model_find(const SchedModel *m, uint32_t tid);

/* Finds or adds the thread of a sample of any event; the moment was followed. 0, -ENOMEM, -ENOSPC. */
int sched_model_find_task(SchedModel *m, const Moment *moment, uint32_t *ret);

/* Follows a moment, of whatever kind. 1: *ret is a step; 0: the moment is no event of the scheduler; -ENOMEM; -ENOSPC: there are
 * too many threads. */
int sched_model_take(SchedModel *m, const Moment *moment, SchedStep *ret);
