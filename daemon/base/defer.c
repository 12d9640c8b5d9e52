/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One-shot event sources. A handler may request the next run itself. */

#include "defer.h"

/* sd-event leaves a deferred source pending for good, and prefers the one that is pending for longest. Of two
 * handlers that each request another run, the older source would run in every turn and the other one never, so each
 * request makes a new source. */
void defer_once(sd_event *event, sd_event_source **source, int64_t priority, sd_event_handler_t handler, void *userdata) {
        if (*source && sd_event_source_get_enabled(*source, NULL) > 0)
                return;
        *source = sd_event_source_disable_unref(*source);
        if (sd_event_add_defer(event, source, handler, userdata) >= 0)
                (void) sd_event_source_set_priority(*source, priority);
}

void defer_for(sd_event *event, sd_event_source **source, uint64_t usec, uint64_t accuracy, sd_event_time_handler_t handler,
               void *userdata) {
        if (!*source)
                (void) sd_event_add_time_relative(event, source, CLOCK_MONOTONIC, usec, accuracy, handler, userdata);
        else if (sd_event_source_set_time_relative(*source, usec) >= 0)
                (void) sd_event_source_set_enabled(*source, SD_EVENT_ONESHOT);
}
