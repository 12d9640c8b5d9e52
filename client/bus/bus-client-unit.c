/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The service's unit and the scopes of its recorders. They are asked for when the service is not on the bus, or does not come
 * there. */

#include "bus-client-unit.h"

#include <perf-recorder/bus-names.h>

#include "bus-client-answer.h"
#include "cleanup.h"
#include "strv.h"

#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define UNIT_PATH SYSTEMD_PATH "/unit/perf_2drecorderd_2eservice"

/* All properties in one answer: a second one might be about the next state. */
UnitState bus_client_unit_state(sd_bus *bus, uint64_t *began) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(json_object_putp) json_object *properties = NULL;
        const char *active, *sub;

        if (began)
                *began = 0;
        if (sd_bus_call_method(bus, "org.freedesktop.systemd1", UNIT_PATH, "org.freedesktop.DBus.Properties", "GetAll", NULL,
                               &reply, "s", "org.freedesktop.systemd1.Unit") < 0 ||
            bus_read_value(reply, NULL, &properties) < 0)
                return UNIT_STATE_UNKNOWN;
        if (!json_get(properties, "ActiveState") || !json_get(properties, "SubState"))
                return UNIT_STATE_UNKNOWN;
        if (began)
                *began = json_get_unsigned(properties, "StateChangeTimestampMonotonic");
        active = json_get_string(properties, "ActiveState");
        sub = json_get_string(properties, "SubState");
        if (streq(active, "failed") || strstr(sub, "auto-restart"))
                return UNIT_STATE_FAILED;
        if (streq(active, "activating"))
                return UNIT_STATE_STARTING;
        return streq(active, "active") || streq(active, "reloading") ? UNIT_STATE_ACTIVE : UNIT_STATE_INACTIVE;
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

int bus_client_unit_owner(sd_bus *bus, char **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        const char *owner = NULL;
        int r = sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                                   &error, &reply, "s", PR_BUS_NAME);

        if (r >= 0)
                r = sd_bus_message_read(reply, "s", &owner);
        else if (sd_bus_error_has_name(&error, SD_BUS_ERROR_NAME_HAS_NO_OWNER))
                r = 0;
        return r < 0 ? r : free_and_strdup(ret, owner);
}
