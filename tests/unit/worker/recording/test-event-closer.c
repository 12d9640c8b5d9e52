/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>

#include "check-main.h"
#include "event-closer.h"

START_TEST(test_closes) {
        Event events[3] = { EVENT_EMPTY, EVENT_EMPTY, EVENT_EMPTY };
        EventSet set = { .events = events, .n_events = ELEMENTSOF(events) };
        EventCloser c = {};
        int fds[ELEMENTSOF(events)];

        for (size_t i = 0; i < ELEMENTSOF(events); i++) {
                fds[i] = events[i].fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
                ck_assert_int_ge(fds[i], 0);
        }
        event_closer_start(&c, &set);
        event_closer_wait(&c);
        for (size_t i = 0; i < ELEMENTSOF(events); i++) {
                ck_assert_int_eq(fcntl(fds[i], F_GETFD), -1);
                ck_assert_int_eq(events[i].fd, -EBADF);
        }
        event_set_close(&set); /* closed events stay closed */
}
END_TEST

START_TEST(test_not_started) {
        EventCloser c = {};

        event_closer_wait(&c);
        ck_assert(!c.started);
}
END_TEST

CHECK_MAIN("event-closer", test_closes, test_not_started);
