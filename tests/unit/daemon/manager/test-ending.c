/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/wait.h>

#include "daemon-fixture.h"

static void start_one(void) {
        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
}

/* Runs the loop until the daemon leaves it. */
static void expect_end(void) {
        int code;

        ck_assert_int_eq(sd_event_loop(fixture.bus.event), 0);
        ck_assert_int_eq(sd_event_get_exit_code(fixture.bus.event, &code), 0);
        ck_assert_int_eq(code, 0);
}

static void under_systemd(const char *job) {
        fake_systemd1_set_job(job);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", "/no/such/socket", 1), 0);
}

static void expect_recorder(pid_t pid, bool alive) {
        ck_assert_int_eq(waitpid(pid, NULL, WNOHANG), alive ? 0 : -1); /* the daemon has reaped it if it exited */
}

/* An event loop that has ended cannot run again, so this kills the recorder. */
static void end_recorder(pid_t pid) {
        daemon_leave();
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(test_exit) {
        pid_t pid;

        start_one();
        pid = session_view(session("a")).main_pid;
        manager_exit(fixture.manager, NULL, NULL);
        expect_end();
        expect_recorder(pid, false);
        ck_assert_int_eq(run_verb(manager_start, "a"), FAILURE_BUSY);
        daemon_leave();
}
END_TEST

static void check_signal(int sig, const char *job, bool stays) {
        pid_t pid;

        start_one();
        pid = session_view(session("a")).main_pid;
        if (job)
                under_systemd(job);
        ck_assert_int_eq(raise(sig), 0);
        expect_end();
        expect_recorder(pid, stays);
        if (stays)
                end_recorder(pid);
        else
                daemon_leave();
}

START_TEST(test_terminated_by_hand) {
        check_signal(SIGTERM, NULL, false);
}
END_TEST

START_TEST(test_interrupted) {
        check_signal(SIGINT, NULL, false);
}
END_TEST

START_TEST(test_systemctl_stop) {
        check_signal(SIGTERM, "stop", false);
}
END_TEST

START_TEST(test_systemctl_restart) {
        check_signal(SIGTERM, "restart", true);
}
END_TEST

START_TEST(test_systemctl_try_restart) {
        check_signal(SIGTERM, "try-restart", true);
}
END_TEST

START_TEST(test_no_job) {
        check_signal(SIGTERM, "", false);
}
END_TEST

START_TEST(test_systemd_does_not_answer) {
        pid_t pid;

        start_one();
        pid = session_view(session("a")).main_pid;
        under_systemd("stop");
        ck_assert_int_eq(kill(fixture.systemd, SIGKILL), 0);
        ck_assert_int_eq(waitpid(fixture.systemd, NULL, 0), fixture.systemd);
        fixture.systemd = fork();
        if (fixture.systemd == 0)
                _exit(0);
        ck_assert_int_eq(setenv("PATH", "/nosuch", 1), 0); /* neither does systemctl */
        ck_assert_int_eq(raise(SIGTERM), 0);
        expect_end();
        expect_recorder(pid, true);
        end_recorder(pid);
}
END_TEST

START_TEST(test_hangup_reads_the_files_again) {
        start_one();
        fixture.manager->watch = session_watch_free(fixture.manager->watch);
        write_session("b", "", "");
        ck_assert_int_eq(raise(SIGHUP), 0);
        run_loop(100 * USEC_PER_MSEC);
        await_state("b", SESSION_RECORDING);
}
END_TEST

CHECK_MAIN_WITH("manager-end", daemon_fixture_setup, daemon_fixture_teardown, test_exit, test_terminated_by_hand,
                test_interrupted, test_systemctl_stop, test_systemctl_restart, test_systemctl_try_restart, test_no_job,
                test_systemd_does_not_answer, test_hangup_reads_the_files_again);
