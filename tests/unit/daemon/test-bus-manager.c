/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <check.h>
#include <signal.h>

#include <perf-recorder/errors.h>

#include "bus-fixture.h"

static void check_verb(const char *member, const char *verb) {
        Manager *m = fixture.manager;

        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, member, "as", 2, "cycles", "idle"), 0);
        ck_assert_str_eq(m->verb, verb);
        ck_assert_uint_eq(strv_length(m->names), 2);
        ck_assert_str_eq(m->names[0], "cycles");
        ck_assert_str_eq(m->names[1], "idle");

        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, member, "as", 0), 0);
        ck_assert_uint_eq(strv_length(m->names), 0);

        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, member, "as", 1, "nosuch");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, member, "as", 2, "cycles", "../x");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, member, "s", "cycles");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, member, NULL);
}

START_TEST(test_verbs) {
        check_verb("Start", "start");
        check_verb("Stop", "stop");
        check_verb("Restart", "restart");
        check_verb("Enable", "enable");
        check_verb("Disable", "disable");
}
END_TEST

START_TEST(test_names_are_names) {
        static const char *const bad[] = { "../x", "/etc/passwd", ".", "..", "a b", "", "@a", "a\nb", "\xc3\xa4", "a/b", "unit@" };
        unsigned n_calls = fixture.manager->n_calls;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Start", "as", 1, bad[i]);
                MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "GetSession", "s", bad[i]);
        }
        ck_assert_uint_eq(fixture.manager->n_calls, n_calls);
}
END_TEST

static char *name_of(size_t length) {
        char *name = malloc(length + 1);

        memset(name, 'x', length);
        name[length] = '\0';
        return name;
}

START_TEST(test_long_name) {
        _cleanup_free_ char *just = name_of(200), *more = name_of(201), *megabyte = name_of(1024 * 1024);

        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "GetSession", "s", just);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "GetSession", "s", more);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "GetSession", "s", megabyte);
}
END_TEST

static int stop_many(unsigned n, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(fixture.client, &m, PR_BUS_NAME, PR_BUS_PATH,
                                                        PR_BUS_MANAGER_INTERFACE, "Stop"), 0);
        ck_assert_int_ge(sd_bus_message_open_container(m, 'a', "s"), 0);
        for (unsigned i = 0; i < n; i++)
                ck_assert_int_ge(sd_bus_message_append(m, "s", "cycles"), 0);
        ck_assert_int_ge(sd_bus_message_close_container(m), 0);
        return private_bus_call(&fixture.bus, fixture.client, m, e, NULL);
}

START_TEST(test_number_of_names) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_eq(stop_many(1024, &e), 0);
        ck_assert_uint_eq(strv_length(fixture.manager->names), 1024);
        ck_assert_int_ne(stop_many(1025, &e), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
}
END_TEST

START_TEST(test_signal) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name;
        uint32_t pid;
        int error;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "Signal", "asi", 3, "cycles", "nosuch", "idle", SIGUSR2), 0);
        ck_assert_int_eq(fixture.manager->signal, SIGUSR2);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(sui)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sui)", &name, &pid, &error), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_uint_eq(pid, 4711);
        ck_assert_int_eq(error, 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sui)", &name, &pid, &error), 0);
        ck_assert_int_eq(error, ENOENT);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sui)", &name, &pid, &error), 0);
        ck_assert_int_eq(error, ESRCH);
        ck_assert_int_eq(sd_bus_message_at_end(reply, false), 1);
}
END_TEST

START_TEST(test_signals_that_are_none) {
        static const int bad[] = { 0, -1, 32, 65, 1000, INT32_MAX, INT32_MIN };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Signal", "asi", 1, "cycles", bad[i]);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Signal", "asi", 1, "cycles", SIGRTMIN), 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Signal", "asi", 1, "cycles", SIGRTMAX), 0);
}
END_TEST

START_TEST(test_ping) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name, *status;
        uint64_t usec;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "Ping", "ast", 2, "cycles", "idle", UINT64_C(1500000)), 0);
        ck_assert_uint_eq(fixture.manager->timeout, 1500000);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(sst)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sst)", &name, &status, &usec), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_str_eq(status, "ok");
        ck_assert_uint_eq(usec, 321);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sst)", &name, &status, &usec), 0);
        ck_assert_str_eq(status, "inactive");

        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "Ping", "ast", 1, "nosuch", UINT64_C(0));
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Ping", "ast", 1, "cycles", UINT64_C(600000001));
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Ping", "ast", 1, "cycles", UINT64_MAX);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Ping", "ast", 1, "cycles", UINT64_C(600000000)), 0);
}
END_TEST

static int on_flag(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        *(bool *) userdata = true;
        return 0;
}

static void match(sd_bus_slot **slot, const char *path, const char *interface, const char *member, bool *flag) {
        ck_assert_int_ge(sd_bus_match_signal(fixture.client, slot, PR_BUS_NAME, path, interface, member, on_flag, flag), 0);
}

START_TEST(test_reload) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        const char *name, *change;
        bool reloading = false;

        match(&slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Reloading", &reloading);
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
        ck_assert_ptr_null(manager_find_session(fixture.manager, "y"));
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

START_TEST(test_exit) {
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Exit", NULL), 0);
        ck_assert_str_eq(fixture.manager->verb, "exit");
        MANAGER_FAILS(SD_BUS_ERROR_UNKNOWN_METHOD, "Dump", NULL);
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

        match(&changed_slot, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", &changed);
        match(&new_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "SessionNew", &new);
        match(&removed_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "SessionRemoved", &removed);
        check_property_u("NSessions", 2);
        check_property_u("NRunning", 1);

        fake_manager_add(fixture.manager, "third");
        ck_assert(private_bus_wait(&fixture.bus, &new));
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property_u("NSessions", 3);

        /* No number changes: nothing is told. */
        changed = false;
        fake_manager_change(fixture.manager, fixture.manager->sessions[1], SESSION_FAILED, SESSION_CHANGE_STATE);
        private_bus_settle(&fixture.bus, fixture.client);
        check_property_u("NRunning", 1);
        ck_assert(!changed);

        fake_manager_change(fixture.manager, fixture.manager->sessions[1], SESSION_RECORDING, SESSION_CHANGE_STATE);
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property_u("NRunning", 2);

        fake_manager_remove(fixture.manager, "third");
        ck_assert(private_bus_wait(&fixture.bus, &removed));
}
END_TEST

START_TEST(test_interface_file) {
        _cleanup_free_ char *served = NULL, *written = NULL;

        served = fixture_introspect(PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE);
        written = fixture_read_interface(PR_DBUS_SOURCE "/org.perfrecorder1.Manager.xml", PR_BUS_MANAGER_INTERFACE);
        ck_assert_str_eq(served, written);
}
END_TEST

int main(void) {
        Suite *suite = suite_create("bus-manager");
        TCase *tests = tcase_create("bus-manager");
        SRunner *runner;
        int failed;

        tcase_add_checked_fixture(tests, fixture_setup_user, fixture_teardown);
        tcase_add_test(tests, test_verbs);
        tcase_add_test(tests, test_names_are_names);
        tcase_add_test(tests, test_long_name);
        tcase_add_test(tests, test_number_of_names);
        tcase_add_test(tests, test_signal);
        tcase_add_test(tests, test_signals_that_are_none);
        tcase_add_test(tests, test_ping);
        tcase_add_test(tests, test_reload);
        tcase_add_test(tests, test_start_transient);
        tcase_add_test(tests, test_list_and_get);
        tcase_add_test(tests, test_exit);
        tcase_add_test(tests, test_numbers_change);
        tcase_add_test(tests, test_interface_file);
        tcase_set_timeout(tests, 30);
        suite_add_tcase(suite, tests);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
