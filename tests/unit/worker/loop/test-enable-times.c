/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "enable-times.h"

#include "check-main.h"

static void assert_times(const char *value, size_t n, const EnableRange *expected) {
        _cleanup_(enable_times_done) EnableTimes t = {};

        ck_assert_msg(enable_times_parse(&t, value, NULL) == 0, "%s", value);
        ck_assert_uint_eq(t.n_ranges, n);
        ck_assert(enable_times_delay(&t) == (n > 0));
        for (size_t i = 0; i < n; i++) {
                ck_assert_uint_eq(t.ranges[i].from, expected[i].from);
                ck_assert_uint_eq(t.ranges[i].to, expected[i].to);
        }
}

START_TEST(test_one) {
        assert_times("0", 0, NULL);
        assert_times("500", 1, &(EnableRange) { 500000, USEC_INFINITY });
        assert_times("-1", 1, &(EnableRange) { USEC_INFINITY, USEC_INFINITY });
}
END_TEST

START_TEST(test_ranges) {
        assert_times("10-20", 1, &(EnableRange) { 10000, 20000 });
        assert_times("0-5,10-20", 2, (EnableRange[]) { { 0, 5000 }, { 10000, 20000 } });
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = { "", "x", "-2", "-", "1-", "-1-2", "5-5", "20-10", "1-2,", ",1-2", "1-2,3", "1-2,2-3",
                                             "10-20,5-8", "1.5", "99999999999999", "1-99999999999999", "1-2-3" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(enable_times_done) EnableTimes t = {};
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(enable_times_parse(&t, "7", NULL), 0);
                ck_assert_msg(enable_times_parse(&t, wrong[i], &d) < 0, "%s", wrong[i]);
                ck_assert_ptr_nonnull(d.sentence);
                ck_assert_uint_eq(t.ranges[0].from, 7000); /* as it was */
        }
}
END_TEST

START_TEST(test_again) {
        _cleanup_(enable_times_done) EnableTimes t = {};

        ck_assert_int_eq(enable_times_parse(&t, "10-20,30-40", NULL), 0);
        ck_assert_int_eq(enable_times_parse(&t, "0", NULL), 0);
        ck_assert(!enable_times_delay(&t));
}
END_TEST

CHECK_MAIN("enable-times", test_one, test_ranges, test_wrong, test_again);
