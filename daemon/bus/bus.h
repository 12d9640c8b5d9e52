/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "manager.h"

/* The daemon on D-Bus: connection, name, object tree, signals. main makes it after the manager and before READY=1. */

typedef struct Bus Bus;

/* Connects (system bus, or the user's), exports /org/perfrecorder1, observes the manager, requests the name.
 * -EEXIST: another daemon has the name. */
int bus_new(sd_event *event, Manager *m, bool user, Bus **ret);
Bus *bus_free(Bus *b);
DEFINE_CLEANUP(Bus *, bus_free);
