/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One timer for the event that comes next. Its time is found by asking systemd's program about one expression after the other;
 * the loop goes on in the meantime. When it has elapsed all are asked again, so that a changed time zone or a clock that was set
 * is wrong once at most. Sleep of the machine counts: the wall clock's timers elapse after it. */

#include "calendar-timer.h"

#include "calendar.h"
#include "strv.h"

#define ACCURACY_USEC (1 * USEC_PER_SEC)

struct CalendarTimer {
        sd_event *event;
        char **expressions;
        CalendarHandler handler;
        uint32_t wrong; /* of expressions: a bit for each that is none, which was reported */
        /* The event that comes next, of those that have been asked for. */
        const char *next; /* of expressions */
        usec_t due;
        sd_event_source *source;
        /* The question that is out. */
        size_t asked; /* which of the expressions */
        usec_t from;
        Program program;
        sd_event_source *answer, *timeout;
};

static void drop_question(CalendarTimer *t) {
        t->answer = sd_event_source_disable_unref(t->answer);
        t->timeout = sd_event_source_disable_unref(t->timeout);
        program_done(&t->program);
}

CalendarTimer *calendar_timer_free(CalendarTimer *t) {
        if (!t)
                return NULL;
        drop_question(t);
        sd_event_source_disable_unref(t->source);
        strv_free(t->expressions);
        free(t);
        return NULL;
}

bool calendar_timer_is_of(const CalendarTimer *t, char *const *expressions) {
        return strv_equal(t->expressions, expressions);
}

static void ask_rest(CalendarTimer *t);

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        CalendarTimer *t = userdata;
        usec_t now = now_usec(CLOCK_REALTIME);

        t->handler.elapsed(t->next, t->handler.userdata);
        t->asked = 0;
        t->from = MAX_OF(now, t->due);
        t->due = USEC_INFINITY;
        ask_rest(t);
        return 0;
}

static void report_wrong(CalendarTimer *t, int error, const Diagnosis *d) {
        if (error == -EINVAL)
                t->wrong |= UINT32_C(1) << t->asked % 32;
        t->handler.wrong(t->expressions[t->asked], d->sentence ?: strerror(-error), t->handler.userdata);
}

static void take_answer(CalendarTimer *t) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        usec_t next;
        int r = calendar_take_answer(&t->program, t->expressions[t->asked], &next, &d);

        drop_question(t);
        if (r < 0)
                report_wrong(t, r, &d);
        else if (next < t->due) {
                t->due = next;
                t->next = t->expressions[t->asked];
        }
        t->asked++;
        ask_rest(t);
}

static int on_answer(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        take_answer(userdata);
        return 0;
}

static int on_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        take_answer(userdata);
        return 0;
}

static int ask(CalendarTimer *t, Diagnosis *d) {
        int r = calendar_ask(t->expressions[t->asked], t->from, &t->program, d);

        if (r >= 0)
                r = sd_event_add_io(t->event, &t->answer, t->program.pidfd, EPOLLIN, on_answer, t);
        if (r >= 0)
                r = sd_event_add_time_relative(t->event, &t->timeout, CLOCK_MONOTONIC, CALENDAR_TIMEOUT_USEC, 0, on_timeout, t);
        if (r < 0)
                drop_question(t);
        return r;
}

/* From t->asked on; then the timer is set for the earliest of all. */
static void ask_rest(CalendarTimer *t) {
        for (; t->expressions[t->asked]; t->asked++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                int r;

                if (t->wrong & UINT32_C(1) << t->asked % 32)
                        continue;
                r = ask(t, &d);
                if (r >= 0)
                        return;
                report_wrong(t, r, &d);
        }
        t->source = sd_event_source_disable_unref(t->source);
        if (t->due != USEC_INFINITY)
                (void) sd_event_add_time(t->event, &t->source, CLOCK_REALTIME, t->due, ACCURACY_USEC, on_time, t);
}

int calendar_timer_new(sd_event *event, char *const *expressions, const CalendarHandler *handler, CalendarTimer **ret) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = calloc(1, sizeof(CalendarTimer));
        int r;

        if (!t)
                return -ENOMEM;
        *t = (CalendarTimer) { .event = event, .handler = *handler, .program = PROGRAM_EMPTY, .due = USEC_INFINITY,
                               .from = now_usec(CLOCK_REALTIME) };
        r = strv_extend_strv(&t->expressions, expressions);
        if (r < 0)
                return r;
        ask_rest(t);
        *ret = steal_ptr(t);
        return 0;
}
