/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "frame-tree.h"

/* Two trees of call chains side by side: what each node weighs in a baseline and in what is compared with it, and which changed.
 * Weights are numbers of samples. */

enum { FRAME_BASELINE, FRAME_COMPARED, _FRAME_RANGES };

/* Zero-initialise. */
typedef struct FrameDifference {
        const FrameTree *tree; /* with the nodes of both, as one of the two is drawn */
        FrameNode *others;     /* of each of its nodes, the weights in the other one */
        unsigned range;        /* the one of which the tree is */
        bool timed;            /* what there is in a second is compared, and not shares */
        double exposure[_FRAME_RANGES]; /* if it is: how many samples stand for one unit of a second's weight */
        int8_t *changed;       /* of each node: 1 if it is more in what is compared, -1 if less; 0: chance explains it */
        double strongest;      /* the greatest difference of those that changed, in percent */
} FrameDifference;

/* Adds the nodes of the other tree to the tree, with weight 0, and compares. exposure: see above; NULL: shares are compared. Both
 * trees must be no charts; the tree must outlive d, and the other one need not. d is initialised, and done after a failure too. 0,
 * -EFBIG and -ENOMEM as frame_tree_init(). */
int frame_difference_init(FrameDifference *d, FrameTree *tree, const FrameTree *other, unsigned range, const double *exposure);
void frame_difference_done(FrameDifference *d);

/* Returns the weights of a node in a range. */
static inline const FrameNode *frame_difference_node(const FrameDifference *d, uint32_t node, unsigned range) {
        return (range == d->range ? d->tree->nodes : d->others) + node;
}

/* Returns which part of all a node is in a range, in percent. If it is timed, that is in both ranges all of the baseline in the
 * same time. */
double frame_difference_percent(const FrameDifference *d, uint32_t node, unsigned range);

/* Returns whether a node was tested, and is not one of which nothing can be said. */
bool frame_difference_is_tested(const FrameDifference *d, uint32_t node);
