/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>

#include <perf-recorder/errors.h>

#include "bus-fixture.h"
#include "check-main.h"

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
        check_verb("Pause", "pause");
        check_verb("Resume", "resume");
}
END_TEST

static void expect_changes(sd_bus_message *reply, const char *what, const char *target) {
        const char *change, *path, *to;

        ck_assert_int_gt(sd_bus_message_enter_container(reply, 'a', "(sss)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(sss)", &change, &path, &to), 0);
        ck_assert_str_eq(change, what);
        ck_assert_str_eq(path, "cycles");
        ck_assert_str_eq(to, target);
}

START_TEST(test_enable) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *enabled = NULL, *disabled = NULL, *own = NULL, *state = NULL;
        const Manager *m = fixture.manager;
        const char *word;

        ck_assert_int_eq(MANAGER_CALL(NULL, &enabled, "Enable", "asb", 2, "cycles", "idle", 0), 0);
        ck_assert(m->enable && !m->now);
        expect_changes(enabled, "created", "/target");
        ck_assert_int_eq(MANAGER_CALL(NULL, &disabled, "Disable", "asb", 1, "cycles", 1), 0);
        ck_assert(!m->enable && m->now);
        expect_changes(disabled, "removed", "");
        ck_assert_int_eq(fixture_call(NULL, &own, PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE, "Enable", "b", 1), 0);
        ck_assert(m->enable && m->now);
        expect_changes(own, "created", "/target");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Enable", "asb", 0, 1); /* not all */
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Enable", "as", 1, "cycles");
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Enable", "asb", 1, "unit@", 0);
        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "Disable", "asb", 1, "nosuch", 0);

        ck_assert_int_eq(MANAGER_CALL(NULL, &state, "GetSessionFileState", "s", "cycles"), 0);
        ck_assert_int_gt(sd_bus_message_read(state, "s", &word), 0);
        ck_assert_str_eq(word, "enabled");
        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "GetSessionFileState", "s", "nosuch");
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
        for (unsigned i = 0; i < n; i++) {
                char name[16];

                snprintf(name, sizeof(name), "s%u", i);
                ck_assert_int_ge(sd_bus_message_append(m, "s", name), 0);
        }
        ck_assert_int_ge(sd_bus_message_close_container(m), 0);
        return private_bus_call(&fixture.bus, fixture.client, m, e, NULL);
}

START_TEST(test_number_of_names) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ne(stop_many(1024, NULL), 0); /* no session has these names, but they are accepted */
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

#define OPEN_WINDOW(e, reply, ...) fixture_call(e, reply, PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE, "OpenWindow", "tb", __VA_ARGS__)

START_TEST(test_window) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        char text[64] = "";
        uint64_t until;
        int fd;

        ck_assert_int_eq(OPEN_WINDOW(NULL, &reply, UINT64_C(40), 1), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "ht", &fd, &until), 0);
        ck_assert_uint_eq(until, 45);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_str_eq(text, "cycles 40 1");
}
END_TEST

START_TEST(test_window_refused) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        fixture.manager->dump_error = FAILURE_NOT_RUNNING;
        ck_assert_int_ne(OPEN_WINDOW(&e, NULL, UINT64_C(0), 0), 0);
        ck_assert_str_eq(e.name, PR_ERROR_NOT_RUNNING);
        ck_assert_str_eq(e.message, "There is none, for this reason");
}
END_TEST

/* A window that its caller no longer waits for is withdrawn. */
START_TEST(test_window_caller_leaves) {
        sd_bus *other = private_bus_connect(&fixture.bus, geteuid());

        fixture.manager->hold_dumps = true;
        ck_assert_int_ge(sd_bus_call_method_async(other, NULL, PR_BUS_NAME, PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE,
                                                  "OpenWindow", NULL, NULL, "tb", UINT64_C(0), 0), 0);
        while (fixture.manager->n_calls == 0)
                private_bus_settle(&fixture.bus, other);
        ck_assert_uint_eq(fixture.manager->n_withdrawn, 0);
        sd_bus_flush_close_unref(other);
        while (fixture.manager->n_withdrawn == 0)
                private_bus_settle(&fixture.bus, fixture.client);
}
END_TEST

CHECK_MAIN_WITH("bus-verb", fixture_setup_user, fixture_teardown, test_verbs, test_enable, test_names_are_names, test_long_name,
                test_number_of_names, test_signal, test_signals_that_are_none, test_ping, test_window, test_window_refused,
                test_window_caller_leaves);
