/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The daemon has two connections to the same bus: it is called on one (bus.c), and calls systemd and watches units
 * on the other one (scope-client.c). They are separate because a bus limits the replies that one connection may
 * wait for, and because systemd's signals, which may come in thousands, must not delay callers. */

#include "bus-open.h"

#include <stdlib.h>

#include "cleanup.h"

#define SYSTEM_BUS_ADDRESS "unix:path=/run/dbus/system_bus_socket"

/* As sd_bus_open_system(3) does, which always takes descriptors. */
static int open_without_files(const char *description, sd_bus **ret) {
        _cleanup_(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int r = sd_bus_new(&bus);

        if (r >= 0)
                r = sd_bus_set_description(bus, description);
        if (r >= 0)
                r = sd_bus_set_address(bus, getenv("DBUS_SYSTEM_BUS_ADDRESS") ?: SYSTEM_BUS_ADDRESS);
        if (r >= 0)
                r = sd_bus_set_bus_client(bus, true);
        if (r >= 0)
                r = sd_bus_negotiate_fds(bus, false);
        if (r >= 0)
                r = sd_bus_start(bus);
        if (r < 0)
                return r;
        *ret = steal_ptr(bus);
        return 0;
}

int bus_open(sd_event *event, const BusPlan *plan, sd_bus **ret) {
        _cleanup_(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int r;

        if (plan->user)
                r = sd_bus_open_user_with_description(&bus, plan->description);
        else if (plan->without_files)
                r = open_without_files(plan->description, &bus);
        else
                r = sd_bus_open_system_with_description(&bus, plan->description);
        if (r >= 0)
                r = sd_bus_match_signal(bus, NULL, NULL, "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local",
                                        "Disconnected", plan->on_disconnected, plan->userdata);
        if (r >= 0)
                r = sd_bus_attach_event(bus, event, SD_EVENT_PRIORITY_NORMAL);
        if (r < 0)
                return r;
        *ret = steal_ptr(bus);
        return 0;
}
