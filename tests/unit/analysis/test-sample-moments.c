/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Moments that follow each other closely, with long gaps, and in another order than that of time. */

#include "perfdata-test.h"
#include "sample-moments.h"

static void expect(const SampleMoments *m, const uint64_t (*expected)[2], size_t n) {
        MomentWalk w = {};

        for (size_t i = 0; i < n; i++) {
                ck_assert(sample_moments_next(m, &w));
                ck_assert_uint_eq(w.number, i);
                ck_assert_uint_eq(w.time, expected[i][0]);
                ck_assert_uint_eq(w.row, expected[i][1]);
        }
        ck_assert(!sample_moments_next(m, &w));
}

START_TEST(order) {
        static const uint64_t in[][2] = {
                { 5, 1 }, { 5 + (uint64_t) UINT32_MAX, 2 }, { 6 + (uint64_t) UINT32_MAX, 3 }, { UINT64_MAX, 4 }, { UINT64_MAX, 5 }, { 7, 6 },
                { 5, 7 },
        };
        static const uint64_t sorted[][2] = {
                { 5, 1 }, { 5, 7 }, { 7, 6 }, { 5 + (uint64_t) UINT32_MAX, 2 }, { 6 + (uint64_t) UINT32_MAX, 3 }, { UINT64_MAX, 4 },
                { UINT64_MAX, 5 },
        };
        _cleanup_(sample_moments_done) SampleMoments m = {};

        expect(&m, NULL, 0);
        ck_assert_ok(sample_moments_sort(&m));
        for (size_t i = 0; i < ELEMENTSOF(in); i++)
                ck_assert_ok(sample_moments_add(&m, in[i][0], (uint32_t) in[i][1]));
        expect(&m, in, ELEMENTSOF(in));
        ck_assert_ok(sample_moments_sort(&m));
        expect(&m, sorted, ELEMENTSOF(sorted));
}
END_TEST

/* A sample takes eight bytes, and a base now and then. */
START_TEST(small) {
        _cleanup_(sample_moments_done) SampleMoments m = {};

        for (uint64_t i = 0; i < 100000; i++)
                ck_assert_ok(sample_moments_add(&m, 1000 + i * 1000000, (uint32_t) i)); /* 100 s */
        ck_assert_uint_eq(m.n_bases, 24);
        ck_assert_uint_eq(sizeof(*m.moments), 8);
}
END_TEST

TEST_RUN("sample-moments", order, small);
