/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "calendar-timer.h"
#include "check-main.h"
#include "parse-time.h"
#include "strv.h"

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

static int make(const char *first, const char *second, CalendarTimer **ret, Diagnosis *d) {
        char *expressions[] = { (char *) first, (char *) second, NULL };

        return calendar_timer_new(event, expressions, on_elapsed, NULL, ret, d);
}

START_TEST(test_elapses_again) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("2001-01-01", "*:*:*", &t, NULL), 0);
        while (n_elapsed < 2)
                ck_assert_int_gt(sd_event_run(event, 10 * USEC_PER_SEC), 0);
        ck_assert_str_eq(last, "*:*:*");
}
END_TEST

START_TEST(test_never) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = NULL;

        ck_assert_int_eq(make("2001-01-01", NULL, &t, NULL), 0);
        ck_assert_int_eq(sd_event_run(event, 100 * USEC_PER_MSEC), 0);
        ck_assert_uint_eq(n_elapsed, 0);
}
END_TEST

START_TEST(test_wrong) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        CalendarTimer *t = NULL;

        ck_assert_int_eq(make("hourly", "whenever", &t, &d), -EINVAL);
        ck_assert(strstr(d.sentence, "whenever"));
}
END_TEST

CHECK_MAIN_WITH("calendar-timer", setup, teardown, test_elapses_again, test_never, test_wrong);
