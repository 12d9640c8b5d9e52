/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "cleanup.h"

typedef struct BusClientWait {
        char *const *names; /* of the sessions of the call; NULL: all that run */
        bool user, local;   /* the user's bus; the bus of this machine */
        bool asks;          /* polkit may be asking the user, who then knows what is waited for */
} BusClientWait;

/* Prints on standard error what a call waits for that was sent to the service long ago. */
void bus_client_wait_explain(sd_bus *bus, const BusClientWait *w);
