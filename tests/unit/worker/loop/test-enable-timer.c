/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "enable-timer.h"

#include "check-main.h"

typedef struct Calls {
        Loop *loop;
        char order[64]; /* + and -, ! for the last one */
        usec_t times[16];
        size_t n;
        int answer;
} Calls;

static int note_call(void *userdata, bool enable, bool last) {
        Calls *c = userdata;

        c->times[c->n++] = now_usec(CLOCK_MONOTONIC);
        strcat(c->order, enable ? "+" : "-");
        strcat(c->order, last ? "!" : "");
        if (last)
                loop_stop(c->loop);
        return c->answer;
}

static void assert_calls(const char *value, const char *order, usec_t at_least) {
        _cleanup_(enable_times_done) EnableTimes times = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(enable_timer_freep) EnableTimer *timer = NULL;
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        Calls calls = {};

        ck_assert_int_eq(loop_new(&loop), 0);
        calls.loop = loop;
        ck_assert_int_eq(enable_times_parse(&times, value, NULL), 0);
        ck_assert_int_eq(enable_timer_new(loop, &times, note_call, &calls, &timer), 0);
        ck_assert_int_eq(loop_run(loop), 0);
        ck_assert_str_eq(calls.order, order);
        ck_assert_uint_ge(calls.times[calls.n - 1] - begin, at_least);
}

START_TEST(test_one) {
        assert_calls("20", "+!", 20000);
}
END_TEST

START_TEST(test_ranges) {
        assert_calls("10-20,30-40", "+-+-!", 40000);
        assert_calls("0-1", "+-!", 1000);
}
END_TEST

/* Events are enabled by a control word only: the loop has no timer for it. */
START_TEST(test_never) {
        _cleanup_(enable_times_done) EnableTimes times = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(enable_timer_freep) EnableTimer *timer = NULL;
        Calls calls = {};

        ck_assert_int_eq(loop_new(&loop), 0);
        calls.loop = loop;
        ck_assert_int_eq(enable_times_parse(&times, "-1", NULL), 0);
        ck_assert_int_eq(enable_timer_new(loop, &times, note_call, &calls, &timer), 0);
        ck_assert_uint_eq(calls.n, 0);
}
END_TEST

START_TEST(test_error) {
        _cleanup_(enable_times_done) EnableTimes times = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(enable_timer_freep) EnableTimer *timer = NULL;
        Calls calls = { .answer = -EIO };

        ck_assert_int_eq(loop_new(&loop), 0);
        calls.loop = loop;
        ck_assert_int_eq(enable_times_parse(&times, "1-2", NULL), 0);
        ck_assert_int_eq(enable_timer_new(loop, &times, note_call, &calls, &timer), 0);
        ck_assert_int_eq(loop_run(loop), -EIO);
        ck_assert_str_eq(calls.order, "+");
}
END_TEST

CHECK_MAIN("enable-timer", test_one, test_ranges, test_never, test_error);
