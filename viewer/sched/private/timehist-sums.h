/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "run-mean.h"
#include "sched-run.h"

/* Sums of the times that threads ran and waited, of one recording. Zero-initialise. */
typedef struct TimehistSum {
        RunMean runs; /* nanoseconds */
        uint64_t running, shortest, longest;
        uint64_t sleep, io_wait, preempted, delay;
        uint64_t migrations;
} TimehistSum;

typedef struct TimehistSums {
        TimehistSum *threads; /* by the number of the thread */
        size_t n, allocated;
        uint64_t first, last; /* times of the switches that count */
} TimehistSums;

void timehist_sums_done(TimehistSums *s);

/* Adds a stay on a CPU, whose begin may not be known, and what came before it. 0, -ENOMEM. */
int timehist_sums_add(TimehistSums *s, uint32_t thread, uint64_t nsec, const SchedWait *stay);
int timehist_sums_add_migration(TimehistSums *s, uint32_t thread);

/* Puts the sums as perf does. 0, -ENOMEM. */
int timehist_sums_put(const TimehistSums *s, const SchedRun *run, unsigned width, TextBuffer *out);

/* Puts an object on a line for each thread. 0, -ENOMEM. */
int timehist_sums_put_json(const TimehistSums *s, const SchedRun *run, TextBuffer *out);

/* Puts milliseconds with three digits, in a column of that many for those before the point, and a blank. */
void timehist_put_msec(TextBuffer *out, uint64_t nsec, unsigned width);

/* Writes the members that say which thread it is: comm, tid, pid. */
void sched_thread_put_json(JsonWriter *w, const SchedThread *t);
