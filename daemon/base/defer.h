/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

/* Runs the handler once in a later turn of the event loop, however often it is requested until then. *source is
 * made by the first request, and is owned by the caller. priority: SD_EVENT_PRIORITY_NORMAL, or
 * SD_EVENT_PRIORITY_IDLE: when nothing else is pending. Requests of one priority take turns. Without memory the
 * handler does not run. */
void defer_once(sd_event *event, sd_event_source **source, int64_t priority, sd_event_handler_t handler, void *userdata);

/* The same after that time, in µs. A request in the meantime restarts the time. accuracy: as for
 * sd_event_add_time(3). */
void defer_for(sd_event *event, sd_event_source **source, uint64_t usec, uint64_t accuracy, sd_event_time_handler_t handler,
               void *userdata);
