/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-tree.h"

/* Samples over time, with where their call chains end in a tree, and what they lack. All times are in nanoseconds, of the timeline
 * that they come from. */

typedef enum HeatGapKind {
        HEAT_LOST,      /* the kernel had no room for records; they were lost before until, since is not known better */
        HEAT_THROTTLED, /* it stopped an event */
        HEAT_LENT,      /* the recorder had lent its counters */
        HEAT_BETWEEN,   /* between two recordings */
        _HEAT_GAP_KIND_MAX,
} HeatGapKind;

typedef struct HeatGap {
        HeatGapKind kind;
        uint64_t since, until; /* until: at least since */
        uint64_t lost;         /* records, if they were counted */
} HeatGap;

/* Zero-initialise. */
typedef struct HeatMap {
        const FrameTree *tree;
        const uint32_t *ends;    /* of each row of the table, see FrameTreePlan */
        const SampleMoments *moments; /* by time; those whose row ends nowhere do not count */
        const uint64_t *latencies; /* of each, by its number, in nanoseconds; NULL: they have none */
        bool wall;               /* times are nanoseconds since the epoch */
        uint64_t first, last;    /* of the samples that count; last is 0 if there are none */
        bool *idle;              /* of each node of the tree: it is of idle CPUs */
        bool busy;               /* samples of idle CPUs do not count in squares: there are others, and none are latencies */
        const uint64_t *triggers; /* the times of dumps' triggers */
        size_t n_triggers;
        HeatGap *gaps;           /* by their beginnings, after heat_map_finish() */
        size_t n_gaps, allocated_gaps;
} HeatMap;

const char *heat_gap_kind_to_string(HeatGapKind kind);

/* Returns whether a sample counts. */
static inline bool heat_map_counts(const HeatMap *m, const MomentWalk *w) {
        return m->ends[w->row] > 0;
}

int heat_map_add_gap(HeatMap *m, HeatGap gap); /* 0, -ENOMEM */
/* Adds what the marks of a timeline say was lost and throttled; they are sorted. Likewise. */
int heat_map_add_losses(HeatMap *m, Timeline *t);
/* Call it once the samples and all gaps are there: gaps are cut to the time of the samples, those beside it are dropped. 0,
 * -ENOMEM. */
int heat_map_finish(HeatMap *m);
void heat_map_done(HeatMap *m);
