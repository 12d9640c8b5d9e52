/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "frame-moments.h"
#include "perfdata-test.h"

/* The groups 2 and 1 lie side by side, the latter first; 2 has the threads 7 and 8. */
START_TEST(placed) {
        const uint64_t begins[] = { 0, 0, 100 };
        FrameMoments m = {};

        frame_moments_begin(&m, 4);
        ck_assert_ok(frame_moments_add(&m, (FrameMoment) { .at = 0, .time = 50, .group = 2, .thread = 7 }));
        ck_assert_ok(frame_moments_add(&m, (FrameMoment) { .at = 3, .time = 60, .group = 2, .thread = 7 }));
        ck_assert_ok(frame_moments_add(&m, (FrameMoment) { .at = 4, .time = 40, .group = 2, .thread = 8 }));
        ck_assert_ok(frame_moments_add(&m, (FrameMoment) { .at = 0, .time = 45, .group = 1, .thread = 8 }));
        frame_moments_place(&m, begins);
        ck_assert_uint_eq(m.n, 4);
        for (size_t i = 0; i < m.n; i++) {
                static const FrameMoment expected[] = {
                        { .at = 0, .time = 45, .first = true }, { .at = 100, .time = 50, .first = true }, { .at = 103, .time = 60 },
                        { .at = 104, .time = 40, .first = true },
                };

                ck_assert_uint_eq(m.moments[i].at, expected[i].at);
                ck_assert_uint_eq(m.moments[i].time, expected[i].time);
                ck_assert(m.moments[i].first == expected[i].first);
        }
        frame_moments_done(&m);
}
END_TEST

/* Some of millions of samples are kept, and the first one of each thread. */
START_TEST(many) {
        FrameMoments m = {};

        frame_moments_begin(&m, 1000000);
        for (uint32_t i = 0; i < 1000000; i++)
                ck_assert_ok(frame_moments_add(&m, (FrameMoment) { .at = i, .time = i, .group = 1, .thread = i >= 999999 }));
        ck_assert_uint_gt(m.n, FRAME_MOMENTS_MAX / 2);
        ck_assert_uint_le(m.n, FRAME_MOMENTS_MAX + 2);
        ck_assert_uint_eq(m.moments[m.n - 1].at, 999999);
        frame_moments_done(&m);
}
END_TEST

TEST_RUN("frame-moments", placed, many);
