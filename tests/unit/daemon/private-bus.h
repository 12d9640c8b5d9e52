/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "cleanup.h"

/* A dbus-daemon for one test, on which any peer may own any name, and clients on the test's own event loop, so that
 * service, polkit and caller can be one process. Failures end the test. */

typedef struct PrivateBus {
        char *address; /* also in DBUS_SYSTEM_BUS_ADDRESS and DBUS_SESSION_BUS_ADDRESS */
        pid_t pid;
        sd_event *event;
} PrivateBus;

void private_bus_start(PrivateBus *b);
void private_bus_kill(PrivateBus *b);    /* until it is restarted */
void private_bus_restart(PrivateBus *b); /* at the same address: all peers are disconnected */
void private_bus_stop(PrivateBus *b);

/* Connects a peer as that user, which only root may choose. */
sd_bus *private_bus_connect(PrivateBus *b, uid_t uid);

/* Sends m and runs the loop until the answer comes, which is *ret. 0, or the errno of an error, whose name and message are in
 * e. */
int private_bus_call(PrivateBus *b, sd_bus *client, sd_bus_message *m, sd_bus_error *e, sd_bus_message **ret);

/* Runs the loop until *flag is set; false: it was not after ten seconds. */
bool private_bus_wait(PrivateBus *b, const bool *flag);
/* Runs the loop until all earlier messages are handled, when the bus answers a ping from client. */
void private_bus_settle(PrivateBus *b, sd_bus *client);

/* Sets *gone when the last reference to bus goes. */
void private_bus_note_end(sd_bus *bus, bool *gone);
