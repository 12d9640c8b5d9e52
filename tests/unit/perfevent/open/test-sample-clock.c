/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The offset of the samples' clock, from the kernel. */

#include <time.h>

#include "check-main.h"
#include "sample-clock.h"

#define SECOND INT64_C(1000000000)

static int64_t now(clockid_t clock) {
        struct timespec t;

        ck_assert_int_eq(clock_gettime(clock, &t), 0);
        return (int64_t) t.tv_sec * SECOND + t.tv_nsec;
}

START_TEST(test_known_clock) {
        const struct perf_event_attr attr = { .use_clockid = 1, .clockid = CLOCK_MONOTONIC };
        int64_t expected = now(CLOCK_REALTIME) - now(CLOCK_MONOTONIC), offset = 0;
        SampleClock c;

        ck_assert_int_eq(sample_clock_open(&c, &attr), 0);
        ck_assert_int_eq(sample_clock_offset(&c, &offset), 0);
        ck_assert_int_lt(offset - expected, SECOND / 100);
        ck_assert_int_gt(offset - expected, -SECOND / 100);
        sample_clock_done(&c);
}
END_TEST

/* The scheduler's clock can't be read, but it runs as fast as the others. */
START_TEST(test_default_clock) {
        const struct perf_event_attr attr = {};
        int64_t first = 0, second = 0;
        SampleClock c = SAMPLE_CLOCK_EMPTY;
        int r = sample_clock_open(&c, &attr);

        if (r < 0)
                return; /* not allowed to open events here */
        ck_assert_int_eq(sample_clock_offset(&c, &first), 0);
        ck_assert_int_gt(first, 0);
        ck_assert_int_lt(first, now(CLOCK_REALTIME));
        ck_assert_int_eq(usleep(20000), 0);
        ck_assert_int_eq(sample_clock_offset(&c, &second), 0);
        ck_assert_int_lt(second - first, SECOND / 200);
        ck_assert_int_gt(second - first, -SECOND / 200);
        for (unsigned i = 0; i < 1000; i++) /* the ring wraps around */
                ck_assert_int_eq(sample_clock_offset(&c, &second), 0);
        sample_clock_done(&c);
}
END_TEST

CHECK_MAIN("sample-clock", test_known_clock, test_default_clock);
