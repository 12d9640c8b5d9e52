/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A node is the same in both trees if all frames on the way to it have the same names, binaries and kinds.
 *
 * Each node is a test, but for three kinds, so that what can be marked is not lost among thousands of tests that say nothing: a
 * node with all samples of its parent, in both ranges, is the same test; one with so few samples in both together that no split of
 * them would be marked is none; nor is one with less than a thousandth of the smaller range's, which would be half a pixel of a
 * picture of a thousand. Only the sum of both is looked at, of which their split is independent, or the choice would favour some
 * splits.
 *
 * lib/export/pictures/flame-diff.js does the same in a page: what one of them marks, the other one does, too. */

#include "frame-difference.h"

#include <math.h>

#include "significance.h"

#define LEAST_PART 0.001

void frame_difference_done(FrameDifference *d) {
        free(d->others);
        free(d->changed);
        *d = (FrameDifference) {};
}

static double difference_weight(const FrameDifference *d, uint32_t node, unsigned range) {
        return (double) frame_difference_node(d, node, range)->weight;
}

/* Returns a range's part of all chances that a sample has to be taken. */
static double difference_part(const FrameDifference *d, unsigned range) {
        const double whole[] = { difference_weight(d, 0, FRAME_BASELINE), difference_weight(d, 0, FRAME_COMPARED) };
        const double *of = d->timed ? d->exposure : whole;

        return of[range] / (of[FRAME_BASELINE] + of[FRAME_COMPARED]);
}

double frame_difference_percent(const FrameDifference *d, uint32_t node, unsigned range) {
        double all = difference_weight(d, 0, d->timed ? FRAME_BASELINE : range);

        if (d->timed && range == FRAME_COMPARED)
                all = all * d->exposure[FRAME_COMPARED] / d->exposure[FRAME_BASELINE];
        return all > 0 ? 100 * difference_weight(d, node, range) / all : 0;
}

bool frame_difference_is_tested(const FrameDifference *d, uint32_t node) {
        double a = difference_part(d, FRAME_BASELINE), b = difference_part(d, FRAME_COMPARED);
        double least = LEAST_PART * MIN_OF(difference_weight(d, 0, FRAME_BASELINE), difference_weight(d, 0, FRAME_COMPARED));
        double n = difference_weight(d, node, FRAME_BASELINE) + difference_weight(d, node, FRAME_COMPARED);

        return n > 0 && a > 0 && b > 0 && n >= least && n * log(MIN_OF(a, b)) <= log(SIGNIFICANCE_LEVEL / 2);
}

/* Returns whether a node has all samples of its parent, and neither has others. */
static bool difference_is_again(const FrameDifference *d, uint32_t node) {
        uint32_t parent = d->tree->nodes[node].parent;

        return node > 0 && d->tree->nodes[node].weight == d->tree->nodes[parent].weight &&
               d->others[node].weight == d->others[parent].weight;
}

/* Marks those that were tested, then those below them with the same samples. */
static int difference_mark(FrameDifference *d) {
        _cleanup_free_ double *chances = calloc(d->tree->n, sizeof(*chances));
        _cleanup_free_ uint32_t *tested = calloc(d->tree->n, sizeof(*tested));
        const FrameNode *all[] = { frame_difference_node(d, 0, FRAME_BASELINE), frame_difference_node(d, 0, FRAME_COMPARED) };
        double part = difference_part(d, FRAME_COMPARED), limit;
        FrameWalk w = {};
        size_t n = 0;

        d->changed = calloc(d->tree->n, sizeof(*d->changed));
        if (!chances || !tested || !d->changed)
                return -ENOMEM;
        for (uint32_t i = 0; i < d->tree->n; i++) {
                uint64_t a = all[FRAME_BASELINE][i].weight, b = all[FRAME_COMPARED][i].weight;

                if (!frame_difference_is_tested(d, i) || difference_is_again(d, i))
                        continue;
                chances[n] = d->timed ? significance_of_rates(a, b, part) :
                             significance_of_shares(a, all[FRAME_BASELINE]->weight, b, all[FRAME_COMPARED]->weight);
                tested[n++] = i;
        }
        if (significance_limit(chances, n, SIGNIFICANCE_LEVEL, &limit) < 0)
                return -ENOMEM;
        for (size_t k = 0; k < n; k++) {
                double a = difference_weight(d, tested[k], FRAME_BASELINE), b = difference_weight(d, tested[k], FRAME_COMPARED);

                if (chances[k] <= limit)
                        d->changed[tested[k]] = b > (a + b) * part ? 1 : -1;
        }
        do {
                if (difference_is_again(d, w.node))
                        d->changed[w.node] = d->changed[d->tree->nodes[w.node].parent];
                if (d->changed[w.node])
                        d->strongest = MAX_OF(d->strongest, fabs(frame_difference_percent(d, w.node, FRAME_COMPARED) -
                                                                 frame_difference_percent(d, w.node, FRAME_BASELINE)));
        } while (frame_walk_next(d->tree, &w, true));
        return 0;
}

int frame_difference_init(FrameDifference *d, FrameTree *tree, const FrameTree *other, unsigned range, const double *exposure) {
        _cleanup_free_ uint32_t *nodes = NULL;
        int r;

        *d = (FrameDifference) { .tree = tree, .range = range, .timed = exposure };
        for (unsigned i = 0; exposure && i < _FRAME_RANGES; i++)
                d->exposure[i] = exposure[i];
        r = frame_tree_merge(tree, other, &nodes);
        if (r < 0)
                return r;
        d->others = calloc(tree->n, sizeof(*d->others));
        if (!d->others)
                return -ENOMEM;
        for (uint32_t i = 0; i < other->n; i++) {
                d->others[nodes[i]].weight = other->nodes[i].weight;
                d->others[nodes[i]].self = other->nodes[i].self;
        }
        return difference_mark(d);
}
