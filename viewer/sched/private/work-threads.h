/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "work-plan.h"

/* Threads that do what a plan has, each the pieces of one task. */

#define WORK_THREADS_MAX 4096u

/* Times, in nanoseconds, that measuring itself takes, and what a millisecond takes with them. */
typedef struct WorkClock {
        uint64_t run_overhead, sleep_overhead;
        uint64_t run_test, sleep_test;
} WorkClock;

void work_clock_measure(WorkClock *ret);

typedef struct WorkThreads WorkThreads;

/* plan and clock must outlive it. 0; -E2BIG: there are more than WORK_THREADS_MAX tasks; -ENOMEM and errors of
 * pthread_create(3). */
int work_threads_new(const WorkPlan *plan, const WorkClock *clock, WorkThreads **ret);
WorkThreads *work_threads_free(WorkThreads *t);
DEFINE_CLEANUP(WorkThreads *, work_threads_free);

/* Does all of it once. Returns how long that took, and the CPU time of all threads, in nanoseconds. */
void work_threads_run(WorkThreads *t, uint64_t *ret_nsec, uint64_t *ret_cpu);
