/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Points in time, in all their forms. Now is Saturday, 2026-11-21 10:53:18.5 in a zone an hour east. */

#include "check-main.h"
#include "parse-timestamp.h"

#define NOW (UINT64_C(1795254798) * USEC_PER_SEC + 500000)
#define MIDNIGHT (UINT64_C(1795215600) * USEC_PER_SEC) /* 00:00:00 +01:00 */
#define HOUR (3600 * USEC_PER_SEC)

static usec_t parsed(const char *s) {
        usec_t t = 0;
        int r;

        (void) setenv("TZ", "XYZ-1", 1);
        tzset();
        r = parse_timestamp(s, NOW, &t);
        ck_assert_msg(r == 0, "%s: %s", s, strerror(-r));
        return t;
}

START_TEST(test_relative) {
        ck_assert_uint_eq(parsed("now"), NOW);
        ck_assert_uint_eq(parsed("-5min"), NOW - 300 * USEC_PER_SEC);
        ck_assert_uint_eq(parsed("+1.5s"), NOW + 1500000);
        ck_assert_uint_eq(parsed("2 hours ago"), NOW - 2 * HOUR);
        ck_assert_uint_eq(parsed("1h 30min ago"), NOW - HOUR - HOUR / 2);
        ck_assert_uint_eq(parsed("1h left"), NOW + HOUR);
        ck_assert_uint_eq(parsed("30s"), NOW - 30 * USEC_PER_SEC);
        ck_assert_uint_eq(parsed("@1795215600"), MIDNIGHT);
        ck_assert_uint_eq(parsed("@1795215600.5"), MIDNIGHT + 500000);
}
END_TEST

START_TEST(test_calendar) {
        ck_assert_uint_eq(parsed("today"), MIDNIGHT);
        ck_assert_uint_eq(parsed("yesterday"), MIDNIGHT - 24 * HOUR);
        ck_assert_uint_eq(parsed("tomorrow"), MIDNIGHT + 24 * HOUR);
        ck_assert_uint_eq(parsed("2026-11-21"), MIDNIGHT);
        ck_assert_uint_eq(parsed("2026-11-20 01:00"), MIDNIGHT - 23 * HOUR);
        ck_assert_uint_eq(parsed("2026-11-21T01:00:01"), MIDNIGHT + HOUR + USEC_PER_SEC);
        ck_assert_uint_eq(parsed("Sat 2026-11-21 01:00:00.25"), MIDNIGHT + HOUR + 250000);
        ck_assert_uint_eq(parsed("Sat, 2026-11-21 00:00:00 UTC"), MIDNIGHT + HOUR);
        ck_assert_uint_eq(parsed("01:00"), MIDNIGHT + HOUR);
        ck_assert_uint_eq(parsed("01:00:02"), MIDNIGHT + HOUR + 2 * USEC_PER_SEC);
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = {
                "", "soon", "2026-13-01", "2026-11-21 25:00", "10:53 o'clock", "-", "infinity", "5min agoo",
        };
        usec_t t = 7;

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                ck_assert_msg(parse_timestamp(wrong[i], NOW, &t) < 0, "%s", wrong[i]);
        ck_assert_int_eq(parse_timestamp("-1000y", NOW, &t), -ERANGE);
        ck_assert_uint_eq(t, 7);
}
END_TEST

CHECK_MAIN("parse-timestamp", test_relative, test_calendar, test_wrong);
