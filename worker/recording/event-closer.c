/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Closing the last event of a tracepoint waits some 50 ms until no CPU can be in the tracepoint any more
 * (tracepoint_synchronize_unregister() in kernel/trace). At the end of a recording there is enough to do in the
 * meantime, so a thread waits; it shares only the events. If no thread can be created, events are closed when their
 * set is freed. */

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
