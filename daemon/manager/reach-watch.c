/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A timer that nobody needs does not run: it is set again only while there are rings, and begun by the first that are kept. */

#include "reach-watch.h"

#include "session-internal.h"

#define INTERVAL_USEC (90 * USEC_PER_SEC)
#define ACCURACY_USEC (30 * USEC_PER_SEC)

static int on_time(sd_event_source *source, uint64_t usec, void *userdata) {
        const ReachWatch *w = userdata;
        bool more = false;

        for (size_t i = 0; i < w->sessions->n; i++)
                more = session_follow_reach(w->sessions->all[i]) || more;
        if (more) {
                (void) sd_event_source_set_time_relative(source, INTERVAL_USEC);
                (void) sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
        }
        return 0;
}

void reach_watch_begin(ReachWatch *w, sd_event *event) {
        if (!w->timer) {
                (void) sd_event_add_time_relative(event, &w->timer, CLOCK_MONOTONIC, INTERVAL_USEC, ACCURACY_USEC, on_time, w);
                return;
        }
        if (sd_event_source_get_enabled(w->timer, NULL) != 0)
                return;
        (void) sd_event_source_set_time_relative(w->timer, INTERVAL_USEC);
        (void) sd_event_source_set_enabled(w->timer, SD_EVENT_ONESHOT);
}
