/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf compares a caller with its callee by the depth of their call chains, and other entries of equal weight by their names, which
 * is no order: its output depends on the tree that it inserts them into. To print the same, the same tree is made: a red-black
 * tree as in "Introduction to Algorithms" (Cormen and others), chapter 13, as the kernel's is.
 *
 * Nodes are numbered from 1; 0 is none. */

#include "insertion-tree.h"

typedef struct Node {
        size_t children[2], parent; /* children: before and after */
        bool red;
} Node;

typedef struct Tree {
        Node *nodes;
        size_t root;
} Tree;

/* Moves a node down to that side; its child of the other side takes its place. */
static void tree_rotate(Tree *t, size_t down, unsigned side) {
        Node *x = t->nodes + down;
        size_t up = x->children[!side];
        Node *y = t->nodes + up;

        x->children[!side] = y->children[side];
        if (y->children[side] > 0)
                t->nodes[y->children[side]].parent = down;
        y->parent = x->parent;
        if (x->parent == 0)
                t->root = up;
        else
                t->nodes[x->parent].children[t->nodes[x->parent].children[1] == down] = up;
        y->children[side] = down;
        x->parent = up;
}

/* No red node has a red parent afterwards, and all paths have as many black ones as before. */
static void tree_balance(Tree *t, size_t node) {
        Node *nodes = t->nodes;
        size_t parent;

        while ((parent = nodes[node].parent) > 0 && nodes[parent].red) {
                size_t grandparent = nodes[parent].parent;
                unsigned side = nodes[grandparent].children[1] == parent;
                size_t uncle = nodes[grandparent].children[!side];

                nodes[grandparent].red = true;
                if (uncle > 0 && nodes[uncle].red) {
                        nodes[parent].red = nodes[uncle].red = false;
                        node = grandparent;
                        continue;
                }
                if (nodes[parent].children[!side] == node) {
                        tree_rotate(t, parent, side);
                        node = parent;
                        parent = nodes[node].parent;
                }
                nodes[parent].red = false;
                tree_rotate(t, grandparent, !side);
        }
        nodes[t->root].red = false;
}

static size_t tree_first(const Tree *t, size_t node) {
        while (node > 0 && t->nodes[node].children[0] > 0)
                node = t->nodes[node].children[0];
        return node;
}

static size_t tree_next(const Tree *t, size_t node) {
        size_t parent = t->nodes[node].parent;

        if (t->nodes[node].children[1] > 0)
                return tree_first(t, t->nodes[node].children[1]);
        for (; parent > 0 && t->nodes[parent].children[1] == node; parent = t->nodes[node].parent)
                node = parent;
        return parent;
}

int insertion_tree_sort(size_t *numbers, size_t n, ComesBefore *before, const void *userdata) {
        _cleanup_free_ Node *nodes = calloc(n + 1, sizeof(*nodes));
        _cleanup_free_ size_t *inserted = calloc(n + 1, sizeof(*inserted));
        Tree t = { .nodes = nodes };

        if (!nodes || !inserted)
                return -ENOMEM;
        for (size_t i = 1; i <= n; i++) {
                size_t parent = 0;
                unsigned side = 0;

                inserted[i] = numbers[i - 1];
                for (size_t at = t.root; at > 0; at = nodes[at].children[side]) {
                        side = !before(userdata, inserted[i], inserted[at]);
                        parent = at;
                }
                nodes[i] = (Node) { .parent = parent, .red = true };
                if (parent > 0)
                        nodes[parent].children[side] = i;
                else
                        t.root = i;
                tree_balance(&t, i);
        }
        for (size_t node = tree_first(&t, t.root), i = 0; node > 0; node = tree_next(&t, node))
                numbers[i++] = inserted[node];
        return 0;
}
