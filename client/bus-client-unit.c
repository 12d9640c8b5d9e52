/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The service's unit and the scopes of its recorders. They are asked for when the service is not on the bus, or does not come
 * there. */

#include "bus-client-unit.h"

#include "cleanup.h"
#include "strv.h"

#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define UNIT_PATH SYSTEMD_PATH "/unit/perf_2drecorderd_2eservice"

/* All of it comes in one answer: a second one might be about the next state. */
typedef struct UnitLook {
        const char *active, *sub; /* in the message */
        uint64_t began;
} UnitLook;

static int read_property(sd_bus_message *m, UnitLook *look) {
        const char *name;
        int r = sd_bus_message_read(m, "s", &name);

        if (r < 0)
                return r;
        if (streq(name, "ActiveState"))
                return sd_bus_message_read(m, "v", "s", &look->active);
        if (streq(name, "SubState"))
                return sd_bus_message_read(m, "v", "s", &look->sub);
        if (streq(name, "StateChangeTimestampMonotonic"))
                return sd_bus_message_read(m, "v", "t", &look->began);
        return sd_bus_message_skip(m, "v");
}

static int read_properties(sd_bus_message *m, UnitLook *look) {
        int r = sd_bus_message_enter_container(m, 'a', "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
                r = read_property(m, look);
                if (r >= 0)
                        r = sd_bus_message_exit_container(m);
        }
        return r;
}

UnitState bus_client_unit_state(sd_bus *bus, uint64_t *began) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        UnitLook look = {};

        if (began)
                *began = 0;
        if (sd_bus_call_method(bus, "org.freedesktop.systemd1", UNIT_PATH, "org.freedesktop.DBus.Properties", "GetAll", NULL,
                               &reply, "s", "org.freedesktop.systemd1.Unit") < 0 ||
            read_properties(reply, &look) < 0 || !look.active || !look.sub)
                return UNIT_STATE_UNKNOWN;
        if (began)
                *began = look.began;
        if (streq(look.active, "failed") || strstr(look.sub, "auto-restart"))
                return UNIT_STATE_FAILED;
        if (streq(look.active, "activating"))
                return UNIT_STATE_STARTING;
        return streq(look.active, "active") || streq(look.active, "reloading") ? UNIT_STATE_ACTIVE : UNIT_STATE_INACTIVE;
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
