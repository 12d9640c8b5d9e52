/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-layout.h"
#include "cpu-place.h"
#include "run-mean.h"
#include "stat-table.h"

/* Counts by event and place, of one run or of several ones. Zero-initialise. */

/* The counts of an event at a place. */
typedef struct StatSum {
        RunMean value, enabled, running;
        Count before; /* in the interval before */
} StatSum;

typedef struct StatSums {
        StatPlacing placing;
        bool no_scale;
        const CpuPlace *cpu_places; /* of the layout's CPUs; NULL: they are this machine's */
        StatPlace *places;
        size_t n_places;
        size_t *place_of;   /* by CPU and thread of the layout */
        StatEvent *events;
        struct perf_event_attr *attrs; /* of events */
        size_t n_events;
        StatSum *sums;      /* by event, then place */
        StatValue *values;  /* likewise, for the table */
        Count *counts;      /* of one event, by place */
} StatSums;

/* Finds the places of a layout: of the first one, or of others, which have the same places. Units and control groups are borrowed.
 * 0, -ENOMEM. */
int stat_sums_begin(StatSums *s, const CountLayout *l);
void stat_sums_done(StatSums *s);

/* Adds counts of the layout as another run. */
void stat_sums_add(StatSums *s, const CountLayout *l, const Count *counts);

/* Takes counts as the only run; interval: only what came since the last one. */
void stat_sums_take(StatSums *s, const CountLayout *l, const Count *counts, bool interval);

/* The values so far; the time has to be filled in. Valid until the next call. */
StatTable stat_sums_table(StatSums *s);
