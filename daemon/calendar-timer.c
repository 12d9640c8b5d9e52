/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One timer for the event that comes next; when it has elapsed, systemd is asked anew, so that a changed time zone or a
 * clock that was set is wrong once at most. Sleep of the machine counts: the wall clock's timers elapse after it. */

#include "calendar-timer.h"

#include <systemd/sd-event.h>

#include "calendar.h"
#include "journal.h"
#include "strv.h"

#define ACCURACY_USEC (1 * USEC_PER_SEC)

struct CalendarTimer {
        char **expressions;
        const char *next; /* of expressions: which elapses next */
        usec_t due;
        sd_event_source *source;
        CalendarElapsed elapsed;
        void *userdata;
};

CalendarTimer *calendar_timer_free(CalendarTimer *t) {
        if (!t)
                return NULL;
        sd_event_source_disable_unref(t->source);
        strv_free(t->expressions);
        free(t);
        return NULL;
}

bool calendar_timer_is_of(const CalendarTimer *t, char *const *expressions) {
        return strv_equal(t->expressions, expressions);
}

/* The earliest of all, after from. */
static int find_next(CalendarTimer *t, usec_t from, Diagnosis *d) {
        t->due = USEC_INFINITY;
        STRV_FOREACH(e, t->expressions) {
                usec_t next;
                int r = calendar_next(*e, from, &next, d);

                if (r < 0)
                        return r;
                if (next >= t->due)
                        continue;
                t->due = next;
                t->next = *e;
        }
        return 0;
}

static int arm(CalendarTimer *t) {
        int r;

        if (t->due == USEC_INFINITY)
                return sd_event_source_set_enabled(t->source, SD_EVENT_OFF);
        r = sd_event_source_set_time(t->source, t->due);
        return r < 0 ? r : sd_event_source_set_enabled(t->source, SD_EVENT_ONESHOT);
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        CalendarTimer *t = userdata;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        usec_t now = now_usec(CLOCK_REALTIME);
        int r;

        t->elapsed(t->next, t->userdata);
        r = find_next(t, now > t->due ? now : t->due, &d);
        if (r >= 0)
                r = arm(t);
        if (r < 0)
                journal_log(LOG_WARNING, "OnCalendar=%s does not elapse any more: %s", t->next, d.sentence ?: strerror(-r));
        return 0;
}

int calendar_timer_new(sd_event *event, char *const *expressions, CalendarElapsed elapsed, void *userdata, CalendarTimer **ret,
                       Diagnosis *d) {
        _cleanup_(calendar_timer_freep) CalendarTimer *t = calloc(1, sizeof(CalendarTimer));
        int r;

        if (!t)
                return -ENOMEM;
        *t = (CalendarTimer) { .elapsed = elapsed, .userdata = userdata };
        r = strv_extend_strv(&t->expressions, expressions);
        if (r >= 0)
                r = find_next(t, now_usec(CLOCK_REALTIME), d);
        if (r >= 0)
                r = sd_event_add_time(event, &t->source, CLOCK_REALTIME, 0, ACCURACY_USEC, on_time, t);
        if (r >= 0)
                r = arm(t);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}
