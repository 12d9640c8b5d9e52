/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The service's unit and the scopes of its recorders. They are asked for when the service is not on the bus, or does not come
 * there. */

#include "bus-client-unit.h"

#include "cleanup.h"
#include "strv.h"

#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define UNIT_PATH SYSTEMD_PATH "/unit/perf_2drecorderd_2eservice"

static int get_property(sd_bus *bus, const char *name, char **ret) {
        return sd_bus_get_property_string(bus, "org.freedesktop.systemd1", UNIT_PATH, "org.freedesktop.systemd1.Unit", name, NULL,
                                          ret);
}

UnitState bus_client_unit_state(sd_bus *bus) {
        _cleanup_free_ char *active = NULL, *sub = NULL;

        if (get_property(bus, "ActiveState", &active) < 0 || get_property(bus, "SubState", &sub) < 0)
                return UNIT_STATE_UNKNOWN;
        if (streq(active, "failed") || strstr(sub, "auto-restart"))
                return UNIT_STATE_FAILED;
        if (streq(active, "activating"))
                return UNIT_STATE_STARTING;
        return streq(active, "active") || streq(active, "reloading") ? UNIT_STATE_ACTIVE : UNIT_STATE_INACTIVE;
}

uint64_t bus_client_unit_state_began(sd_bus *bus) {
        uint64_t t = 0;

        (void) sd_bus_get_property_trivial(bus, "org.freedesktop.systemd1", UNIT_PATH, "org.freedesktop.systemd1.Unit",
                                           "StateChangeTimestampMonotonic", NULL, 't', &t);
        return t;
}

size_t bus_client_unit_count_scopes(sd_bus *bus) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        size_t n = 0;

        if (sd_bus_call_method(bus, "org.freedesktop.systemd1", SYSTEMD_PATH, "org.freedesktop.systemd1.Manager",
                               "ListUnitsByPatterns", NULL, &reply, "asas", 1, "running", 1, "perf-session-*.scope") < 0 ||
            sd_bus_message_enter_container(reply, 'a', "(ssssssouso)") < 0)
                return 0;
        while (sd_bus_message_at_end(reply, false) == 0 && sd_bus_message_skip(reply, "(ssssssouso)") >= 0)
                n++;
        return n;
}
