/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "time-ranges.h"

/* The spans of a recording from 1,000 ns to 2,000 ns, as "SINCE-UNTIL ...". */
static const char *spans_of(const char *words) {
        static char text[256];
        _cleanup_free_ TimeRange *ranges = NULL;
        _cleanup_free_ SampleSpan *spans = NULL;
        size_t n, used = 0;

        text[0] = '\0';
        if (time_ranges_parse(words, &ranges, &n) < 0)
                return "bad";
        spans = time_ranges_spans(ranges, n, 1000, 2000);
        ck_assert_ptr_nonnull(spans);
        for (size_t i = 0; i < n; i++)
                used += (size_t) snprintf(text + used, sizeof(text) - used, "%s%lu-%lu", i > 0 ? " " : "", (unsigned long) spans[i].since,
                                          (unsigned long) spans[i].until);
        return text;
}

START_TEST(test_parts) {
        ck_assert_str_eq(spans_of("10%/1"), "1000-1099");
        ck_assert_str_eq(spans_of("10%"), "1000-1099");
        ck_assert_str_eq(spans_of("10%/10"), "1900-2000");
        ck_assert_str_eq(spans_of("10%/2,10%/4"), "1100-1199 1300-1399");
        ck_assert_str_eq(spans_of("0%-20%"), "1000-1199");
        ck_assert_str_eq(spans_of("0%-10%,12.5%-100%"), "1000-1099 1125-2000");
        ck_assert_str_eq(spans_of("50%-50%"), "1500-1500");
}
END_TEST

START_TEST(test_spans) {
        ck_assert_str_eq(spans_of("0.000000001,0.000000005"), "1-5");
        ck_assert_str_eq(spans_of("1,2 3.5,"), "1000000000-2000000000 3500000000-0");
}
END_TEST

START_TEST(test_bad) {
        static const char *const bad[] = {
                "", " ", "%", "10%/0", "10%/11", "10%/", "10%/x", "20%-10%", "0%-101%", "-1%", "nan%", "inf%", "0x10%", "10%-20", "10%,1,2", "10",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(streq(spans_of(bad[i]), "bad"), "'%s': %s", bad[i], spans_of(bad[i]));
}
END_TEST

/* 2^64 - 1 ns round up to 2^64. */
START_TEST(test_longest) {
        const TimeRange all = { .is_part = true, .from = 1, .to = 1 };
        _cleanup_free_ SampleSpan *spans = time_ranges_spans(&all, 1, 0, UINT64_MAX);

        ck_assert_ptr_nonnull(spans);
        ck_assert_uint_eq(spans[0].since, UINT64_MAX);
        ck_assert_uint_eq(spans[0].until, UINT64_MAX);
}
END_TEST

CHECK_MAIN("time-ranges", test_parts, test_spans, test_bad, test_longest);
