/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two recordings of a process with three binaries without symbols, so that a function is a binary's: [a], [b], [c]. */

#include "frame-difference.h"
#include "made-samples.h"

#define PID 7u
#define STEP UINT64_C(1000000)

enum { A = 0x1010, B = 0x2010, C = 0x3010 };

typedef struct Range {
        RecordBuffer records;
        uint64_t time;
        SampleTable *table;
        PlaceNames names;
        FrameTree tree;
} Range;

static void range_begin(Range *x, const char *third) {
        static const char *const paths[] = { "/lib/a", "/lib/b" };

        for (unsigned i = 0; i < 2; i++)
                test_put_map(&x->records, PID, 0x1000 * (i + 1), 0x1000, paths[i], 0);
        test_put_map(&x->records, PID, 0x3000, 0x1000, third, 0);
}

/* Puts n samples of a chain of up to three addresses, the innermost first; 0: none. */
static void range_put(Range *x, unsigned n, uint64_t inner, uint64_t middle, uint64_t outer) {
        const uint64_t chain[] = { inner, middle, outer };

        for (unsigned i = 0; i < n; i++)
                made_sample(&x->records, PID, PID, x->time += STEP, 1, chain, outer ? 3 : middle ? 2 : 1);
}

static void range_end(Range *x) {
        _cleanup_free_ uint32_t *rows = NULL;
        size_t n;

        x->table = made_table(&x->records, NULL, 0);
        ck_assert_ok(place_names_init(&x->names, sample_table_places(x->table), NULL));
        rows = sample_table_order(x->table);
        ck_assert_ptr_nonnull(rows);
        (void) sample_table_rows(x->table, &n);
        ck_assert_ok(frame_tree_init(&x->tree, x->table, &x->names, &(FrameTreePlan) {}, rows, n));
}

static void range_done(Range *x) {
        frame_tree_done(&x->tree);
        place_names_done(&x->names);
        sample_table_free(x->table);
        record_buffer_done(&x->records);
}

/* Returns the node with these names, from the root's child on, which end with NULL. */
static uint32_t node_at(const FrameTree *t, const char *const *names) {
        uint32_t node = 0;

        for (; *names; names++) {
                for (node = t->nodes[node].child; node > 0 && !streq(frame_tree_name(t, node), *names);)
                        node = t->nodes[node].sibling;
                ck_assert_msg(node > 0, "%s", *names);
        }
        return node;
}

#define NODE(t, ...) node_at((t), (const char *const[]) { __VA_ARGS__, NULL })

static void assert_weights(const FrameDifference *d, uint32_t node, uint64_t baseline, uint64_t compared, int changed) {
        ck_assert_uint_eq(frame_difference_node(d, node, FRAME_BASELINE)->weight, baseline);
        ck_assert_uint_eq(frame_difference_node(d, node, FRAME_COMPARED)->weight, compared);
        ck_assert_int_eq(d->changed[node], changed);
}

/* Each node weighs as much as its own samples and its children, in both ranges. */
static void assert_sums(const FrameDifference *d) {
        for (unsigned range = 0; range < _FRAME_RANGES; range++)
                for (uint32_t i = 0; i < d->tree->n; i++) {
                        uint64_t sum = frame_difference_node(d, i, range)->self;

                        for (uint32_t k = d->tree->nodes[i].child; k > 0; k = d->tree->nodes[k].sibling)
                                sum += frame_difference_node(d, k, range)->weight;
                        ck_assert_uint_eq(sum, frame_difference_node(d, i, range)->weight);
                }
}

/* The baseline has 100 a, 100 a;b and 60 a;c; what is compared has 100 a, 300 a;b, 60 a;b;a, and no a;c. Both took a second. */
static void put_both(Range *baseline, Range *compared) {
        range_begin(baseline, "/lib/c");
        range_put(baseline, 100, A, 0, 0);
        range_put(baseline, 100, B, A, 0);
        range_put(baseline, 60, C, A, 0);
        range_end(baseline);
        range_begin(compared, "/lib/c");
        range_put(compared, 100, A, 0, 0);
        range_put(compared, 300, B, A, 0);
        range_put(compared, 60, A, B, A);
        range_end(compared);
}

START_TEST(by_time) {
        static const double exposure[] = { 1, 1 };

        for (unsigned range = 0; range < _FRAME_RANGES; range++) { /* whichever is drawn */
                Range ranges[_FRAME_RANGES] = {};
                _cleanup_(frame_difference_done) FrameDifference d = {};
                FrameTree *t = &ranges[range].tree;
                uint32_t a, b;

                put_both(ranges, ranges + 1);
                ck_assert_ok(frame_difference_init(&d, t, &ranges[!range].tree, range, exposure));
                assert_sums(&d);
                a = NODE(t, ":7", "[a]");
                b = NODE(t, ":7", "[a]", "[b]");
                ck_assert_uint_eq(t->n, 6);
                assert_weights(&d, 0, 260, 460, 1);
                assert_weights(&d, a, 260, 460, 1);
                assert_weights(&d, b, 100, 360, 1);
                assert_weights(&d, NODE(t, ":7", "[a]", "[b]", "[a]"), 0, 60, 1);
                assert_weights(&d, NODE(t, ":7", "[a]", "[c]"), 60, 0, -1);
                ck_assert_double_eq_tol(frame_difference_percent(&d, b, FRAME_BASELINE), 100 * 100.0 / 260, 1e-9);
                ck_assert_double_eq_tol(frame_difference_percent(&d, b, FRAME_COMPARED), 100 * 360.0 / 260, 1e-9);
                ck_assert_double_eq_tol(d.strongest, 100 * 260.0 / 260, 1e-9);
                ck_assert_uint_eq(t->depth, 4);
                frame_difference_done(&d);
                for (unsigned i = 0; i < _FRAME_RANGES; i++)
                        range_done(ranges + i);
        }
}
END_TEST

/* By shares, [a] is all of both. In ten times the time, the rates are lower. */
START_TEST(by_total) {
        static const double longer[] = { 1, 10 };
        Range ranges[_FRAME_RANGES] = {};
        _cleanup_(frame_difference_done) FrameDifference d = {}, timed = {};
        FrameTree *t = &ranges[FRAME_COMPARED].tree;

        put_both(ranges, ranges + 1);
        ck_assert_ok(frame_difference_init(&d, t, &ranges[FRAME_BASELINE].tree, FRAME_COMPARED, NULL));
        assert_weights(&d, NODE(t, ":7", "[a]"), 260, 460, 0);
        assert_weights(&d, NODE(t, ":7", "[a]", "[b]"), 100, 360, 1);
        ck_assert_double_eq_tol(frame_difference_percent(&d, NODE(t, ":7", "[a]", "[b]"), FRAME_COMPARED), 100 * 360.0 / 460, 1e-9);
        ck_assert_ok(frame_difference_init(&timed, t, &ranges[FRAME_BASELINE].tree, FRAME_COMPARED, longer));
        assert_weights(&timed, NODE(t, ":7", "[a]"), 260, 460, -1);
        ck_assert_double_eq_tol(frame_difference_percent(&timed, 0, FRAME_COMPARED), 100 * 460.0 / 2600, 1e-9);
        for (unsigned i = 0; i < _FRAME_RANGES; i++)
                range_done(ranges + i);
}
END_TEST

/* A name in another binary is another function, and so are few samples no change. */
START_TEST(other_binaries) {
        static const double exposure[] = { 1, 1 };
        Range ranges[_FRAME_RANGES] = {};
        _cleanup_(frame_difference_done) FrameDifference d = {};
        FrameTree *t = &ranges[FRAME_COMPARED].tree;
        uint32_t other;

        for (unsigned i = 0; i < _FRAME_RANGES; i++) {
                range_begin(ranges + i, "/lib/c");
                range_put(ranges + i, 100, A, 0, 0);
                range_put(ranges + i, 20, B, 0, 0);
                range_put(ranges + i, i == FRAME_COMPARED ? 7 : 0, C, 0, 0);
                range_end(ranges + i);
        }
        other = NODE(t, ":7", "[b]");
        t->frames.frames[t->nodes[other].frame - 1].binary = t->frames.frames[t->nodes[NODE(t, ":7", "[a]")].frame - 1].binary;
        ck_assert_ok(frame_difference_init(&d, t, &ranges[FRAME_BASELINE].tree, FRAME_COMPARED, exposure));
        assert_sums(&d);
        ck_assert_uint_eq(t->n, 6); /* the root, the process, a, c, both b */
        assert_weights(&d, other, 0, 20, 1);
        ck_assert_str_eq(frame_tree_name(t, t->nodes[other].sibling), "[b]"); /* behind it in the order of names */
        assert_weights(&d, t->nodes[other].sibling, 20, 0, -1);
        assert_weights(&d, NODE(t, ":7", "[c]"), 0, 7, 0);
        ck_assert(!frame_difference_is_tested(&d, NODE(t, ":7", "[c]"))); /* 2 / 128 are more than 1 % */
        for (unsigned i = 0; i < _FRAME_RANGES; i++)
                range_done(ranges + i);
}
END_TEST

TEST_RUN("frame-difference", by_time, by_total, other_binaries);
