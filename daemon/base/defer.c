/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A source that its own dispatch switches off. A handler may ask for the next time itself. */

#include "defer.h"

void defer_once(sd_event *event, sd_event_source **source, int64_t priority, sd_event_handler_t handler, void *userdata) {
        if (*source)
                (void) sd_event_source_set_enabled(*source, SD_EVENT_ONESHOT);
        else if (sd_event_add_defer(event, source, handler, userdata) >= 0)
                (void) sd_event_source_set_priority(*source, priority);
}
