/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

#include "bus-client.h"

/* Calls the handler for each signal of the service, and of the bus about its name, as bus_client_monitor() does. Returns
 * the handler's error, or that of the connection. */
int bus_monitor_run(sd_bus *bus, int (*handler)(const BusSignal *s, void *userdata), void *userdata);
