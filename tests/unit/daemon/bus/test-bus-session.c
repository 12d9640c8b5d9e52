/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>

#include <perf-recorder/errors.h>

#include "bus-fixture.h"
#include "check-main.h"

#define CYCLES PR_BUS_SESSION_PATH "/cycles"
#define IDLE PR_BUS_SESSION_PATH "/idle"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define OBJECTS "org.freedesktop.DBus.ObjectManager"

#define call(path, ret, ...) fixture_call(NULL, ret, path, PR_BUS_SESSION_INTERFACE, __VA_ARGS__)

START_TEST(test_verbs) {
        static const char *const verbs[][2] = {
                { "Start", "start" }, { "Stop", "stop" }, { "Restart", "restart" }, { "Pause", "pause" }, { "Resume", "resume" },
        };

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                ck_assert_int_eq(call(CYCLES, NULL, verbs[i][0], NULL), 0);
                ck_assert_str_eq(fixture.manager->verb, verbs[i][1]);
                ck_assert_uint_eq(strv_length(fixture.manager->names), 1);
                ck_assert_str_eq(fixture.manager->names[0], "cycles");
                fixture_call_fails(SD_BUS_ERROR_INVALID_ARGS, CYCLES, PR_BUS_SESSION_INTERFACE, verbs[i][0], "s", "x");
                ck_assert_int_ne(call(PR_BUS_SESSION_PATH "/nosuch", NULL, verbs[i][0], NULL), 0);
                ck_assert_int_ne(call(PR_BUS_SESSION_PATH, NULL, verbs[i][0], NULL), 0);
                ck_assert_int_ne(call(CYCLES "/deeper", NULL, verbs[i][0], NULL), 0);
        }
}
END_TEST

START_TEST(test_signal) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        uint32_t pid;

        ck_assert_int_eq(call(CYCLES, &reply, "Signal", "i", SIGUSR2), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "u", &pid), 0);
        ck_assert_uint_eq(pid, 4711);
        fixture_call_fails(PR_ERROR_NOT_RUNNING, IDLE, PR_BUS_SESSION_INTERFACE, "Signal", "i", SIGUSR2);
        fixture_call_fails(SD_BUS_ERROR_INVALID_ARGS, CYCLES, PR_BUS_SESSION_INTERFACE, "Signal", "i", 0);
}
END_TEST

START_TEST(test_ping) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *idle = NULL;
        const char *status;
        uint64_t usec;

        ck_assert_int_eq(call(CYCLES, &reply, "Ping", "t", UINT64_C(1000000)), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "st", &status, &usec), 0);
        ck_assert_str_eq(status, "ok");
        ck_assert_uint_eq(usec, 321);
        ck_assert_int_eq(call(IDLE, &idle, "Ping", "t", UINT64_C(0)), 0);
        ck_assert_int_gt(sd_bus_message_read(idle, "st", &status, &usec), 0);
        ck_assert_str_eq(status, "inactive");
        fixture_call_fails(SD_BUS_ERROR_INVALID_ARGS, CYCLES, PR_BUS_SESSION_INTERFACE, "Ping", "t", UINT64_MAX);
}
END_TEST

static sd_bus_message *get(const char *path, const char *property) {
        sd_bus_message *reply = NULL;

        ck_assert_int_eq(fixture_call(NULL, &reply, path, PROPERTIES, "Get", "ss", PR_BUS_SESSION_INTERFACE, property), 0);
        return reply;
}

START_TEST(test_strings) {
        static const char *const rows[][2] = {
                { "Name", "cycles" }, { "Description", "A session" }, { "State", "recording" }, { "Result", "success" },
                { "Error", "" }, { "Command", "-e cycles -F 99" }, { "Scope", "perf-session-cycles.scope" }, { "Unit", "nginx.service" },
                { "FragmentPath", "/etc/perf-recorder/sessions.d/a.session" }, { "Directory", "/base/session-a" },
                { "ControlPath", "/base/session-a/control" }, { "AckPath", "/base/session-a/ack" },
                { "OutputPath", "/base/session-a/output" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = get(CYCLES, rows[i][0]);
                const char *value;

                ck_assert_int_gt(sd_bus_message_read(reply, "v", "s", &value), 0);
                ck_assert_str_eq(value, rows[i][1]);
        }
}
END_TEST

START_TEST(test_numbers) {
        static const struct {
                const char *name;
                uint64_t value;
        } rows[] = {
                { "StartTimestamp", 2000000 }, { "Samples", 7 }, { "Lost", 1 }, { "Throttled", 2 }, { "LostRecords", 5 },
                { "BytesWritten", 4096 }, { "RingBytes", 524288 }, { "DumpsWritten", 3 }, { "CPUUsageNSec", UINT64_C(1234567000) },
        };
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *pid = get(CYCLES, "MainPID"), *paths = get(CYCLES, "DropInPaths");
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *history = get(CYCLES, "HistoryUsec"), *no_history = get(IDLE, "HistoryUsec");
        uint32_t value;
        uint64_t age;

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = get(CYCLES, rows[i].name);
                uint64_t number;

                ck_assert_int_gt(sd_bus_message_read(reply, "v", "t", &number), 0);
                ck_assert_uint_eq(number, rows[i].value);
        }
        for (const char *const *name = (const char *const[]) { "DumpsWritten", "CPUUsageNSec", NULL }; *name; name++) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = get(IDLE, *name);

                ck_assert_int_gt(sd_bus_message_read(reply, "v", "t", &age), 0);
                ck_assert_uint_eq(age, UINT64_MAX);
        }
        ck_assert_int_gt(sd_bus_message_read(history, "v", "t", &age), 0);
        ck_assert_uint_ge(age, USEC_PER_SEC);
        ck_assert_uint_lt(age, 60 * USEC_PER_SEC);
        ck_assert_int_gt(sd_bus_message_read(no_history, "v", "t", &age), 0);
        ck_assert_uint_eq(age, 0);
        for (unsigned i = 0; i < 2; i++) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *next = get(CYCLES, "NextDumpUsec");

                ck_assert_int_gt(sd_bus_message_read(next, "v", "t", &age), 0);
                if (i == 0)
                        ck_assert_uint_eq(age, 0);
                else
                        ck_assert_uint_le(age - now_usec(CLOCK_REALTIME) - 50 * USEC_PER_SEC, 10 * USEC_PER_SEC);
                sessions_find(manager_sessions(fixture.manager), "cycles")->counters.next_dump_nsec =
                        (now_usec(CLOCK_MONOTONIC) + USEC_PER_MINUTE) * NSEC_PER_USEC;
        }
        ck_assert_int_gt(sd_bus_message_read(pid, "v", "u", &value), 0);
        ck_assert_uint_eq(value, 4711);
        ck_assert_int_gt(sd_bus_message_skip(paths, "v"), 0);
}
END_TEST

START_TEST(test_lent) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *none = get(CYCLES, "Lent"), *both = NULL;
        const char *first, *second;

        ck_assert_int_gt(sd_bus_message_read(none, "v", "as", 0), 0);
        sessions_find(manager_sessions(fixture.manager), "cycles")->lent = 1u << COUNTER_HARDWARE | 1u << COUNTER_BREAKPOINT;
        both = get(CYCLES, "Lent");
        ck_assert_int_gt(sd_bus_message_read(both, "v", "as", 2, &first, &second), 0);
        ck_assert_str_eq(first, "hardware");
        ck_assert_str_eq(second, "breakpoint");
}
END_TEST

/* The contents of a session's PropertiesChanged. */
typedef struct Change {
        bool there;
        size_t n_changed, n_invalidated;
        char first[64];
} Change;

static int on_change(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Change *change = userdata;
        const char *interface, *name;

        *change = (Change) { .there = true };
        ck_assert_int_gt(sd_bus_message_read(m, "s", &interface), 0);
        ck_assert_str_eq(interface, PR_BUS_SESSION_INTERFACE);
        ck_assert_int_gt(sd_bus_message_enter_container(m, 'a', "{sv}"), 0);
        while (sd_bus_message_enter_container(m, 'e', "sv") > 0) {
                ck_assert_int_gt(sd_bus_message_read(m, "s", &name), 0);
                if (change->n_changed++ == 0)
                        (void) snprintf(change->first, sizeof(change->first), "%s", name);
                ck_assert_int_gt(sd_bus_message_skip(m, "v"), 0);
                ck_assert_int_ge(sd_bus_message_exit_container(m), 0);
        }
        ck_assert_int_ge(sd_bus_message_exit_container(m), 0);
        ck_assert_int_gt(sd_bus_message_enter_container(m, 'a', "s"), 0);
        while (sd_bus_message_read(m, "s", &name) > 0)
                change->n_invalidated++;
        return 0;
}

START_TEST(test_properties_changed) {
        static const struct {
                SessionChange mask;
                size_t n_changed, n_invalidated;
                const char *first;
        } rows[] = {
                { SESSION_CHANGE_STATE, 3, 0, "State" },
                { SESSION_CHANGE_PROCESS, 4, 0, "MainPID" },
                { SESSION_CHANGE_SETTINGS, 4, 1, "Description" },
                { SESSION_CHANGE_OUTPUT, 0, 1, "" },
                { SESSION_CHANGE_LENT, 1, 0, "Lent" },
                { SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS | SESSION_CHANGE_SETTINGS | SESSION_CHANGE_OUTPUT, 11, 2, "State" },
        };
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        Change change = {};

        ck_assert_int_ge(sd_bus_match_signal(fixture.client, &slot, PR_BUS_NAME, CYCLES, PROPERTIES, "PropertiesChanged",
                                             on_change, &change), 0);
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                change = (Change) {};
                fake_manager_change(fixture.manager, fixture.manager->all[0], SESSION_RECORDING, rows[i].mask);
                ck_assert(private_bus_wait(&fixture.bus, &change.there));
                ck_assert_uint_eq(change.n_changed, rows[i].n_changed);
                ck_assert_uint_eq(change.n_invalidated, rows[i].n_invalidated);
                ck_assert_str_eq(change.first, rows[i].first);
        }
}
END_TEST

typedef struct Seen {
        bool there;
        bool has_interface;
        char path[256];
} Seen;

static int on_added(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *path, *interface;
        Seen *seen = userdata;

        ck_assert_int_gt(sd_bus_message_read(m, "o", &path), 0);
        (void) snprintf(seen->path, sizeof(seen->path), "%s", path);
        ck_assert_int_gt(sd_bus_message_enter_container(m, 'a', "{sa{sv}}"), 0);
        while (sd_bus_message_enter_container(m, 'e', "sa{sv}") > 0) {
                ck_assert_int_gt(sd_bus_message_read(m, "s", &interface), 0);
                seen->has_interface |= streq(interface, PR_BUS_SESSION_INTERFACE);
                ck_assert_int_gt(sd_bus_message_skip(m, "a{sv}"), 0);
                ck_assert_int_ge(sd_bus_message_exit_container(m), 0);
        }
        seen->there = true;
        return 0;
}

static int on_removed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *path, *interface;
        Seen *seen = userdata;

        ck_assert_int_gt(sd_bus_message_read(m, "o", &path), 0);
        (void) snprintf(seen->path, sizeof(seen->path), "%s", path);
        ck_assert_int_gt(sd_bus_message_enter_container(m, 'a', "s"), 0);
        while (sd_bus_message_read(m, "s", &interface) > 0)
                seen->has_interface |= streq(interface, PR_BUS_SESSION_INTERFACE);
        seen->there = true;
        return 0;
}

START_TEST(test_objects_come_and_go) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *added_slot = NULL, *removed_slot = NULL;
        Seen added = {}, removed = {};

        ck_assert_int_ge(sd_bus_match_signal(fixture.client, &added_slot, PR_BUS_NAME, PR_BUS_PATH, OBJECTS, "InterfacesAdded",
                                             on_added, &added), 0);
        ck_assert_int_ge(sd_bus_match_signal(fixture.client, &removed_slot, PR_BUS_NAME, PR_BUS_PATH, OBJECTS,
                                             "InterfacesRemoved", on_removed, &removed), 0);
        fake_manager_add(fixture.manager, "unit@a-b.service");
        ck_assert(private_bus_wait(&fixture.bus, &added.there));
        ck_assert_str_eq(added.path, PR_BUS_SESSION_PATH "/unit_40a_2db_2eservice");
        ck_assert(added.has_interface);
        ck_assert_int_eq(call(added.path, NULL, "Start", NULL), 0);
        ck_assert_str_eq(fixture.manager->names[0], "unit@a-b.service");

        fake_manager_remove(fixture.manager, "unit@a-b.service");
        ck_assert(private_bus_wait(&fixture.bus, &removed.there));
        ck_assert_str_eq(removed.path, added.path);
        ck_assert(removed.has_interface);
        ck_assert_int_ne(call(added.path, NULL, "Start", NULL), 0);
}
END_TEST

START_TEST(test_managed_objects) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *path;
        unsigned n = 0;

        ck_assert_int_eq(fixture_call(NULL, &reply, PR_BUS_PATH, OBJECTS, "GetManagedObjects", NULL), 0);
        ck_assert_int_gt(sd_bus_message_enter_container(reply, 'a', "{oa{sa{sv}}}"), 0);
        while (sd_bus_message_enter_container(reply, 'e', "oa{sa{sv}}") > 0) {
                ck_assert_int_gt(sd_bus_message_read(reply, "o", &path), 0);
                ck_assert_msg(streq(path, CYCLES) || streq(path, IDLE), "%s", path);
                ck_assert_int_gt(sd_bus_message_skip(reply, "a{sa{sv}}"), 0);
                ck_assert_int_ge(sd_bus_message_exit_container(reply), 0);
                n++;
        }
        ck_assert_uint_eq(n, 2);
}
END_TEST

/* A session's text that is not UTF-8 does not affect the replies about others. */
START_TEST(test_text_that_is_not_utf8) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *error = NULL;
        const char *value;

        fixture.manager->all[0]->error = "cut \xc3";
        fixture.manager->all[0]->description = "Gr\xfcn";
        fixture.manager->all[0]->command = "-e \xff";
        error = get(CYCLES, "Error");
        ck_assert_int_gt(sd_bus_message_read(error, "v", "s", &value), 0);
        ck_assert_str_eq(value, "cut \xef\xbf\xbd");
        ck_assert_int_eq(fixture_call(NULL, NULL, CYCLES, PROPERTIES, "GetAll", "s", PR_BUS_SESSION_INTERFACE), 0);
        ck_assert_int_eq(fixture_call(NULL, NULL, PR_BUS_PATH, OBJECTS, "GetManagedObjects", NULL), 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "ListSessions", NULL), 0);
}
END_TEST

START_TEST(test_interface_file) {
        _cleanup_free_ char *served = NULL, *written = NULL;

        served = fixture_introspect(CYCLES, PR_BUS_SESSION_INTERFACE);
        written = fixture_read_interface(PR_DBUS_SOURCE "/org.perfrecorder1.Session.xml", PR_BUS_SESSION_INTERFACE);
        ck_assert_str_eq(served, written);
}
END_TEST

CHECK_MAIN_WITH("bus-session", fixture_setup_user, fixture_teardown, test_verbs, test_signal, test_ping, test_strings,
                test_numbers, test_lent, test_properties_changed, test_objects_come_and_go, test_managed_objects,
                test_text_that_is_not_utf8, test_interface_file);
