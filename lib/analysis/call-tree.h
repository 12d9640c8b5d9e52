/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-entries.h"

/* Two calls are the same if they have the same of these. */
typedef enum CallKey {
        CALL_KEY_FUNCTION,
        CALL_KEY_ADDRESS,
        CALL_KEY_LINE, /* of the source; of calls without one, the function */
} CallKey;

/* The call chains of one entry of a report as a tree, whose root is node 0. */
typedef struct CallNode {
        uint32_t place; /* the first one that was seen; of the root: 0 */
        uint32_t parent;
        uint32_t child, sibling; /* the first child, the next child of the parent; 0: none */
        uint32_t n_children;
        uint64_t hit, count;                   /* chains that end here */
        uint64_t children_hit, children_count; /* chains that go on */
} CallNode;

typedef struct CallTree {
        const CodePlaces *places;
        const PlaceNames *names;
        CallKey key;
        CallNode *nodes;
        size_t n, allocated;
        HashIndex index; /* of nodes, by parent and place */
} CallTree;

int call_tree_init(CallTree *t, const CodePlaces *places, const PlaceNames *names, CallKey key); /* 0, -ENOMEM */
void call_tree_done(CallTree *t);

int call_tree_add(CallTree *t, const ReportChain *chain); /* 0, -ENOMEM */

/* Returns the children that have at least that weight, by_weight: the heaviest first, as a new array of *ret_n nodes. 0,
 * -ENOMEM. */
int call_tree_children(const CallTree *t, uint32_t node, uint64_t least, bool by_weight, uint32_t **ret, size_t *ret_n);

/* Returns the only child of a node at which no chain ends; 0: chains end there, or part. */
static inline uint32_t call_tree_next(const CallTree *t, uint32_t node) {
        const CallNode *n = t->nodes + node;

        return n->hit == 0 && n->count == 0 && n->n_children == 1 ? n->child : 0;
}

static inline uint64_t call_node_weight(const CallNode *n) {
        return n->hit + n->children_hit;
}
