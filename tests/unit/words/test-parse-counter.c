/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "parse-counter.h"

#include "check-main.h"

static void assert_right(const char *s, const char *event, uint64_t threshold, usec_t window) {
        _cleanup_free_ char *e = NULL;
        uint64_t t;
        usec_t w;

        ck_assert_int_eq(parse_counter(s, &e, &t, &w, NULL), 0);
        ck_assert_str_eq(e, event);
        ck_assert_uint_eq(t, threshold);
        ck_assert_uint_eq(w, window);
}

START_TEST(test_right) {
        assert_right("context-switches>200000/1s", "context-switches", 200000, USEC_PER_SEC);
        assert_right("cycles/period=3,name=a>b/u>0/100ms", "cycles/period=3,name=a>b/u", 0, 100 * USEC_PER_MSEC);
        assert_right("sched:sched_switch>18446744073709551615/1h", "sched:sched_switch", UINT64_MAX, 60 * USEC_PER_MINUTE);
}
END_TEST

static void assert_wrong(const char *s, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char *event = NULL;
        uint64_t threshold;
        usec_t window;

        ck_assert_int_eq(parse_counter(s, &event, &threshold, &window, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, sentence);
        ck_assert_ptr_null(event);
}

START_TEST(test_wrong) {
        static const char form[] = "not EVENT>NUMBER/TIME, such as context-switches>200000/1s";

        assert_wrong("", form);
        assert_wrong("cs", form);
        assert_wrong(">5/1s", form);
        assert_wrong("cs>5", form);
        assert_wrong("cs>/1s", form);
        assert_wrong("cs>-5/1s", form);
        assert_wrong("cs>5/", form);
        assert_wrong("cs>5/1s/2s", form);
        assert_wrong("cs>5/99ms", "the time of a counter is from 100ms to 1h");
        assert_wrong("cs>5/61min", "the time of a counter is from 100ms to 1h");
}
END_TEST

CHECK_MAIN("parse-counter", test_right, test_wrong);
