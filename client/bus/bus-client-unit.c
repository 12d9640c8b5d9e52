/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The service's unit and the scopes of its recorders. They are asked for when the service is not on the bus, does not come there,
 * or does not answer: a call that is answered when the work is done may wait for something that does not run, the service or a
 * recorder, if the freezer of control groups or a signal has stopped it. The answers to these questions may be late, too: each has
 * the connection's timeout. */

#include "bus-client-unit.h"

#include <perf-recorder/bus-names.h>

#include "bus-client-answer.h"
#include "cleanup.h"
#include "frozen-group.h"
#include "strv.h"

#define SYSTEMD "org.freedesktop.systemd1"
#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define UNIT_PATH SYSTEMD_PATH "/unit/perf_2drecorderd_2eservice"

/* All properties in one answer: a second one might be about the next state. */
UnitState bus_client_unit_state(sd_bus *bus, uint64_t *began) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(json_object_putp) json_object *properties = NULL;
        const char *active, *sub;

        if (began)
                *began = 0;
        if (sd_bus_call_method(bus, SYSTEMD, UNIT_PATH, "org.freedesktop.DBus.Properties", "GetAll", NULL,
                               &reply, "s", SYSTEMD ".Unit") < 0 ||
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

        if (sd_bus_call_method(bus, SYSTEMD, SYSTEMD_PATH, SYSTEMD ".Manager",
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

static char *get_text(sd_bus *bus, const char *service, const char *prefix, const char *name, const char *interface,
                      const char *property) {
        _cleanup_free_ char *path = NULL;
        char *text = NULL;

        if (sd_bus_path_encode(prefix, name, &path) >= 0)
                (void) sd_bus_get_property_string(bus, service, path, interface, property, NULL, &text);
        return text;
}

/* The name of the unit that freezes a unit of this machine. */
static char *get_freezer(sd_bus *bus, const BusClientWait *w, const char *unit, const char *interface) {
        _cleanup_free_ char *group = NULL;

        if (w->local)
                group = get_text(bus, SYSTEMD, SYSTEMD_PATH "/unit", unit, interface, "ControlGroup");
        return group ? frozen_group_find("", group) : NULL;
}

static void print_frozen(const BusClientWait *w, const char *what, const char *unit) {
        (void) fprintf(stderr, "Still waiting: %s does not run while %s is frozen; 'systemctl%s thaw %s' lets it go on\n", what,
                       unit, w->user ? " --user" : "", unit);
}

static bool print_if_frozen(sd_bus *bus, const BusClientWait *w, const char *session) {
        _cleanup_free_ char *scope = NULL, *unit = NULL;

        scope = get_text(bus, PR_BUS_NAME, PR_BUS_SESSION_PATH, session, PR_BUS_SESSION_INTERFACE, "Scope");
        unit = scope && *scope ? get_freezer(bus, w, scope, SYSTEMD ".Scope") : NULL;
        if (unit)
                print_frozen(w, session, unit);
        return unit;
}

/* Lists the sessions that have a process. */
static char **list_running(sd_bus *bus) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name;
        char **names = NULL;
        uint32_t pid;

        if (sd_bus_call_method(bus, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "ListSessions", NULL, &reply, NULL) < 0 ||
            sd_bus_message_enter_container(reply, 'a', "(sossu)") < 0)
                return NULL;
        while (sd_bus_message_read(reply, "(sossu)", &name, NULL, NULL, NULL, &pid) > 0)
                if (pid > 0)
                        (void) strv_extend(&names, name);
        return names;
}

static void explain_sessions(sd_bus *bus, const BusClientWait *w) {
        _cleanup_strv_free_ char **running = w->names ? NULL : list_running(bus);
        bool frozen = false;

        STRV_FOREACH(name, w->names ?: running)
                frozen = print_if_frozen(bus, w, *name) || frozen;
        if (!frozen && !w->asks)
                (void) fprintf(stderr, "Still waiting for %s; 'perfctl ping' shows whether the recorders answer\n",
                               w->names && !w->names[1] ? w->names[0] : "the sessions");
}

void bus_client_unit_explain_wait(sd_bus *bus, const BusClientWait *w) {
        _cleanup_free_ char *unit = get_freezer(bus, w, "perf-recorderd.service", SYSTEMD ".Service");

        if (unit)
                print_frozen(w, "perf-recorderd", unit);
        else if (sd_bus_call_method(bus, PR_BUS_NAME, PR_BUS_PATH, "org.freedesktop.DBus.Peer", "Ping", NULL, NULL, NULL) < 0)
                (void) fprintf(stderr,
                               "Still waiting: perf-recorderd does not answer; 'systemctl%s status perf-recorderd' shows whether "
                               "it starts, or was stopped by a signal\n", w->user ? " --user" : "");
        else
                explain_sessions(bus, w);
}
