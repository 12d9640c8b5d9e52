/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sched-model.h"

/* A plan of the work of a recording's threads, in pieces that threads can do again: each ran, slept until another one woke it, and
 * woke others. An idle CPU pauses in place of running, since what happens meanwhile, as a timer that expires, is that of its
 * interrupts. */

typedef enum WorkKind {
        WORK_RUN,
        WORK_PAUSE,
        WORK_SLEEP,
        WORK_WAKE,
} WorkKind;

typedef struct WorkPiece {
        WorkKind kind;
        uint32_t wakes; /* the task that is woken */
        uint64_t nsec;  /* of running and pausing */
        bool woken;     /* a sleep: there is a piece that wakes it; otherwise it takes no time */
} WorkPiece;

typedef struct WorkTask {
        WorkPiece *pieces;
        size_t n, allocated;
        uint64_t counted; /* the time up to which it ran, as pieces have it */
} WorkTask;

/* Zero-initialise. */
typedef struct WorkPlan {
        WorkTask *tasks; /* by the number of the model's thread; without pieces: it did nothing */
        size_t n_tasks, allocated;
        uint64_t runs, sleeps, wakes;
        uint64_t targetless; /* wakes of threads that did not sleep … */
        uint64_t repeated;   /* … and that were woken already */
        uint64_t joined;     /* runs that went on */
} WorkPlan;

void work_plan_done(WorkPlan *p);

/* Adds what a step says, which the model has taken. 0, -ENOMEM. */
int work_plan_take(WorkPlan *p, const SchedModel *m, const SchedStep *s);

/* Returns the number of tasks with pieces. */
size_t work_plan_count(const WorkPlan *p);
