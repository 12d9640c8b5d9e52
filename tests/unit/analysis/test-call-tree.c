/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "call-tree.h"
#include "made-samples.h"

/* A tree of chains of places without names, whose numbers are their addresses. */
typedef struct Made {
        ProcessView view;
        CodePlaces places;
        PlaceNames names;
        CallTree tree;
} Made;

static void made_init(Made *m, uint64_t n) {
        uint32_t number;

        ck_assert_ok(code_places_init(&m->places, &m->view));
        for (uint64_t ip = 1; ip < n; ip++)
                ck_assert_ok(code_places_find(&m->places, 7, PERF_RECORD_MISC_USER, ip, &number));
        ck_assert_ok(place_names_init(&m->names, &m->places, NULL));
        ck_assert_ok(call_tree_init(&m->tree, &m->places, &m->names, CALL_KEY_FUNCTION));
}

static void made_done(Made *m) {
        call_tree_done(&m->tree);
        place_names_done(&m->names);
        code_places_done(&m->places);
        process_view_done(&m->view);
}

static void add(Made *m, uint64_t period, const uint32_t *places, size_t n) {
        ck_assert_ok(call_tree_add(&m->tree, &(ReportChain) { .places = places, .step = 1, .n = n, .period = period, .count = 1 }));
}

#define ADD(m, period, ...) \
        add((m), (period), (const uint32_t[]) { __VA_ARGS__ }, sizeof((const uint32_t[]) { __VA_ARGS__ }) / sizeof(uint32_t))

START_TEST(weights_and_forks) {
        _cleanup_(made_done) Made m = {};
        _cleanup_free_ uint32_t *children = NULL, *heavy = NULL;
        uint32_t first;
        size_t n;

        made_init(&m, 10);
        ADD(&m, 3, 1, 2, 3);
        ADD(&m, 5, 1, 2, 4);
        ADD(&m, 1, 1, 2);
        first = m.tree.nodes[0].child;
        ck_assert_uint_eq(m.tree.nodes[0].n_children, 1);
        ck_assert_uint_eq(call_node_weight(m.tree.nodes + first), 9);
        first = call_tree_next(&m.tree, first);
        ck_assert_uint_gt(first, 0);
        ck_assert_uint_eq(m.tree.nodes[first].hit, 1);
        ck_assert_uint_eq(m.tree.nodes[first].children_hit, 8);
        ck_assert_uint_eq(call_tree_next(&m.tree, first), 0);
        ck_assert_ok(call_tree_children(&m.tree, first, 0, true, &children, &n));
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(m.tree.nodes[children[0]].place, 4);
        ck_assert_ok(call_tree_children(&m.tree, first, 4, true, &heavy, &n));
        ck_assert_uint_eq(n, 1);
}
END_TEST

TEST_RUN("call-tree", weights_and_forks);
