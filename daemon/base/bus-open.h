/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <systemd/sd-bus.h>

typedef struct BusPlan {
        bool user;          /* the user's bus, and not the system's */
        bool without_files; /* no message has descriptors, and the bus refuses any that others send; system bus only */
        const char *description;
        /* Called with sd-bus's own signal when the connection has ended; the bus is in use, and must not be freed
         * in it. */
        sd_bus_message_handler_t on_disconnected;
        void *userdata;
} BusPlan;

/* Makes a connection that the event loop serves. 0 or a negative errno. */
int bus_open(sd_event *event, const BusPlan *plan, sd_bus **ret);
