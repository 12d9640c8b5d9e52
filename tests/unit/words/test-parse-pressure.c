/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "parse-pressure.h"

#include "check-main.h"

START_TEST(test_right) {
        usec_t threshold, window;

        ck_assert_int_eq(parse_pressure("150ms/1s", &threshold, &window, NULL), 0);
        ck_assert_uint_eq(threshold, 150 * USEC_PER_MSEC);
        ck_assert_uint_eq(window, USEC_PER_SEC);
        ck_assert_int_eq(parse_pressure("10s/10s", &threshold, &window, NULL), 0);
        ck_assert_int_eq(parse_pressure("1us/0.5s", &threshold, &window, NULL), 0);
        ck_assert_uint_eq(threshold, 1);
        ck_assert_uint_eq(window, 500 * USEC_PER_MSEC);
}
END_TEST

static void assert_wrong(const char *s, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        usec_t threshold = 7, window = 7;

        ck_assert_int_eq(parse_pressure(s, &threshold, &window, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, sentence);
        ck_assert_uint_eq(threshold + window, 14);
}

START_TEST(test_wrong) {
        static const char no_spans[] = "not THRESHOLD/WINDOW, two time spans such as 150ms/1s";

        assert_wrong("", no_spans);
        assert_wrong("150ms", no_spans);
        assert_wrong("/1s", no_spans);
        assert_wrong("150ms/", no_spans);
        assert_wrong("1s/2s/3s", no_spans);
        assert_wrong("1ms/499ms", "a window of pressure is from 500ms to 10s");
        assert_wrong("1ms/infinity", "a window of pressure is from 500ms to 10s");
        assert_wrong("0/1s", "a threshold of pressure is above 0 and not above its window");
        assert_wrong("1100ms/1s", "a threshold of pressure is above 0 and not above its window");
}
END_TEST

CHECK_MAIN("parse-pressure", test_right, test_wrong);
