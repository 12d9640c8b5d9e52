/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "calendar-timer.h"
#include "check-main.h"
#include "parse-time.h"

static sd_event *event;
static unsigned n_elapsed;
static char last[64];

static void on_elapsed(const char *expression, void *userdata) {
        n_elapsed++;
        (void) snprintf(last, sizeof(last), "%s", expression);
}

static void setup(void) {
        ck_assert_int_ge(sd_event_new(&event), 0);
}

static void teardown(void) {
        sd_event_unref(event);
}

static char wrong[256];

static void on_wrong(const char *expression, const char *sentence, void *userdata) {
        (void) snprintf(wrong, sizeof(wrong), "%s: %s", expression, sentence);
}

static int make(const char *first, const char *second, CalendarTimer **ret) {
        const CalendarHandler handler = { .elapsed = on_elapsed, .wrong = on_wrong };
        char *expressions[] = { (char *) first, (char *) second, NULL };

        wrong[0] = '\0';
        return calendar_timer_new(event, expressions, &handler, ret);
}

static void run_for(usec_t usec) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + usec, now;

        while ((now = now_usec(CLOCK_MONOTONIC)) < end)
                ck_assert_int_ge(sd_event_run(event, end - now), 0);
}

START_TEST(test_elapses_again) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("2001-01-01", "*:*:*", &t), 0);
        while (n_elapsed < 2)
                ck_assert_int_gt(sd_event_run(event, 10 * USEC_PER_SEC), 0);
        ck_assert_str_eq(last, "*:*:*");
}
END_TEST

START_TEST(test_never) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("2001-01-01", NULL, &t), 0);
        run_for(300 * USEC_PER_MSEC);
        ck_assert_str_eq(wrong, "");
        ck_assert_uint_eq(n_elapsed, 0);
}
END_TEST

START_TEST(test_wrong) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("*:*:*", "whenever", &t), 0);
        while (!*wrong)
                ck_assert_int_gt(sd_event_run(event, 10 * USEC_PER_SEC), 0);
        ck_assert_ptr_nonnull(startswith(wrong, "whenever: "));
        n_elapsed = 0;
        wrong[0] = '\0';
        while (n_elapsed < 2) /* the other one does, and this one is reported only once */
                ck_assert_int_gt(sd_event_run(event, 10 * USEC_PER_SEC), 0);
        ck_assert_str_eq(wrong, "");
}
END_TEST

/* Freeing does not wait: the answer may come after the timer is freed. */
START_TEST(test_freed_while_it_asks) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("*:*:*", NULL, &t), 0);
}
END_TEST

CHECK_MAIN_WITH("calendar-timer", setup, teardown, test_elapses_again, test_never, test_wrong, test_freed_while_it_asks);
