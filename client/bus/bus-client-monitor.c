/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Signals of the service, as they come.
 *
 * Invariant: no signal reaches the handler unless its sender is the service or the bus. The matches do not ensure that,
 * since any peer may send a signal straight to this connection, past all matches of the bus, and sd-bus does not know
 * whose a well-known name is. So the owner of the name is followed here. */

#include "bus-client-monitor.h"

#include <perf-recorder/bus-names.h>

#include "bus-client-answer.h"
#include "bus-client-unit.h"

typedef struct Monitor {
        int (*handler)(const BusSignal *s, void *userdata);
        void *userdata;
        char *owner; /* the service's unique name; NULL: it is not on the bus */
        int result;
} Monitor;

static int monitor_hand_on(Monitor *monitor, sd_bus_message *m) {
        _cleanup_(json_object_putp) json_object *arguments = NULL;
        _cleanup_free_ char *session = NULL;
        BusSignal s = { .path = sd_bus_message_get_path(m), .member = sd_bus_message_get_member(m) };
        int r = bus_read_arguments(m, NULL, &arguments);

        if (r >= 0)
                r = sd_bus_path_decode(s.path, PR_BUS_SESSION_PATH, &session);
        if (r >= 0) {
                s.session = session;
                s.arguments = arguments;
                r = monitor->handler(&s, monitor->userdata);
        }
        monitor->result = r < 0 ? r : 0;
        return 0;
}

static int monitor_on_signal(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Monitor *monitor = userdata;

        return monitor->owner && streq_ptr(sd_bus_message_get_sender(m), monitor->owner) ? monitor_hand_on(monitor, m) : 0;
}

static int monitor_on_owner(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name, *before, *after;
        Monitor *monitor = userdata;
        int r;

        if (!streq_ptr(sd_bus_message_get_sender(m), "org.freedesktop.DBus"))
                return 0;
        r = sd_bus_message_read(m, "sss", &name, &before, &after);
        if (r >= 0)
                r = free_and_strdup(&monitor->owner, *after ? after : NULL);
        if (r >= 0)
                r = sd_bus_message_rewind(m, true);
        if (r >= 0)
                return monitor_hand_on(monitor, m);
        monitor->result = r;
        return 0;
}

int bus_monitor_run(sd_bus *bus, int (*handler)(const BusSignal *s, void *userdata), void *userdata) {
        Monitor monitor = { .handler = handler, .userdata = userdata };
        int r = sd_bus_add_match(bus, NULL, "type='signal',sender='" PR_BUS_NAME "'", monitor_on_signal, &monitor);

        if (r >= 0)
                r = sd_bus_add_match(bus, NULL,
                                     "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" PR_BUS_NAME "'",
                                     monitor_on_owner, &monitor);
        if (r >= 0) /* asked after the match, so that no change is missed */
                r = bus_client_unit_owner(bus, &monitor.owner);
        while (r >= 0 && monitor.result >= 0) {
                r = sd_bus_process(bus, NULL);
                if (r == 0)
                        r = sd_bus_wait(bus, USEC_INFINITY);
        }
        free(monitor.owner);
        return r < 0 ? r : monitor.result;
}
