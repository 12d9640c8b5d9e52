/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

/* Does something once in a later turn of the event loop, however often it is asked for until then. *source is made with the first
 * request, and is the caller's. priority: SD_EVENT_PRIORITY_NORMAL, or SD_EVENT_PRIORITY_IDLE: once nothing else is to be done.
 * Requests of one priority take turns. Without memory it is not done. */
void defer_once(sd_event *event, sd_event_source **source, int64_t priority, sd_event_handler_t handler, void *userdata);

/* The same once that time has passed, in µs. If it is asked for again in the meantime, the time begins again. accuracy: as that of
 * sd_event_add_time(3). */
void defer_for(sd_event *event, sd_event_source **source, uint64_t usec, uint64_t accuracy, sd_event_time_handler_t handler,
               void *userdata);
