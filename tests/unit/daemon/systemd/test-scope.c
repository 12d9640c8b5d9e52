/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "daemon-fixture.h"
#include "fd-file.h"
#include "format-text.h"
#include "scratch.h"

static ScopeClient *client;
static ScopeSettings settings;
static pid_t child;

typedef struct Answer {
        bool there;
        int error;
        char *text;
} Answer;

static void answer_done(Answer *a) {
        free(a->text);
}

static void on_answer(int error, const char *text, void *userdata) {
        Answer *a = userdata;

        ck_assert(!a->there);
        a->there = true;
        a->error = error;
        a->text = text ? strdup(text) : NULL;
}

static void await_answer(const Answer *a, int error) {
        ck_assert(private_bus_wait(&fixture.bus, &a->there));
        ck_assert_int_eq(a->error, error);
}

static pid_t start_child_with(sighandler_t on_term) {
        sigset_t term, before;
        pid_t pid;

        sigemptyset(&term);
        sigaddset(&term, SIGTERM);
        (void) sigprocmask(SIG_BLOCK, &term, &before); /* until Check's handler, which ends the test, is removed */
        pid = fork();
        if (pid == 0) {
                (void) signal(SIGTERM, on_term);
                (void) sigprocmask(SIG_UNBLOCK, &term, NULL);
                (void) pause();
                _exit(0);
        }
        (void) sigprocmask(SIG_SETMASK, &before, NULL);
        return pid;
}

static pid_t start_child(void) {
        return start_child_with(SIG_DFL);
}

static pid_t start_child_ignoring_term(void) {
        return start_child_with(SIG_IGN);
}

static void end_child(void) {
        (void) kill(child, SIGKILL);
        (void) waitpid(child, NULL, 0);
}

static void setup(void) {
        daemon_fixture_setup();
        ck_assert_int_eq(scope_client_new(fixture.bus.event, false, &client), 0);
        settings = (ScopeSettings) { .cpu_quota_per_sec = USEC_INFINITY, .memory_high = 1 << 20,
                                     .tasks_max = UINT64_MAX, .cpu_weight = 50 };
        child = start_child();
}

static void teardown(void) {
        client = scope_client_free(client);
        end_child();
        daemon_fixture_teardown();
}

static ScopeRequest *ask_for_scope(const char *unit, Answer *a) {
        const ScopePlan plan = { .unit = unit, .description = "A test", .settings = &settings, .pid = child };
        ScopeRequest *q;

        ck_assert_int_eq(scope_start(client, &plan, on_answer, a, &q), 0);
        ck_assert(!a->there);
        return q;
}

START_TEST(test_names) {
        _cleanup_free_ char *unit = scope_unit_name("u-1@my\\x2dapp.service"), *name = scope_session_name(unit),
                            *plain = scope_unit_name("my-app_2"), *other = scope_session_name("nginx.service"),
                            *nothing = scope_session_name("perf-session-.scope");

        ck_assert_str_eq(plain, "perf-session-my-app_2.scope");
        ck_assert_str_eq(unit, "perf-session-u-1\\x40my\\x5cx2dapp.service.scope");
        ck_assert_str_eq(name, "u-1@my\\x2dapp.service");
        ck_assert_ptr_null(other);
        ck_assert_ptr_null(nothing);
}
END_TEST

START_TEST(test_start_and_list) {
        _cleanup_(answer_done) Answer started = {}, listed = {}, processes = {};
        ScopeRequest *q;
        char expected[32];

        (void) ask_for_scope("perf-session-a.scope", &started);
        await_answer(&started, 0);
        ck_assert_int_eq(scope_list(client, on_answer, &listed, &q), 0);
        await_answer(&listed, 0);
        ck_assert_str_eq(listed.text, "perf-session-a.scope\n");
        ck_assert_int_eq(scope_list_processes(client, "perf-session-a.scope", on_answer, &processes, &q), 0);
        await_answer(&processes, 0);
        snprintf(expected, sizeof(expected), "%d\n", (int) child);
        ck_assert_str_eq(processes.text, expected);
}
END_TEST

START_TEST(test_many_at_once) {
        Answer answers[50] = {};

        for (unsigned i = 0; i < ELEMENTSOF(answers); i++) {
                _cleanup_free_ char *unit = NULL;

                ck_assert_int_gt(asprintf(&unit, "perf-session-%u.scope", i), 0);
                (void) ask_for_scope(unit, &answers[i]);
        }
        for (unsigned i = 0; i < ELEMENTSOF(answers); i++) {
                await_answer(&answers[i], 0);
                answer_done(&answers[i]);
        }
}
END_TEST

START_TEST(test_a_job_that_fails) {
        _cleanup_(answer_done) Answer a = {};

        (void) ask_for_scope("perf-session-refused.scope", &a);
        await_answer(&a, SCOPE_JOB_FAILED);
        ck_assert_ptr_nonnull(strstr(a.text, "failed"));
}
END_TEST

START_TEST(test_waits_for_the_old_scope) {
        _cleanup_(answer_done) Answer first = {}, second = {};
        usec_t begin;

        (void) ask_for_scope("perf-session-a.scope", &first);
        await_answer(&first, 0);
        end_child();
        child = start_child();
        begin = now_usec(CLOCK_MONOTONIC);
        (void) ask_for_scope("perf-session-a.scope", &second);
        await_answer(&second, 0);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 5 * USEC_PER_SEC);
}
END_TEST

START_TEST(test_dropping_cancels) {
        _cleanup_(answer_done) Answer a = {}, next = {};

        scope_request_free(ask_for_scope("perf-session-a.scope", &a));
        (void) ask_for_scope("perf-session-b.scope", &next);
        await_answer(&next, 0);
        ck_assert(!a.there);
}
END_TEST

START_TEST(test_stop) {
        _cleanup_(answer_done) Answer a = {};
        int status;

        (void) ask_for_scope("perf-session-a.scope", &a);
        await_answer(&a, 0);
        scope_stop(client, "perf-session-a.scope");
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
END_TEST

/* The start after it learns that this may pass, or kills what is in it. */
START_TEST(test_an_old_scope_that_stays) {
        _cleanup_(answer_done) Answer first = {}, refused = {}, started = {}, killed = {};
        const pid_t left = start_child();
        ScopePlan plan = { .unit = "perf-session-b.scope", .description = "A test", .settings = &settings, .pid = left };
        ScopeRequest *q;
        int status;

        (void) ask_for_scope("perf-session-a.scope", &first);
        await_answer(&first, 0);
        ck_assert_int_eq(scope_start(client, &plan, on_answer, &started, &q), 0);
        await_answer(&started, 0);
        (void) ask_for_scope("perf-session-a.scope", &refused);
        plan.pid = getpid();
        plan.is_left = true;
        ck_assert_int_eq(scope_start(client, &plan, on_answer, &killed, &q), 0);
        run_loop(14 * USEC_PER_SEC);
        ck_assert_int_eq(waitpid(left, &status, WNOHANG), 0);
        await_answer(&killed, 0);
        ck_assert_int_eq(waitpid(left, &status, 0), left);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        await_answer(&refused, -EBUSY);
        ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
}
END_TEST

/* Makes the child's scope, as that of a command that ignores SIGTERM and has lost its recorder. */
static void leave_scope(void) {
        _cleanup_(answer_done) Answer a = {};

        end_child();
        child = start_child_ignoring_term();
        (void) ask_for_scope("perf-session-a.scope", &a);
        await_answer(&a, 0);
        scope_stop_left(client, "perf-session-a.scope");
        run_loop(200 * USEC_PER_MSEC);
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
}

static void expect_killed(void) {
        int status;

        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

START_TEST(test_what_was_left_is_killed) {
        leave_scope();
        run_loop(14 * USEC_PER_SEC);
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
        run_loop(2 * USEC_PER_SEC);
        expect_killed();
}
END_TEST

START_TEST(test_what_was_left_ends_with_the_client) {
        leave_scope();
        client = scope_client_free(client);
        run_loop(200 * USEC_PER_MSEC);
        expect_killed();
}
END_TEST

START_TEST(test_control_group) {
        _cleanup_(answer_done) Answer named = {}, missing = {};
        ScopeRequest *q;

        ck_assert_int_eq(scope_find_control_group(client, "nginx.service", on_answer, &named, &q), 0);
        await_answer(&named, 0);
        ck_assert_str_eq(named.text, "/system.slice/nginx.service");
        ck_assert_int_eq(scope_find_control_group(client, "apache.service", on_answer, &missing, &q), 0);
        await_answer(&missing, -ESRCH);
        ck_assert_ptr_nonnull(strstr(missing.text, "apache.service is not running"));
}
END_TEST

START_TEST(test_directory) {
        _cleanup_(answer_done) Answer made = {}, refused = {};
        _cleanup_free_ char *path = path_join(fixture.dir, "parent/made"), *file = path_join(fixture.dir, "file");
        ScopeRequest *q;
        struct stat st;

        ck_assert_int_eq(scope_make_directory(client, path, on_answer, &made, &q), 0);
        await_answer(&made, 0);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0700);
        scratch_write_text(fixture.dir, "file", "");
        run_loop(200 * USEC_PER_MSEC); /* until the unit is removed */
        ck_assert_int_eq(scope_make_directory(client, file, on_answer, &refused, &q), 0);
        ck_assert(private_bus_wait(&fixture.bus, &refused.there));
        ck_assert_int_lt(refused.error, 0);
        ck_assert_ptr_nonnull(strstr(refused.text, "systemd did not mount it"));
}
END_TEST

static void expect_own_job(const char *type) {
        _cleanup_(answer_done) Answer a = {};
        ScopeRequest *q;

        fake_systemd1_set_job(type);
        ck_assert_int_eq(scope_find_own_job(client, on_answer, &a, &q), 0);
        await_answer(&a, 0);
        ck_assert_str_eq(a.text, type);
}

START_TEST(test_own_job) {
        expect_own_job("");
        expect_own_job("restart");
        expect_own_job("stop");
        expect_own_job("shutdown");
}
END_TEST

static void expect_systemctl(const char *script, int error, const char *type) {
        _cleanup_free_ char *seen = NULL, *path = format_text("%s/systemctl", fixture.dir);

        scratch_write_text(fixture.dir, "systemctl", script);
        ck_assert_int_eq(chmod(path, 0755), 0);
        ck_assert_int_eq(setenv("PATH", fixture.dir, 1), 0);
        ck_assert_int_eq(scope_ask_systemctl(client, "own.service", &seen), error);
        if (error >= 0)
                ck_assert_str_eq(seen, type);
}

START_TEST(test_own_job_without_a_bus) {
        expect_systemctl("#!/bin/sh\necho \"  123 $5 restart running\"\n", 0, "restart");
        expect_systemctl("#!/bin/sh\n[ \"$*\" = '--system --no-legend list-jobs -- own.service' ] && echo 1 $5 stop running\n", 0, "stop");
        expect_systemctl("#!/bin/sh\n", 0, "");
        expect_systemctl("#!/bin/sh\necho nonsense\n", -EBADMSG, NULL);
        expect_systemctl("#!/bin/sh\nexit 1\n", -EIO, NULL);
        ck_assert_int_eq(setenv("PATH", "/nosuch", 1), 0);
        ck_assert_int_eq(scope_ask_systemctl(client, "own.service", &(char *) { NULL }), -ENOENT);
}
END_TEST

START_TEST(test_connection_is_made_again) {
        _cleanup_(answer_done) Answer before = {}, lost = {}, after = {};
        ScopeRequest *q;

        ck_assert_int_eq(scope_list(client, on_answer, &before, &q), 0);
        await_answer(&before, 0);
        ck_assert_int_eq(kill(fixture.systemd, SIGSTOP), 0); /* it must not answer first */
        (void) ask_for_scope("perf-session-a.scope", &lost);
        private_bus_restart(&fixture.bus);
        ck_assert(private_bus_wait(&fixture.bus, &lost.there));
        ck_assert_int_eq(kill(fixture.systemd, SIGCONT), 0);
        ck_assert_int_lt(lost.error, 0);
        run_loop(100 * USEC_PER_MSEC); /* until sd-bus has closed the old connection */
        ck_assert_int_eq(scope_list(client, on_answer, &after, &q), 0);
        ck_assert(private_bus_wait(&fixture.bus, &after.there));
        ck_assert_int_lt(after.error, 0); /* there is a bus, without systemd */
        ck_assert_ptr_nonnull(after.text);
}
END_TEST

CHECK_MAIN_WITH("scope", setup, teardown, test_names, test_start_and_list, test_many_at_once, test_a_job_that_fails,
                test_waits_for_the_old_scope, test_dropping_cancels, test_stop, test_an_old_scope_that_stays,
                test_what_was_left_is_killed, test_what_was_left_ends_with_the_client, test_control_group, test_directory, test_own_job,
                test_own_job_without_a_bus, test_connection_is_made_again);
