/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The daemon has two connections to the same bus: one that it is called on (bus.c), and one on which it calls systemd and hears of
 * units (scope-client.c). They are apart since a bus limits the answers that one connection awaits, and since systemd's signals,
 * which may come in thousands, must not stand before callers. */

#include "bus-open.h"

#include "cleanup.h"

int bus_open(sd_event *event, bool user, const char *description, sd_bus_message_handler_t on_disconnected, void *userdata,
             sd_bus **ret) {
        _cleanup_(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int r;

        r = user ? sd_bus_open_user_with_description(&bus, description) : sd_bus_open_system_with_description(&bus, description);
        if (r >= 0)
                r = sd_bus_match_signal(bus, NULL, NULL, "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local",
                                        "Disconnected", on_disconnected, userdata);
        if (r >= 0)
                r = sd_bus_attach_event(bus, event, SD_EVENT_PRIORITY_NORMAL);
        if (r < 0)
                return r;
        *ret = steal_ptr(bus);
        return 0;
}
