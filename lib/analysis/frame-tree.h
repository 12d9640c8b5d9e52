/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <regex.h>
#include "frame-moments.h"
#include "frame-names.h"
#include "sample-timeline.h"

/* The call chains of many samples as one tree, as pictures and exporters have it: groups at the root, then the outermost callers.
 * Calls of one function from one caller are one node, or, in a chart, only those of samples that follow each other. */

typedef enum FrameGrouping {
        FRAME_BY_COMM, /* names of threads */
        FRAME_BY_PID,  /* "name-PID" */
        FRAME_BY_TID,  /* "name-PID/TID" */
        FRAME_BY_CPU,  /* "CPU 3", then names of threads, as below all that follow */
        FRAME_BY_UNIT,
        FRAME_BY_HOST,
        _FRAME_GROUPING_MAX,
        _FRAME_GROUPING_INVALID = -EINVAL,
} FrameGrouping;

typedef struct FrameNode {
        uint32_t frame, parent;  /* of the root, which is node 0: 0; see frame_tree_is_gap() */
        uint32_t child, sibling; /* the first child, the next child of the parent; 0: none */
        uint64_t weight, self;   /* of all samples in it, of those whose chain ends in it */
} FrameNode;

typedef struct FrameTreePlan {
        FrameGrouping by;
        bool periods;            /* weights are sums of periods, and not numbers of samples */
        const uint64_t *weights; /* of all rows, by their numbers, in place of both; NULL: none */
        uint32_t *ends;          /* takes, likewise, the node in which each of the rows that are added ends, or 0 if the patterns
                                  * leave it out; NULL: not wanted */
        bool labels;             /* the second text of a row's label, if it has one, is the innermost frame, as a group is one,
                                  * and the only one if there is no call chain */
        bool reverse;            /* functions that were hit come first, then their callers */
        size_t max_stack;        /* addresses of a call chain that count, the innermost ones; 0: all */
        const regex_t *only;     /* call chains that match as "GROUP;OUTER;…;INNER"; NULL: all */
        const regex_t *exclude;  /* those that match are left out; NULL: none */
} FrameTreePlan;

#define FRAME_NODES_MAX (UINT32_C(1) << 24)

typedef struct FrameTree {
        FrameTreePlan plan;
        FrameNames frames;
        FrameNode *nodes;
        size_t n, allocated;
        HashIndex index;     /* of nodes, by parent and frame */
        uint32_t *path;      /* frames of the call chain at hand */
        size_t path_allocated;
        size_t depth;        /* of the deepest node; 0: there is only the root */
        bool chart;          /* children are in the order of the samples */
        FrameMoments moments; /* of a chart */
        struct {
                uint32_t thread, group;
        } last;              /* of the previous sample; group: its innermost group's node, 0: there is none */
        uint32_t end;        /* of the row at hand: the node in which it ends */
        char *stack;         /* the call chain at hand as text */
        size_t stack_allocated;
} FrameTree;

/* Returns which SampleDimensions the grouping needs. */
unsigned frame_grouping_dimensions(FrameGrouping by);
FrameGrouping frame_grouping_from_string(const char *s);

/* All arguments must outlive it. It has all samples of these rows of the table. Children are sorted by name. t is initialised, and
 * done after a failure too. 0; -EFBIG: it would have more than FRAME_NODES_MAX nodes; -ENOMEM. */
int frame_tree_init(FrameTree *t, SampleTable *table, const PlaceNames *names, const FrameTreePlan *plan, const uint32_t *rows,
                    size_t n_rows);
/* Makes a chart of these samples of one event, which are sorted by thread, then by time. Groups are sorted by name, and below them
 * the threads come one after the other: calls of two threads are never one node. */
int frame_tree_init_chart(FrameTree *t, SampleTable *table, const PlaceNames *names, const FrameTreePlan *plan, uint32_t event,
                          const TimelineSample *samples, size_t n);
void frame_tree_done(FrameTree *t);

/* Adds nodes of another tree that t does not have, with weight 0. Both are no charts. *ret: for each of its nodes, t's with the
 * same frames up to the root; to be freed. 0, -EFBIG and -ENOMEM as above. */
int frame_tree_merge(FrameTree *t, const FrameTree *other, uint32_t **ret);

/* In a chart, such a node is no function: its weight is that of samples whose chain ends in its parent, between two calls. */
static inline bool frame_tree_is_gap(const FrameTree *t, uint32_t node) {
        return node > 0 && t->nodes[node].frame == 0;
}

/* The frame of a node, which is neither the root nor a gap. */
static inline const Frame *frame_tree_frame(const FrameTree *t, uint32_t node) {
        return frame_names_frame(&t->frames, t->nodes[node].frame);
}

static inline const char *frame_tree_name(const FrameTree *t, uint32_t node) {
        return frame_names_text(&t->frames, frame_tree_frame(t, node)->name);
}

/* A walk over all nodes. It begins at the root with zeros. */
typedef struct FrameWalk {
        uint32_t node;
        size_t depth;   /* of the root: 0 */
        uint64_t begin; /* the weight that lies before the node: of nodes that end before it, and not of its parents */
} FrameWalk;

/* Goes on to the first child, or past the whole node if it is not entered or has none. False: that was all. */
bool frame_walk_next(const FrameTree *t, FrameWalk *w, bool enter);
