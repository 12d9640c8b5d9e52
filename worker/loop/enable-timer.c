/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One timer, armed for the next of the times. All times count from one beginning, so a late wake-up does not delay those that
 * follow. */

#include "enable-timer.h"

struct EnableTimer {
        Loop *loop;
        const EnableTimes *times;
        EnableTimerHandler handler;
        void *userdata;
        usec_t begin; /* CLOCK_MONOTONIC */
        size_t next;  /* twice the range, and one more for its end */
        int fd;
};

static usec_t enable_times_at(const EnableTimes *times, size_t i) {
        const EnableRange *range = &times->ranges[i / 2];

        return i % 2 ? range->to : range->from;
}

static int enable_timer_arm(EnableTimer *t);

static int enable_timer_on_time(void *userdata, int fd, uint32_t events) {
        EnableTimer *t = userdata;
        size_t following = t->next + 1;
        bool enable = t->next % 2 == 0;
        bool last = following >= t->times->n_ranges * 2 || enable_times_at(t->times, following) == USEC_INFINITY;
        int r;

        loop_remove_timer(t->loop, t->fd);
        t->fd = -EBADF;
        t->next++;
        r = t->handler(t->userdata, enable, last);
        return r < 0 || last ? r : enable_timer_arm(t);
}

static int enable_timer_arm(EnableTimer *t) {
        usec_t when = t->begin + enable_times_at(t->times, t->next), now = now_usec(CLOCK_MONOTONIC);
        int fd = loop_add_timer(t->loop, when > now ? when - now : 1, false, enable_timer_on_time, t); /* 0 would disarm it */

        if (fd < 0)
                return fd;
        t->fd = fd;
        return 0;
}

int enable_timer_new(Loop *loop, const EnableTimes *times, EnableTimerHandler handler, void *userdata, EnableTimer **ret) {
        EnableTimer *t = calloc(1, sizeof(EnableTimer));
        int r = 0;

        if (!t)
                return -ENOMEM;
        *t = (EnableTimer) {
                .loop = loop,
                .times = times,
                .handler = handler,
                .userdata = userdata,
                .begin = now_usec(CLOCK_MONOTONIC),
                .fd = -EBADF,
        };
        if (times->n_ranges > 0 && times->ranges[0].from != USEC_INFINITY)
                r = enable_timer_arm(t);
        if (r < 0) {
                enable_timer_free(t);
                return r;
        }
        *ret = t;
        return 0;
}

EnableTimer *enable_timer_free(EnableTimer *t) {
        if (!t)
                return NULL;
        loop_remove_timer(t->loop, t->fd);
        free(t);
        return NULL;
}
