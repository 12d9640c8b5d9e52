/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One node for each call; whoever shows the tree joins those between two forks. Children are found by a hash index,
 * since a function may have thousands of callers, and sorted when they are asked for.
 *
 * Two calls are one if their functions are the same, or, by address, their addresses. Invariant: what ends in a node
 * and what goes on below it are counted apart, so that a node weighs both together. */

#include "call-tree.h"

#include "array.h"

/* Returns the number of the text that names the line of the source, 0: it is not known. */
static uint32_t line_of(const CallTree *t, uint32_t place) {
        return t->key == CALL_KEY_LINE && t->names->file_of[place] > 0 ? t->names->line_of[place] : 0;
}

static uint64_t call_key(const CallTree *t, uint32_t place) {
        uint32_t line = line_of(t, place);

        if (t->key == CALL_KEY_ADDRESS)
                return hash_mix(t->places->places[place].dso, t->places->places[place].ip);
        return line > 0 ? UINT64_C(1) << 32 | line : t->names->chain_key[place];
}

static uint64_t calls_node_hash(const CallTree *t, uint32_t parent, uint32_t place) {
        return HASH_INDEX_HALF(hash_mix(parent, call_key(t, place)));
}

static uint64_t calls_node_hash_of(const void *owner, uintptr_t entry) {
        const CallTree *t = owner;

        if (HASH_INDEX_HAS_HASH)
                return HASH_INDEX_HALF(entry);
        return calls_node_hash(t, t->nodes[hash_index_number(entry)].parent, t->nodes[hash_index_number(entry)].place);
}

static bool is_same_call(const CallTree *t, uint32_t a, uint32_t b) {
        const CodePlace *x = t->places->places + a, *y = t->places->places + b;

        return t->key == CALL_KEY_ADDRESS ? x->dso == y->dso && x->ip == y->ip : call_key(t, a) == call_key(t, b);
}

int call_tree_init(CallTree *t, const CodePlaces *places, const PlaceNames *names, CallKey key) {
        *t = (CallTree) { .places = places, .names = names, .key = key };
        if (ARRAY_RESERVE(t->nodes, t->allocated, 1) < 0)
                return -ENOMEM;
        t->nodes[t->n++] = (CallNode) {};
        return 0;
}

void call_tree_done(CallTree *t) {
        free(t->nodes);
        hash_index_done(&t->index);
        *t = (CallTree) {};
}

static int call_tree_descend(CallTree *t, uint32_t parent, uint32_t place, uint32_t *ret) {
        uint64_t hash = calls_node_hash(t, parent, place);
        uintptr_t found = HASH_INDEX_FIND(&t->index, hash, entry,
                                          hash_index_may_be(entry, hash) && t->nodes[hash_index_number(entry)].parent == parent &&
                                                  is_same_call(t, t->nodes[hash_index_number(entry)].place, place));
        CallNode *n;
        int r;

        if (found > 0) {
                *ret = hash_index_number(found);
                return 0;
        }
        if (t->n >= UINT32_MAX || ARRAY_RESERVE(t->nodes, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        n = t->nodes + t->n;
        *n = (CallNode) { .place = place, .parent = parent, .sibling = t->nodes[parent].child };
        r = hash_index_add(&t->index, hash, hash_index_entry(hash, (uint32_t) t->n), calls_node_hash_of, t);
        if (r < 0)
                return r;
        *ret = (uint32_t) t->n++;
        t->nodes[parent].child = *ret;
        t->nodes[parent].n_children++;
        return 0;
}

int call_tree_add(CallTree *t, const ReportChain *chain) {
        const uint32_t *place = chain->places;
        uint32_t node = 0;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < chain->n; i++, place += chain->step) {
                t->nodes[node].children_hit += chain->period;
                t->nodes[node].children_count += chain->count;
                r = call_tree_descend(t, node, *place, &node);
        }
        if (r < 0)
                return r;
        t->nodes[node].hit += chain->period;
        t->nodes[node].count += chain->count;
        return 0;
}

/* perf's order: the binary that was mapped last, and the highest address, come first; with lines, the last one as text does. */
static int calls_compare_places(const void *a, const void *b, void *userdata) {
        const CallTree *t = userdata;
        const CallNode *x = t->nodes + *(const uint32_t *) a, *y = t->nodes + *(const uint32_t *) b;
        const CodePlace *p = t->places->places + x->place, *q = t->places->places + y->place;
        uint32_t s = t->names->symbol_of[x->place], u = t->names->symbol_of[y->place];
        bool functions = s > 0 && u > 0 && t->key != CALL_KEY_ADDRESS;
        uint64_t left = functions ? t->names->symbols[s].start : p->ip;
        uint64_t right = functions ? t->names->symbols[u].start : q->ip;

        if (line_of(t, x->place) > 0 && line_of(t, y->place) > 0)
                return strcmp(place_names_text(t->names, line_of(t, y->place)), place_names_text(t->names, line_of(t, x->place)));
        if (p->dso != q->dso)
                return p->dso + 1 > q->dso + 1 ? -1 : 1; /* DSO_NONE comes last */
        return left > right ? -1 : left < right;
}

static int calls_compare_weights(const void *a, const void *b, void *userdata) {
        const CallTree *t = userdata;
        uint64_t x = call_node_weight(t->nodes + *(const uint32_t *) a), y = call_node_weight(t->nodes + *(const uint32_t *) b);

        return x != y ? (x > y ? -1 : 1) : calls_compare_places(a, b, userdata);
}

int call_tree_children(const CallTree *t, uint32_t node, uint64_t least, bool by_weight, uint32_t **ret, size_t *ret_n) {
        uint32_t *children = calloc((size_t) t->nodes[node].n_children + 1, sizeof(*children));
        size_t n = 0;

        if (!children)
                return -ENOMEM;
        for (uint32_t child = t->nodes[node].child; child > 0; child = t->nodes[child].sibling)
                if (call_node_weight(t->nodes + child) >= least)
                        children[n++] = child;
        qsort_r(children, n, sizeof(*children), by_weight ? calls_compare_weights : calls_compare_places, (void *) t);
        *ret = children;
        *ret_n = n;
        return 0;
}
