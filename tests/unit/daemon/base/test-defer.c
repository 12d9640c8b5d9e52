/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "defer.h"

static sd_event *event;
static sd_event_source *source;
static unsigned n_runs, n_more;

static int on_turn(sd_event_source *s, void *userdata) {
        n_runs++;
        if (n_more > 0 && n_more--)
                defer_once(event, &source, SD_EVENT_PRIORITY_IDLE, on_turn, NULL);
        return 0;
}

static void ask_for_it(unsigned n) {
        for (unsigned i = 0; i < n; i++)
                defer_once(event, &source, SD_EVENT_PRIORITY_IDLE, on_turn, NULL);
        while (sd_event_run(event, 0) > 0)
                ;
}

START_TEST(test_once) {
        ck_assert_int_ge(sd_event_new(&event), 0);
        ask_for_it(3);
        ck_assert_uint_eq(n_runs, 1);
        ask_for_it(2);
        ck_assert_uint_eq(n_runs, 2);
        n_more = 4; /* its handler defers again */
        ask_for_it(1);
        ck_assert_uint_eq(n_runs, 7);
        source = sd_event_source_disable_unref(source);
        event = sd_event_unref(event);
}
END_TEST

static sd_event_source *work;
static unsigned n_works;

static int on_work(sd_event_source *s, void *userdata) {
        n_works++;
        return 0;
}

static int on_wait(sd_event_source *s, void *userdata) {
        n_runs++;
        if (n_works == 0 && n_runs < 100)
                defer_once(event, &source, SD_EVENT_PRIORITY_IDLE, on_wait, NULL);
        return 0;
}

/* A handler that asks again until another one has run does not keep that one from running. */
START_TEST(test_turns) {
        ck_assert_int_ge(sd_event_new(&event), 0);
        n_runs = 0;
        defer_once(event, &source, SD_EVENT_PRIORITY_IDLE, on_wait, NULL);
        ck_assert_int_gt(sd_event_run(event, 0), 0);
        defer_once(event, &work, SD_EVENT_PRIORITY_IDLE, on_work, NULL);
        while (sd_event_run(event, 0) > 0)
                ;
        ck_assert_uint_eq(n_works, 1);
        ck_assert_uint_le(n_runs, 3);
        source = sd_event_source_disable_unref(source);
        work = sd_event_source_disable_unref(work);
        event = sd_event_unref(event);
}
END_TEST

static int on_time(sd_event_source *s, uint64_t usec, void *userdata) {
        n_runs++;
        return 0;
}

START_TEST(test_for_a_time) {
        ck_assert_int_ge(sd_event_new(&event), 0);
        for (unsigned i = 1; i < 3; i++) {
                n_runs = 0;
                defer_for(event, &source, 3600000000, 1, on_time, NULL);
                defer_for(event, &source, 1000, 1, on_time, NULL); /* the last time counts */
                while (n_runs == 0)
                        ck_assert_int_ge(sd_event_run(event, UINT64_MAX), 0);
                ck_assert_int_eq(sd_event_run(event, 0), 0);
        }
        source = sd_event_source_disable_unref(source);
        event = sd_event_unref(event);
}
END_TEST

CHECK_MAIN("defer", test_once, test_turns, test_for_a_time);
