/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Points in time, in all their forms. Now is Saturday, 2026-11-21 10:53:18.5 in a zone an hour east. */

#include "check-main.h"
#include "parse-timestamp.h"

#define NOW (UINT64_C(1795254798) * USEC_PER_SEC + 500000)
#define MIDNIGHT (UINT64_C(1795215600) * USEC_PER_SEC) /* 00:00:00 +01:00 */
#define TEN_53_18 (UINT64_C(1795258398) * USEC_PER_SEC)
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

/* All are 2026-11-21 10:53:18 in UTC, an hour after now: what date(1), journalctl(1) and log files print, here and elsewhere. */
START_TEST(test_printed) {
        static const char *const forms[] = {
                /* date(1), in the locales C, en_US, and en_US before glibc 2.31, en_GB */
                "Sat Nov 21 11:53:18 XYZ 2026", "Sat Nov 21 10:53:18 UTC 2026", "Sat Nov 21 11:53:18 AM XYZ 2026",
                "Sat Nov 21 10:53:18 AM UTC 2026", "Sat 21 Nov 2026 10:53:18 AM UTC", "Sat 21 Nov 10:53:18 UTC 2026",
                "Sat Nov 21 11:53:18 2026",
                /* date --rfc-3339=seconds, --rfc-3339=ns, --iso-8601=seconds, --iso-8601=ns, --rfc-email, +%FT%TZ, +%s */
                "2026-11-21 11:53:18+01:00", "2026-11-21 10:53:18.000000000+00:00", "2026-11-21T11:53:18+01:00",
                "2026-11-21T05:53:18,000000000-05:00", "Sat, 21 Nov 2026 16:23:18 +0530", "2026-11-21T10:53:18Z", "@1795258398",
                /* journalctl -o short, short-precise, short-iso, short-iso-precise, short-full, short-unix */
                "Nov 21 11:53:18", "Nov 21 11:53:18.000000", "2026-11-21T11:53:18+0100", "2026-11-21T11:53:18.000000+0100",
                "Sat 2026-11-21 11:53:18 XYZ", "Sat 2026-11-21 10:53:18 UTC", "Sat 2026-11-21 11:53:18.000000 XYZ",
                "@1795258398.000000",
                /* syslog, nginx, Apache, dmesg -T, git, HTTP, ls --full-time, PostgreSQL, Python, Java, Redis */
                "2026-11-21T10:53:18.000000+00:00", "2026/11/21 11:53:18", "21/Nov/2026:12:53:18 +0200",
                "[21/Nov/2026:10:53:18 +0000]", "[Sat Nov 21 11:53:18 2026]", "Sat Nov 21 12:53:18 2026 +0200",
                "2026-11-21 12:53:18 +0200", "Sat, 21 Nov 2026 10:53:18 GMT", "2026-11-21 10:53:18.000000000 +0000",
                "2026-11-21 10:53:18.000 UTC", "2026-11-21 11:53:18,000", "Nov 21, 2026 11:53:18 AM", "21 Nov 2026 11:53:18.000",
                /* others */
                "2026-11-21T12:53:18+02", "2026-11-21 10:53:18z", "20261121T105318Z", "2026-11-20T23:53:18-11:00", "11:53:18",
                "10:53:18Z", "12:53:18+02:00", "11:53:18 AM", "saturday, 2026-11-21 11:53:18",
        };

        for (size_t i = 0; i < ELEMENTSOF(forms); i++)
                ck_assert_msg(parsed(forms[i]) == TEN_53_18, "%s: %" PRIu64, forms[i], parsed(forms[i]));
}
END_TEST

/* Fractions, minutes and dates alone, and dates without a year, which are not to come. */
START_TEST(test_parts) {
        static const struct {
                const char *form;
                usec_t expected;
        } table[] = {
                { "2026-11-21T10:53:18.25Z", TEN_53_18 + 250000 },
                { "2026-11-21 10:53:18,123456789+00:00", TEN_53_18 + 123456 },
                { "Sat Nov 21 10:53:18.5 UTC 2026", TEN_53_18 + 500000 },
                { "@1795258398,5", TEN_53_18 + 500000 },
                { "11:53:18,5", TEN_53_18 + 500000 },
                { "2026-11-21T11:53+01:00", TEN_53_18 - 18 * USEC_PER_SEC },       /* date --iso-8601=minutes */
                { "2026-11-21T10+00:00", TEN_53_18 - (53 * 60 + 18) * USEC_PER_SEC }, /* date --iso-8601=hours */
                { "Nov 21 11:53", TEN_53_18 - 18 * USEC_PER_SEC },                 /* ls -l */
                { "10:53Z", TEN_53_18 - 18 * USEC_PER_SEC },
                { "Nov 21", MIDNIGHT },
                { "Nov 20 2026", MIDNIGHT - 24 * HOUR },
                { "21 Nov 2026", MIDNIGHT },
                { "2026/11/21", MIDNIGHT },
                { "2026-11-21 UTC", MIDNIGHT + HOUR },
                { "12:00 AM", MIDNIGHT },
                { "12:00:01 PM", MIDNIGHT + 12 * HOUR + USEC_PER_SEC },
                { "Nov  1 00:00:00", MIDNIGHT - 20 * 24 * HOUR },
                { "Nov 22 10:53:18", TEN_53_18 + 23 * HOUR },
                { "Nov 23 11:53:18", TEN_53_18 - (365 - 2) * 24 * HOUR },
                { "Dec 31 11:53:18", TEN_53_18 - (365 - 40) * 24 * HOUR },
                { "23:30-02:00", MIDNIGHT + HOUR + 25 * HOUR + HOUR / 2 }, /* today is there the same day */
                { "315000000", NOW - 315000000 * USEC_PER_SEC },
                { "1000000000s", NOW - 1000000000 * USEC_PER_SEC },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++)
                ck_assert_msg(parsed(table[i].form) == table[i].expected, "%s: %" PRIu64, table[i].form, parsed(table[i].form));
}
END_TEST

/* The hour that comes twice has the zone's name; names of other zones are not known. */
START_TEST(test_zones) {
        const usec_t hour = UINT64_C(1792886400) * USEC_PER_SEC; /* 2026-10-25 00:00 UTC */
        usec_t t = 0;

        (void) setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
        ck_assert_int_eq(parse_timestamp("Sun 2026-10-25 02:30:00 CEST", NOW, &t), 0);
        ck_assert_uint_eq(t, hour + HOUR / 2);
        ck_assert_int_eq(parse_timestamp("Sun Oct 25 02:30:00 CET 2026", NOW, &t), 0);
        ck_assert_uint_eq(t, hour + HOUR + HOUR / 2);
        ck_assert_int_eq(parse_timestamp("2026-07-01 02:00:00", NOW, &t), 0);
        ck_assert_uint_eq(t, UINT64_C(1782864000) * USEC_PER_SEC);
        ck_assert_int_lt(parse_timestamp("2026-07-01 02:00:00 XYZ", NOW, &t), 0);
}
END_TEST

static void expect_examples(const char *s, const char *expected) {
        char buf[128];
        usec_t t;

        ck_assert_int_eq(parse_timestamp(s, NOW, &t), -EINVAL);
        ck_assert_str_eq(timestamp_examples(s, buf, sizeof(buf)), expected);
}

/* Both forms that are shown are understood. A number that was meant as a time is not taken for a span. */
START_TEST(test_examples) {
        (void) setenv("TZ", "XYZ-1", 1);
        expect_examples("soon", "'2026-11-21 10:53:18' or '-5min'");
        expect_examples("1795258398", "'@1795258398' or '2026-11-21 11:53:18'");
        expect_examples(" 1795258398.5", "'@1795258398.5' or '2026-11-21 11:53:18'");
        expect_examples("1795258398123", "'2026-11-21 10:53:18' or '-5min'"); /* milliseconds */
        expect_examples("1795258398123456789", "'2026-11-21 10:53:18' or '-5min'");
        ck_assert_uint_eq(parsed("@1795258398"), parsed("2026-11-21 11:53:18"));
        ck_assert_uint_eq(parsed("-5min"), NOW - 300 * USEC_PER_SEC);
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = {
                "", "soon", "2026-13-01", "2026-11-21 25:00", "10:53 o'clock", "-", "infinity", "5min agoo",
                "2026-11-21T10:53:18+25:00", "2026-11-21T10:53:18+0", "2026-11-21T10:53:18+01:60", "2026-11-21 10:53:18 EST",
                "2026-11-21 10:53:18 UTC UTC", "Nov 21 10:53:18 2026 2027", "2026-11-21 10:53:18 2026", "13:00 PM", "00:30 AM",
                "10:53:18.", "26-11-21", "Nov", "Smarch 21 10:53:18", "[10:53:18", "[]", "10:53:18 2026", "2026-11-21 AM",
        };
        usec_t t = 7;

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                ck_assert_msg(parse_timestamp(wrong[i], NOW, &t) < 0, "%s", wrong[i]);
        ck_assert_int_eq(parse_timestamp("-1000y", NOW, &t), -ERANGE);
        ck_assert_uint_eq(t, 7);
}
END_TEST

CHECK_MAIN("parse-timestamp", test_relative, test_calendar, test_printed, test_parts, test_zones, test_examples, test_wrong);
