/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>

#include "daemon-fixture.h"

typedef struct Pinged {
        bool there;
        Failure failure;
        size_t n_rows;
        char names[8][32], status[8][16];
        usec_t took[8];
} Pinged;

static void on_pinged(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata) {
        Pinged *p = userdata;

        ck_assert(!p->there);
        p->there = true;
        p->failure = failure;
        p->n_rows = n_rows;
        for (size_t i = 0; i < n_rows && i < 8; i++) {
                snprintf(p->names[i], sizeof(p->names[i]), "%s", rows[i].name);
                snprintf(p->status[i], sizeof(p->status[i]), "%s", rows[i].status);
                p->took[i] = rows[i].round_trip_usec;
        }
}

static void begin_ping(char *const *names, usec_t timeout, Pinged *p) {
        *p = (Pinged) {};
        manager_ping(fixture.manager, names, timeout, on_pinged, p);
}

static void finish_ping(Pinged *p) {
        ck_assert(private_bus_wait(&fixture.bus, &p->there));
}

static void ping(const char *name, usec_t timeout, Pinged *p) {
        char *const names[] = { (char *) name, NULL };

        begin_ping(name ? names : NULL, timeout, p);
        finish_ping(p);
}

static void start_three(void) {
        write_session("a", "", "");
        write_session("b", "--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        write_session("idle", "", "Enabled=no");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        await_state("b", SESSION_RECORDING);
}

START_TEST(test_all) {
        Pinged p;

        start_three();
        ping(NULL, 0, &p);
        ck_assert_int_eq(p.failure, 0);
        ck_assert_uint_eq(p.n_rows, 2);
        ck_assert_str_eq(p.names[0], "a");
        ck_assert_str_eq(p.status[0], "ok");
        ck_assert_uint_gt(p.took[0], 0);
        ck_assert_str_eq(p.names[1], "b");
        ck_assert_str_eq(p.status[1], "ok");
}
END_TEST

START_TEST(test_inactive_and_unknown) {
        Pinged p;

        start_three();
        ping("idle", 0, &p);
        ck_assert_str_eq(p.status[0], "inactive");
        ping("nosuch", 0, &p);
        ck_assert_int_eq(p.failure, FAILURE_NO_SUCH_SESSION);
        ck_assert_uint_eq(p.n_rows, 0);
        ping("unit@x", 0, &p);
        ck_assert_int_eq(p.failure, FAILURE_NO_SUCH_SESSION);
}
END_TEST

START_TEST(test_a_hung_one_delays_nobody) {
        Pinged all, other;

        start_three();
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        begin_ping(NULL, 400 * USEC_PER_MSEC, &all);
        ping("b", 10 * USEC_PER_SEC, &other);
        ck_assert_str_eq(other.status[0], "ok");
        ck_assert(!all.there);
        finish_ping(&all);
        ck_assert_str_eq(all.status[0], "timeout");
        ck_assert_str_eq(all.status[1], "ok");
}
END_TEST

START_TEST(test_late_answers) {
        Pinged p;

        start_three();
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        for (unsigned i = 0; i < 40; i++) { /* more than its queue of words holds */
                ping("a", 10 * USEC_PER_MSEC, &p);
                ck_assert_str_eq(p.status[0], "timeout");
        }
        ck_assert_uint_eq(control_unawaited(session("a")->recorder.control), 1);
        ck_assert_int_eq(session_kill(session("a"), SIGCONT), 0);
        ping("a", 10 * USEC_PER_SEC, &p);
        ck_assert_str_eq(p.status[0], "ok");
        ck_assert_uint_eq(control_unawaited(session("a")->recorder.control), 0);
}
END_TEST

START_TEST(test_one_that_dies) {
        Pinged p;
        char *const names[] = { (char *) "a", NULL };

        start_three();
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        begin_ping(names, 10 * USEC_PER_SEC, &p);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        finish_ping(&p);
        ck_assert_str_eq(p.status[0], "dead");
}
END_TEST

START_TEST(test_the_same_name_twice) {
        char *const names[] = { (char *) "a", (char *) "b", (char *) "a", NULL };
        Pinged p;

        start_three();
        begin_ping(names, 0, &p);
        finish_ping(&p);
        ck_assert_uint_eq(p.n_rows, 3);
        for (unsigned i = 0; i < 3; i++)
                ck_assert_str_eq(p.status[i], "ok");
}
END_TEST

START_TEST(test_nothing_runs) {
        Pinged p;

        write_session("idle", "", "Enabled=no");
        daemon_start();
        ping(NULL, 0, &p);
        ck_assert_int_eq(p.failure, 0);
        ck_assert_uint_eq(p.n_rows, 0);
}
END_TEST

/* A ping of all sessions includes those that should run and do not. */
START_TEST(test_all_that_should_run) {
        Pinged p;

        write_session("fails", "--fake-fail=bad --fake-errno=22", "");
        write_session("fine", "", "");
        write_session("idle", "", "Enabled=no");
        write_session("waits", "--fake-fail=full --fake-errno=28", "RestartSec=1h");
        write_session_file("wrong.session", "[Session]\nRun=-e x\nRestart=perhaps\n");
        daemon_start();
        await_state("fails", SESSION_FAILED);
        await_state("fine", SESSION_RECORDING);
        await_state("waits", SESSION_WAITING);
        ping(NULL, 0, &p);
        ck_assert_uint_eq(p.n_rows, 4);
        ck_assert_str_eq(p.names[0], "fails");
        ck_assert_str_eq(p.status[0], "dead");
        ck_assert_str_eq(p.status[1], "ok");
        ck_assert_str_eq(p.names[2], "waits");
        ck_assert_str_eq(p.status[2], "inactive");
        ck_assert_str_eq(p.names[3], "wrong");
        ck_assert_str_eq(p.status[3], "dead");
        ck_assert_int_eq(run_verb(manager_stop, "fine"), 0);
        ping(NULL, 0, &p);
        ck_assert_uint_eq(p.n_rows, 3);
}
END_TEST

START_TEST(test_daemon_ends_meanwhile) {
        Pinged p;

        start_three();
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        begin_ping(NULL, 0, &p);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        ck_assert_int_eq(session_kill(session("b"), SIGKILL), 0);
        daemon_leave();
        ck_assert(p.there);
}
END_TEST

CHECK_MAIN_WITH("manager-ping", daemon_fixture_setup, daemon_fixture_teardown, test_all, test_inactive_and_unknown,
                test_a_hung_one_delays_nobody, test_late_answers, test_one_that_dies, test_the_same_name_twice,
                test_nothing_runs, test_all_that_should_run, test_daemon_ends_meanwhile);
