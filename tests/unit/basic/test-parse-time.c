/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Time spans in the words of systemd.time(7), both ways, and timestamps. */

#include "check-main.h"
#include "parse-time.h"

START_TEST(test_parse) {
        static const struct {
                const char *s;
                int r;
                usec_t t;
        } cases[] = {
                { "50", 0, 50 * USEC_PER_SEC },
                { "0", 0, 0 },
                { "2min 200ms", 0, 120200 * USEC_PER_MSEC },
                { "2 min200 ms ", 0, 120200 * USEC_PER_MSEC },
                { " 1.5h", 0, 90 * USEC_PER_MINUTE },
                { "1h30m", 0, 90 * USEC_PER_MINUTE },
                { ".5s", 0, 500 * USEC_PER_MSEC },
                { "0.0000019s", 0, 1 },
                { "3us", 0, 3 },
                { "3usec", 0, 3 },
                { "3\xc2\xb5s", 0, 3 },
                { "3\xce\xbcs", 0, 3 },
                { "1d", 0, 86400 * USEC_PER_SEC },
                { "2weeks", 0, 14 * 86400 * USEC_PER_SEC },
                { "1M", 0, 2629800 * USEC_PER_SEC },
                { "1year", 0, 31557600 * USEC_PER_SEC },
                { "infinity", 0, USEC_INFINITY },
                { "", -EINVAL, 0 },
                { "  ", -EINVAL, 0 },
                { "s", -EINVAL, 0 },
                { "5 parsecs", -EINVAL, 0 },
                { "5S", -EINVAL, 0 },
                { "1.s.", -EINVAL, 0 },
                { ".", -EINVAL, 0 },
                { "infinity 1s", -EINVAL, 0 },
                { "-1s", -ERANGE, 0 },
                { "18446744073709551616", -ERANGE, 0 },
                { "600000y", -ERANGE, 0 },
                { "18446744073709551615us", -ERANGE, 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                usec_t t = 4711;

                ck_assert_msg(parse_timespan(cases[i].s, &t) == cases[i].r, "%s", cases[i].s);
                ck_assert_msg(t == (cases[i].r < 0 ? 4711 : cases[i].t), "%s gave %" PRIu64, cases[i].s, t);
        }
}
END_TEST

START_TEST(test_format) {
        static const struct {
                usec_t t;
                const char *s;
        } cases[] = {
                { 0, "0" },
                { 1, "1us" },
                { 1500, "1ms 500us" },
                { 125 * USEC_PER_SEC, "2min 5s" },
                { 125 * USEC_PER_SEC + 5, "2min 5s" },
                { 3600 * USEC_PER_SEC + 5 * USEC_PER_SEC, "1h" },
                { 26 * 3600 * USEC_PER_SEC, "1d 2h" },
                { 400 * UINT64_C(86400) * USEC_PER_SEC, "1y 1month" },
                { USEC_INFINITY, "infinity" },
        };
        char buf[64];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                ck_assert_ptr_eq(format_timespan(buf, sizeof(buf), cases[i].t), buf);
                ck_assert_str_eq(buf, cases[i].s);
        }
        ck_assert_str_eq(format_timespan(buf, 4, 125 * USEC_PER_SEC), "2mi");
}
END_TEST

START_TEST(test_nsec) {
        static const struct {
                uint64_t nsec;
                const char *s;
        } cases[] = {
                { 0, "0.00us" }, { 1500, "1.50us" }, { 99940, "99.9us" }, { 850000, "850us" }, { 999600, "1.00ms" }, { 12340000, "12.3ms" },
                { 3214000000, "3.21s" }, { 59940000000, "59.9s" }, { 125 * NSEC_PER_SEC, "2min 5s" },
        };
        char buf[64];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                ck_assert_str_eq(format_nsec(buf, sizeof(buf), cases[i].nsec), cases[i].s);
}
END_TEST

START_TEST(test_timestamp) {
        char buf[64];

        setenv("TZ", "UTC", 1);
        tzset();
        ck_assert_str_eq(format_timestamp(buf, sizeof(buf), UINT64_C(1795258398) * USEC_PER_SEC + 999999),
                         "Sat 2026-11-21 10:53:18 UTC");
        ck_assert_str_eq(format_timestamp(buf, 5, 0), "");
        ck_assert_str_eq(format_timestamp(buf, sizeof(buf), USEC_INFINITY - 1), "Wed 586524-01-19 08:01:49 UTC");
}
END_TEST

START_TEST(test_now) {
        usec_t first = now_usec(CLOCK_MONOTONIC);

        ck_assert_uint_gt(first, 0);
        ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC), first);
        ck_assert_uint_gt(now_usec(CLOCK_REALTIME), UINT64_C(1700000000) * USEC_PER_SEC);
}
END_TEST

CHECK_MAIN("parse-time", test_parse, test_format, test_nsec, test_timestamp, test_now);
