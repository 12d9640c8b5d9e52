/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state of the service's unit. It is asked for when the service is not on the bus, or does not come there. */

#include "bus-client-unit.h"

#include "cleanup.h"
#include "strv.h"

#define UNIT_PATH "/org/freedesktop/systemd1/unit/perf_2drecorderd_2eservice"

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
