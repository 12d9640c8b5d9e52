/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The end of the daemon for a restart, as main() has it, while a call of each kind is under way: the caller gets an error, and the
 * connection goes before its vtables, at which libsystemd looks then. Recorders are stopped by SIGSTOP, so that no call ends by
 * itself. */

#include <signal.h>
#include <sys/wait.h>

#include <perf-recorder/bus-names.h>

#include "bus-call.h"
#include "daemon-fixture.h"

#define UP PR_BUS_SESSION_PATH "/up"
#define IDLE PR_BUS_SESSION_PATH "/idle"
#define NO_TIMEOUT (10 * USEC_PER_MINUTE)

static Bus *service;
static sd_bus *client;

typedef enum Arguments {
        ARGUMENTS_NONE,
        ARGUMENTS_NOW,
        ARGUMENTS_TIMEOUT,
        ARGUMENTS_OPTIONS,
        ARGUMENTS_SETTINGS,
        ARGUMENTS_RESERVATION,
} Arguments;

static const struct {
        const char *path, *member, *name; /* name: the argument of a method of the manager */
        Arguments arguments;
} calls[] = {
        { PR_BUS_PATH, "Start", "idle" },
        { PR_BUS_PATH, "Pause", "up" },
        { PR_BUS_PATH, "Resume", "up" },
        { PR_BUS_PATH, "Enable", "idle", ARGUMENTS_NOW },
        { PR_BUS_PATH, "Ping", "up", ARGUMENTS_TIMEOUT },
        { PR_BUS_PATH, "Dump", "up", ARGUMENTS_OPTIONS },
        { PR_BUS_PATH, "DumpObjects", "up", ARGUMENTS_OPTIONS },
        { PR_BUS_PATH, "StartTransient", "new", ARGUMENTS_SETTINGS },
        { PR_BUS_PATH, "Reserve", NULL, ARGUMENTS_RESERVATION },
        { IDLE, "Start" },
        { UP, "Pause" },
        { UP, "Resume" },
        { IDLE, "Enable", NULL, ARGUMENTS_NOW },
        { UP, "Ping", NULL, ARGUMENTS_TIMEOUT },
        { UP, "Dump", NULL, ARGUMENTS_OPTIONS },
};

static void setup(void) {
        daemon_fixture_setup();
        write_session("idle", "--fake-late=100000", "Enabled=no\n");
        start_session("up", "", "");
        ck_assert_int_eq(bus_new(fixture.bus.event, fixture.manager, true, &service), 0);
        client = private_bus_connect(&fixture.bus, geteuid());
        ck_assert_int_eq(session_kill(session("up"), SIGSTOP), 0);
}

static void teardown(void) {
        client = sd_bus_flush_close_unref(client);
        daemon_fixture_teardown();
}

static int append_arguments(sd_bus_message *m, Arguments arguments) {
        switch (arguments) {
        case ARGUMENTS_NOW:
                return sd_bus_message_append(m, "b", 1);
        case ARGUMENTS_TIMEOUT:
                return sd_bus_message_append(m, "t", NO_TIMEOUT);
        case ARGUMENTS_OPTIONS:
                return sd_bus_message_append(m, "a{sv}", 0);
        case ARGUMENTS_RESERVATION:
                return sd_bus_message_append(m, "sss", "hardware", "x", "");
        case ARGUMENTS_SETTINGS:
                return sd_bus_message_append(m, "a{sv}", 1, "Session.Run", "s", "-e cpu-clock --fake-late=100000");
        default:
                return 0;
        }
}

typedef struct Answer {
        bool there, is_error;
} Answer;

static int on_answer(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        *(Answer *) userdata = (Answer) { .there = true, .is_error = sd_bus_message_is_method_error(m, SD_BUS_ERROR_NO_REPLY) };
        return 0;
}

static void send_call(size_t i, Answer *answer) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        bool of_manager = streq(calls[i].path, PR_BUS_PATH);
        int r = sd_bus_message_new_method_call(client, &m, PR_BUS_NAME, calls[i].path,
                                               of_manager ? PR_BUS_MANAGER_INTERFACE : PR_BUS_SESSION_INTERFACE, calls[i].member);

        if (r >= 0 && calls[i].name)
                r = calls[i].arguments == ARGUMENTS_SETTINGS ? sd_bus_message_append(m, "s", calls[i].name)
                                                             : sd_bus_message_append(m, "as", 1, calls[i].name);
        if (r >= 0)
                r = append_arguments(m, calls[i].arguments);
        if (r >= 0)
                r = sd_bus_call_async(client, NULL, m, on_answer, answer, UINT64_MAX);
        ck_assert_int_ge(r, 0);
}

/* The bus has also answered what the service asks it about the caller. */
static void await_call(const Answer *answer) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 30 * USEC_PER_SEC;

        while (!service->calls) {
                ck_assert(!answer->there && now_usec(CLOCK_MONOTONIC) < end);
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        }
        private_bus_settle(&fixture.bus, client);
        private_bus_settle(&fixture.bus, client);
        ck_assert(!answer->there);
}

/* The loop may have been left. */
static void await_answer(const Answer *answer) {
        while (!answer->there) {
                int r = sd_bus_process(client, NULL);

                ck_assert_int_ge(r, 0);
                if (r == 0)
                        ck_assert_int_gt(sd_bus_wait(client, 30 * USEC_PER_SEC), 0);
        }
}

static void kill_recorders(const pid_t *pids, size_t n) {
        for (size_t i = 0; i < n; i++) {
                (void) kill(pids[i], SIGKILL);
                (void) waitpid(pids[i], NULL, 0);
        }
}

START_TEST(test_call_is_under_way) {
        pid_t pids[4] = {};
        Answer answer = {};
        bool gone = false;
        size_t n = 0;

        send_call((size_t) _i, &answer);
        await_call(&answer);
        for (size_t i = 0; i < manager_sessions(fixture.manager)->n; i++)
                if (session_view(manager_sessions(fixture.manager)->all[i]).main_pid > 0)
                        pids[n++] = session_view(manager_sessions(fixture.manager)->all[i]).main_pid;

        private_bus_note_end(service->bus, &gone);
        service = bus_free(service);
        ck_assert(gone);
        daemon_leave();
        await_answer(&answer);
        ck_assert_msg(answer.is_error, "%s", calls[_i].member);
        kill_recorders(pids, n);
}
END_TEST

int main(void) {
        Suite *suite = suite_create("restart");
        TCase *tcase = tcase_create("restart");
        SRunner *runner;
        int n_failed;

        tcase_add_checked_fixture(tcase, setup, teardown);
        tcase_add_loop_test(tcase, test_call_is_under_way, 0, ELEMENTSOF(calls));
        tcase_set_timeout(tcase, 60);
        suite_add_tcase(suite, tcase);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        n_failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
