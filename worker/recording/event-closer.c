/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The last event of a tracepoint that is closed waits until no CPU can be in it any more, some 50 ms in which nothing is
 * computed (tracepoint_synchronize_unregister() in kernel/trace). At the end of a recording there is enough to do
 * meanwhile, so a thread waits; it shares nothing but the events. Without a thread, events are closed when their set is
 * freed. */

#include "event-closer.h"

#include "quiet-thread.h"

static void *close_events(void *userdata) {
        event_set_close(userdata);
        return NULL;
}

void event_closer_start(EventCloser *c, EventSet *set) {
        c->started = quiet_thread_start(&c->thread, close_events, set) >= 0;
}

void event_closer_wait(EventCloser *c) {
        if (c->started)
                (void) pthread_join(c->thread, NULL);
        c->started = false;
}
