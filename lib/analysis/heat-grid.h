/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "heat-map.h"

/* A heat map as squares: columns of equal time, which begin at whole multiples of it, and rows. Samples of idle CPUs do not count,
 * unless there are no others. */

typedef enum HeatRowKind {
        HEAT_OFFSETS,   /* the time since the beginning of the column, upwards */
        HEAT_GROUPS,    /* the groups at the tree's root, downwards */
        HEAT_LATENCIES, /* latencies, upwards */
        _HEAT_ROW_KIND_MAX,
} HeatRowKind;

typedef struct HeatGridPlan {
        HeatRowKind rows_of;
        unsigned rows;          /* of groups: at most; the last one then has the rest */
        unsigned columns;       /* at most */
        uint64_t step;          /* the time of a column; 0: the shortest for which there are not more columns */
        bool linear;            /* latencies: each row has the same part of the time; otherwise each ends at the same multiple of
                                 * its beginning */
        uint64_t least, most;   /* latencies; 0: those there are */
        uint64_t row_step;      /* of a linear row; 0: as many rows as above */
} HeatGridPlan;

enum { HEAT_MEDIAN, HEAT_P90, HEAT_P99, _HEAT_PERCENTILE_MAX };

typedef struct HeatGrid {
        HeatGridPlan plan;      /* complete: with the step of columns, and the least and the most latency */
        uint64_t first;         /* when the first column begins */
        uint64_t origin;        /* the time of which columns begin at whole multiples: midnight, or the first sample */
        size_t columns, rows;
        uint32_t *counts;       /* of samples, column after column */
        uint32_t most;          /* the greatest one */
        uint64_t outside;       /* samples behind the last column, or whose latency has no row */
        uint32_t *groups;       /* of each row: its node; 0: the rest */
        uint64_t (*percentiles)[_HEAT_PERCENTILE_MAX]; /* of each column's latencies; 0: there are none */
} HeatGrid;

/* Makes the grid of a map that is finished and has samples that count. g is done after a failure too. 0, -ENOMEM. */
int heat_grid_init(HeatGrid *g, const HeatMap *m, const HeatGridPlan *plan);
void heat_grid_done(HeatGrid *g);

/* Returns the column of a time, which may be behind the last one. */
static inline size_t heat_grid_column(const HeatGrid *g, uint64_t time) {
        return time > g->first ? (size_t) ((time - g->first) / g->plan.step) : 0;
}

/* Returns how many steps of columns are one of clocks' steps, too, and not less than that many. */
size_t heat_grid_steps_of(uint64_t step, size_t least);

/* Returns the row of a latency as a number between 0 and rows; below or above, where it has no row. */
double heat_grid_latency_row(const HeatGrid *g, uint64_t latency);
/* Returns the least latency of a row. */
uint64_t heat_grid_row_latency(const HeatGrid *g, size_t row);
