/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "stat-table.h"

/* Metrics are what a count says beside others of its place: a rate, a share, "insn per cycle". perf calls them shadow metrics. */

typedef enum StatColour {
        STAT_UNCOLOURED,
        STAT_NORMAL, /* it would be coloured if it were worse */
        STAT_YELLOW,
        STAT_MAGENTA,
        STAT_RED,
} StatColour;

typedef struct StatMetric {
        const char *unit;   /* what it is; NULL: the event has no metric */
        bool known;         /* it has a value */
        double value;
        int width, digits;  /* of the value as text … */
        const char *suffix; /* … and what is written right behind it */
        StatColour colour;
} StatMetric;

#define STAT_METRICS_MAX 2

/* Finds the metrics of an event at a place, where its value times its scale is this. Returns how many there are, 1 and more. */
size_t stat_metrics(const StatTable *t, size_t event, size_t place, double value, StatMetric ret[static STAT_METRICS_MAX]);
