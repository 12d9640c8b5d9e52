/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The last event of a tracepoint that is closed waits until no CPU can be in it any more, some 50 ms in which nothing is
 * computed (tracepoint_synchronize_unregister() in kernel/trace). At the end of a recording there is enough to do
 * meanwhile, so a thread waits; it takes no signal and shares nothing but the events. Without a thread, events are closed
 * when their set is freed. */

#include "event-closer.h"

#include <signal.h>

static void *close_events(void *userdata) {
        event_set_close(userdata);
        return NULL;
}

void event_closer_start(EventCloser *c, EventSet *set) {
        sigset_t all, before;

        (void) sigfillset(&all);
        (void) pthread_sigmask(SIG_SETMASK, &all, &before); /* which the thread inherits */
        c->started = pthread_create(&c->thread, NULL, close_events, set) == 0;
        (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void event_closer_wait(EventCloser *c) {
        if (c->started)
                (void) pthread_join(c->thread, NULL);
        c->started = false;
}
