/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <systemd/sd-bus.h>

/* A connection to the system's bus, or to the user's, that the event loop serves. on_disconnected: a handler of the signal that
 * sd-bus makes up when the connection has ended; the bus is in use in it, and must not be freed there. */
int bus_open(sd_event *event, bool user, const char *description, sd_bus_message_handler_t on_disconnected, void *userdata,
             sd_bus **ret);
