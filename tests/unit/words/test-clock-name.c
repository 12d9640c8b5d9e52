/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of clocks as perf record 6.1 takes them. */

#include "check-main.h"
#include "clock-name.h"

START_TEST(test_parse) {
        static const struct {
                const char *name;
                clockid_t clock;
        } cases[] = {
                { "realtime", CLOCK_REALTIME }, { "real", CLOCK_REALTIME },           { "monotonic", CLOCK_MONOTONIC },
                { "mono", CLOCK_MONOTONIC },    { "monotonic_raw", CLOCK_MONOTONIC_RAW }, { "raw", CLOCK_MONOTONIC_RAW },
                { "boottime", CLOCK_BOOTTIME }, { "boot", CLOCK_BOOTTIME },           { "tai", CLOCK_TAI },
                { "clock_tai", CLOCK_TAI },     { "CLOCK_MONOTONIC", CLOCK_MONOTONIC }, { "Boot", CLOCK_BOOTTIME },
                { "7", CLOCK_BOOTTIME },        { "0", CLOCK_REALTIME },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                clockid_t clock = -1;

                ck_assert_msg(clock_name_parse(cases[i].name, &clock, NULL) == 0, "%s", cases[i].name);
                ck_assert_int_eq(clock, cases[i].clock);
        }
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = { "", "CLOCK_", "perf", "monotonic-raw", "-1", "99", "1x" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                clockid_t clock = 42;

                ck_assert_msg(clock_name_parse(wrong[i], &clock, &d) == -EINVAL, "%s", wrong[i]);
                ck_assert_int_eq(clock, 42);
                ck_assert_ptr_nonnull(strstr(d.sentence, "clock_gettime(2)"));
        }
}
END_TEST

CHECK_MAIN("clock-name", test_parse, test_wrong);
