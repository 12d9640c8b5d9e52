/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>

#include "daemon-fixture.h"
#include "fd-file.h"
#include "scratch.h"

static bool is_any(const Session *s) {
        return true;
}

START_TEST(test_select) {
        char *const twice[] = { (char *) "b", (char *) "a", NULL }, *const unknown[] = { (char *) "a", (char *) "x", NULL };
        _cleanup_(session_list_done) SessionList l = {}, all = {}, some = {};
        _cleanup_free_ char *sentence = NULL;

        write_session("a", "", "Enabled=no");
        write_session("b", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(sessions_select(&fixture.manager->sessions, twice, false, is_any, &l, &sentence), 0);
        ck_assert_uint_eq(l.n_sessions, 2);
        ck_assert_str_eq(session_name(l.sessions[0]), "b");
        ck_assert_int_eq(sessions_select(&fixture.manager->sessions, NULL, false, is_any, &all, &sentence), 0);
        ck_assert_uint_eq(all.n_sessions, 2);
        ck_assert_int_eq(sessions_select(&fixture.manager->sessions, unknown, false, is_any, &some, &sentence), FAILURE_NO_SUCH_SESSION);
        ck_assert_uint_eq(some.n_sessions, 1);
        ck_assert_str_eq(session_name(some.sessions[0]), "a");
        ck_assert_str_eq(sentence, "There is no session 'x': 'perfctl list' shows all");
}
END_TEST

/* The others are stopped nevertheless. */
START_TEST(test_one_unknown_name) {
        char *const names[] = { (char *) "x", (char *) "a", NULL };

        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_stop, "x"), FAILURE_NO_SUCH_SESSION);
        fixture.done = false;
        manager_stop(fixture.manager, names, fixture_done, NULL);
        ck_assert_int_eq(finish_verb(), FAILURE_NO_SUCH_SESSION);
        ck_assert_str_eq(fixture.sentence, "There is no session 'x': 'perfctl list' shows all");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_INACTIVE);
}
END_TEST

/* The error has a line for each session that failed, and for each name that is not there. */
START_TEST(test_failures_of_many) {
        char *const names[] = { (char *) "a", (char *) "bad", (char *) "c", (char *) "worse", NULL };
        char *const missing[] = { (char *) "a", (char *) "x", (char *) "y", NULL };

        write_session("a", "", "Enabled=no");
        write_session("bad", "--fake-fail=reason", "Enabled=no\nRestart=no");
        write_session("c", "--fake-late=200", "Enabled=no");
        write_session("worse", "--fake-fail=another", "Enabled=no\nRestart=no");
        daemon_start();
        fixture.done = false;
        manager_start(fixture.manager, missing, fixture_done, NULL);
        ck_assert_int_eq(finish_verb(), FAILURE_NO_SUCH_SESSION);
        ck_assert_str_eq(fixture.sentence, "There is no session 'x': 'perfctl list' shows all\n"
                                           "There is no session 'y': 'perfctl list' shows all");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        fixture.done = false;
        manager_start(fixture.manager, names, fixture_done, NULL);
        ck_assert_int_eq(finish_verb(), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "bad: "));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "reason"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "worse: "));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "another"));
        ck_assert_ptr_nonnull(strchr(fixture.sentence, '\n'));
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING); /* the others were waited for */
        ck_assert_int_eq(session_view(session("c")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_signal) {
        char *const names[] = { (char *) "idle", (char *) "x", (char *) "a", NULL };
        _cleanup_free_ SignalRow *rows = NULL, *all = NULL;
        size_t n;

        write_session("a", "", "");
        write_session("idle", "", "Enabled=no");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        ck_assert_int_eq(manager_signal(fixture.manager, names, SIGUSR2, &rows, &n), 0);
        ck_assert_uint_eq(n, 3);
        ck_assert_str_eq(rows[0].name, "idle");
        ck_assert_int_eq(rows[0].error, ESRCH);
        ck_assert_int_eq(rows[1].error, ENOENT);
        ck_assert_int_eq(rows[2].error, 0);
        ck_assert_int_eq(rows[2].pid, session_view(session("a")).main_pid);
        ck_assert_int_eq(manager_signal(fixture.manager, NULL, SIGUSR2, &all, &n), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(all[0].name, "a");
}
END_TEST

START_TEST(test_a_hung_one_is_told) {
        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        begin_verb(manager_pause, "a");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        ck_assert_int_eq(finish_verb(), FAILURE_NOT_RUNNING);
}
END_TEST

static const Caller somebody = { .uid = 12345, .login_uid = UID_INVALID, .pid = 1, .text = "uid 12345 (init[1])" };

static int start_for(const Caller *caller, const char *name) {
        int r;

        manager_set_caller(fixture.manager, caller);
        r = run_verb(manager_start, name);
        manager_set_caller(fixture.manager, NULL);
        return r;
}

/* Instances of a template can't fill the service's memory. */
START_TEST(test_instances_are_limited) {
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=4\n");
        write_session("u@", "", "Enabled=no");
        write_session("u@linked", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(start_for(&somebody, "u@linked"), 0); /* which exists by its file */
        ck_assert_int_eq(start_for(&somebody, "u@1"), 0);
        ck_assert_int_eq(start_for(&somebody, "u@2"), 0);
        ck_assert_int_eq(start_for(&somebody, "u@3"), FAILURE_LIMIT);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "MaxSessions="));
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "u@3"));
        ck_assert_int_eq(start_for(NULL, "u@4"), 0);
        ck_assert_int_eq(run_verb(manager_stop, NULL), 0);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 1);
        ck_assert_int_eq(start_for(&somebody, "u@3"), 0);
}
END_TEST

START_TEST(test_instances_that_cannot_start) {
        write_session("bad@", "--fake-fail=reason", "Enabled=no\nRestart=no");
        write_session_file("unit@.session", "[Session]\nEnabled=no\n[Record]\nEvent=cpu-clock\nUnit=%i\n");
        daemon_start();
        ck_assert_int_eq(run_verb(manager_start, "bad@x"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "reason"));
        ck_assert_int_ne(run_verb(manager_start, "unit@nosuch.service"), 0);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
}
END_TEST

static void expect_said(const char *line) {
        _cleanup_free_ char *path = path_join(fixture.dir, "base/output"), *text = NULL;

        ck_assert_int_eq(read_file(path, 65536, &text, NULL), 0);
        ck_assert_msg(strstr(text, line), "'%s' not in\n%s", line, text);
}

/* The journal names the caller. Later events of the session have no caller. */
START_TEST(test_callers_are_named) {
        write_session("a", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(start_for(&somebody, "a"), 0);
        expect_said("a: Started recording by uid 12345 (init[1]): PID");
        ck_assert_uint_eq(session("a")->caller.uid, UID_INVALID);
        manager_set_caller(fixture.manager, &somebody);
        ck_assert_int_eq(session_kill(session("a"), SIGCONT), 0);
        expect_said("a: SIGCONT sent by uid 12345 (init[1])");
        ck_assert_int_eq(run_verb(manager_pause, "a"), 0);
        expect_said("a: Paused by uid 12345 (init[1])");
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        expect_said("a: Stopped by uid 12345 (init[1])");
        manager_set_caller(fixture.manager, NULL);
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        expect_said("a: Started recording: PID");
}
END_TEST

static void expect_unit(const char *name, char *const *assignments, const char *unit) {
        _cleanup_free_ char *s = manager_unit_of(fixture.manager, name, assignments);

        ck_assert_str_eq(s, unit);
}

/* A rule about a unit applies before the session exists. */
START_TEST(test_units) {
        char *const assignments[] = { (char *) "Record.Event=cpu-clock", (char *) "Record.Unit=a.service",
                                      (char *) "Record.Unit=b.service", NULL };

        write_session_file("unit@.session", "[Session]\nEnabled=no\n[Record]\nEvent=cpu-clock\nUnit=%i\n");
        write_session("plain", "", "Enabled=no");
        daemon_start();
        expect_unit("unit@nginx.service", NULL, "nginx.service");
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "unit@nginx.service"));
        ck_assert_int_eq(run_verb(manager_start, "unit@nginx.service"), 0);
        expect_unit("unit@nginx.service", NULL, "nginx.service");
        expect_unit("plain", NULL, "");
        expect_unit("nosuch", NULL, "");
        expect_unit("new", assignments, "b.service");
}
END_TEST

CHECK_MAIN_WITH("manager-verbs", daemon_fixture_setup, daemon_fixture_teardown, test_select,
                test_one_unknown_name, test_failures_of_many, test_signal, test_a_hung_one_is_told,
                test_instances_are_limited, test_instances_that_cannot_start, test_callers_are_named, test_units);
