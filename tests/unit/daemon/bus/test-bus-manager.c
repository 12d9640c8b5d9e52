/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/errors.h>

#include "bus-fixture.h"
#include "check-main.h"

START_TEST(test_reload) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        const char *name, *change;
        bool reloading = false;

        fixture_match(&slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Reloading", &reloading);
        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "Reload", NULL), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(ss)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(ss)", &name, &change), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_str_eq(change, "changed");
        ck_assert(private_bus_wait(&fixture.bus, &reloading));
}
END_TEST

START_TEST(test_start_transient) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *path;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "StartTransient", "sa{sv}", "unit@nginx.service", 2,
                                      "Record.Event", "as", 2, "cpu-clock", "faults",
                                      "Record.Frequency", "u", 99), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "o", &path), 0);
        ck_assert_str_eq(path, PR_BUS_SESSION_PATH "/unit_40nginx_2eservice");
        ck_assert_uint_eq(strv_length(fixture.manager->assignments), 3);
        ck_assert_str_eq(fixture.manager->assignments[0], "Record.Event=cpu-clock");
        ck_assert_str_eq(fixture.manager->assignments[1], "Record.Event=faults");
        ck_assert_str_eq(fixture.manager->assignments[2], "Record.Frequency=99");

        MANAGER_FAILS(PR_ERROR_ALREADY_RUNNING, "StartTransient", "sa{sv}", "cycles", 1, "Record.Event", "s", "x");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "StartTransient", "sa{sv}", "../x", 1, "Record.Event", "s", "x");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "StartTransient", "sa{sv}", "y", 1, "Session.Recorder", "s", "/bin/sh");
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "y"));
}
END_TEST

START_TEST(test_list_and_get) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *got = NULL;
        const char *name, *path, *state, *description;
        uint32_t pid;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "ListSessions", NULL), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(sossu)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sossu)", &name, &path, &state, &description, &pid), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_str_eq(path, PR_BUS_SESSION_PATH "/cycles");
        ck_assert_str_eq(state, "recording");
        ck_assert_str_eq(description, "A session");
        ck_assert_uint_eq(pid, 4711);

        ck_assert_int_eq(MANAGER_CALL(NULL, &got, "GetSession", "s", "idle"), 0);
        ck_assert_int_gt(sd_bus_message_read(got, "o", &path), 0);
        ck_assert_str_eq(path, PR_BUS_SESSION_PATH "/idle");
        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "GetSession", "s", "nosuch");
}
END_TEST

static void check_counts(sd_bus_message *reply, const char *session, uint32_t n) {
        const char *name, *event, *unit;
        uint64_t value, enabled, running;
        int cpu;

        for (uint32_t i = 0; i < n; i++) {
                ck_assert_int_gt(sd_bus_message_read(reply, "(sssittt)", &name, &event, &unit, &cpu, &value, &enabled, &running), 0);
                ck_assert_str_eq(name, session);
                ck_assert_str_eq(event, "cycles");
                ck_assert_str_eq(unit, i == 0 ? "web-1.service" : "nginx.service");
                ck_assert_int_eq(cpu, (int) i);
                ck_assert_uint_eq(value, 1000 + i);
                ck_assert_uint_eq(enabled, 200);
                ck_assert_uint_eq(running, 100);
        }
}

START_TEST(test_counts) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *all = NULL, *one = NULL, *none = NULL;

        fake_manager_add(fixture.manager, "third")->n_counts = 1;
        sessions_find(manager_sessions(fixture.manager), "cycles")->n_counts = 2;
        ck_assert_int_eq(MANAGER_CALL(NULL, &all, "ListCounts", "as", 0), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(all, 'a', "(sssittt)"), 0);
        check_counts(all, "cycles", 2);
        check_counts(all, "third", 1);
        ck_assert_int_eq(sd_bus_message_at_end(all, false), 1);
        ck_assert_int_eq(MANAGER_CALL(NULL, &one, "ListCounts", "as", 2, "third", "idle"), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(one, 'a', "(sssittt)"), 0);
        check_counts(one, "third", 1);
        ck_assert_int_eq(sd_bus_message_at_end(one, false), 1);
        ck_assert_int_eq(MANAGER_CALL(NULL, &none, "ListCounts", "as", 1, "idle"), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(none, 'a', "(sssittt)"), 0);
        ck_assert_int_eq(sd_bus_message_at_end(none, false), 1);
        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "ListCounts", "as", 2, "cycles", "nosuch");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "ListCounts", "as", 1, "../x");
}
END_TEST

START_TEST(test_exit) {
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Exit", NULL), 0);
        ck_assert_str_eq(fixture.manager->verb, "exit");
        MANAGER_FAILS(SD_BUS_ERROR_UNKNOWN_METHOD, "NoSuchMethod", NULL);
}
END_TEST

static void check_property_u(const char *name, uint32_t expected) {
        uint32_t value;
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;

        ck_assert_int_eq(fixture_call(NULL, &reply, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "Get", "ss",
                                      PR_BUS_MANAGER_INTERFACE, name), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "v", "u", &value), 0);
        ck_assert_uint_eq(value, expected);
}

START_TEST(test_numbers_change) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *changed_slot = NULL, *new_slot = NULL, *removed_slot = NULL;
        bool changed = false, new = false, removed = false;

        fixture_match(&changed_slot, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", &changed);
        fixture_match(&new_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "SessionNew", &new);
        fixture_match(&removed_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "SessionRemoved", &removed);
        check_property_u("NSessions", 2);
        check_property_u("NRunning", 1);

        fake_manager_add(fixture.manager, "third");
        ck_assert(private_bus_wait(&fixture.bus, &new));
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property_u("NSessions", 3);

        /* No number changes: there is no signal. */
        changed = false;
        fake_manager_change(fixture.manager, fixture.manager->all[1], SESSION_FAILED, SESSION_CHANGE_STATE);
        private_bus_settle(&fixture.bus, fixture.client);
        check_property_u("NRunning", 1);
        ck_assert(!changed);

        fake_manager_change(fixture.manager, fixture.manager->all[1], SESSION_RECORDING, SESSION_CHANGE_STATE);
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property_u("NRunning", 2);

        changed = false;
        fake_manager_remove(fixture.manager, "third");
        ck_assert(private_bus_wait(&fixture.bus, &removed));
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property_u("NSessions", 2);
}
END_TEST

START_TEST(test_interface_file) {
        _cleanup_free_ char *served = NULL, *written = NULL;

        served = fixture_introspect(PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE);
        written = fixture_read_interface(PR_DBUS_SOURCE "/org.perfrecorder1.Manager.xml", PR_BUS_MANAGER_INTERFACE);
        ck_assert_str_eq(served, written);
}
END_TEST

CHECK_MAIN_WITH("bus-manager", fixture_setup_user, fixture_teardown, test_reload, test_start_transient,
                test_list_and_get, test_counts, test_exit, test_numbers_change, test_interface_file);
