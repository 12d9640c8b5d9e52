/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A command: held, released, ended. */

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include "check-main.h"
#include "command.h"
#include "scratch.h"

static void run(Command *c, char *const *argv) {
        struct pollfd ended = { .events = POLLIN };

        ck_assert_int_eq(command_fork(c, argv, false), 0);
        ck_assert_int_eq(command_start(c), 0);
        ended.fd = c->pidfd;
        ck_assert_int_eq(poll(&ended, 1, -1), 1);
        command_end(c);
        ck_assert(c->ended);
}

START_TEST(test_statuses) {
        _cleanup_(command_done) Command ok = COMMAND_EMPTY, three = COMMAND_EMPTY, killed = COMMAND_EMPTY,
                                            terminated = COMMAND_EMPTY;
        int sig = 0;

        run(&ok, (char *[]) { (char *) "true", NULL });
        ck_assert_int_eq(command_exit_status(&ok, &sig), 0);
        run(&three, (char *[]) { (char *) "sh", (char *) "-c", (char *) "exit 3", NULL });
        ck_assert_int_eq(command_exit_status(&three, &sig), 3);
        ck_assert_int_eq(sig, 0);
        ck_assert_int_eq(three.exec_error, 0);
        run(&killed, (char *[]) { (char *) "sh", (char *) "-c", (char *) "kill -9 $$", NULL });
        ck_assert_int_eq(command_exit_status(&killed, &sig), 0);
        ck_assert_int_eq(sig, SIGKILL);
        run(&terminated, (char *[]) { (char *) "sh", (char *) "-c", (char *) "kill $$", NULL });
        ck_assert_int_eq(command_exit_status(&terminated, &sig), 0);
        ck_assert_int_eq(sig, SIGTERM);
}
END_TEST

START_TEST(test_exec_fails) {
        _cleanup_(command_done) Command c = COMMAND_EMPTY, d = COMMAND_EMPTY;

        ck_assert_int_eq(command_fork(&c, (char *[]) { (char *) "/nonexistent/program", NULL }, false), 0);
        ck_assert_int_eq(command_start(&c), -ENOENT);
        ck_assert_int_eq(c.exec_error, ENOENT);
        ck_assert_int_eq(command_fork(&d, (char *[]) { (char *) "/", NULL }, false), 0);
        ck_assert_int_eq(command_start(&d), -EACCES);
        ck_assert_int_eq(d.exec_error, EACCES);
}
END_TEST

/* Until it is released it does nothing, and has perf's name for such a process. */
START_TEST(test_held) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "touched");
        _cleanup_(command_done) Command c = COMMAND_EMPTY;
        _cleanup_free_ char *name = NULL;

        ck_assert_int_eq(command_fork(&c, (char *[]) { (char *) "touch", path, NULL }, false), 0);
        ck_assert_int_gt(asprintf(&name, "/proc/%d/comm", (int) c.pid), 0);
        for (;;) {
                _cleanup_free_ char *comm = NULL;
                size_t size;

                ck_assert_int_eq(read_file(name, 64, &comm, &size), 0);
                if (streq(comm, "perf-exec\n"))
                        break;
        }
        command_end(&c);
        ck_assert_int_lt(access(path, F_OK), 0);
}
END_TEST

START_TEST(test_ended_by_us) {
        _cleanup_(command_done) Command c = COMMAND_EMPTY;
        int sig = 0;

        ck_assert_int_eq(command_fork(&c, (char *[]) { (char *) "sleep", (char *) "1000", NULL }, false), 0);
        ck_assert_int_eq(command_start(&c), 0);
        command_end(&c);
        command_end(&c);
        ck_assert_int_eq(command_exit_status(&c, &sig), 0);
        ck_assert_int_eq(sig, 0);
        ck_assert(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGTERM);
}
END_TEST

/* Signals that the recorder reads from its descriptor are not blocked in the command. */
START_TEST(test_signals_are_unblocked) {
        _cleanup_(command_done) Command c = COMMAND_EMPTY;
        sigset_t mask;
        int sig = 0;

        sigemptyset(&mask);
        sigaddset(&mask, SIGTERM);
        sigaddset(&mask, SIGUSR2);
        ck_assert_int_eq(sigprocmask(SIG_BLOCK, &mask, NULL), 0);
        (void) signal(SIGPIPE, SIG_IGN);
        run(&c, (char *[]) { (char *) "sh", (char *) "-c", (char *) "kill -USR2 $$; sleep 10", NULL });
        ck_assert_int_eq(command_exit_status(&c, &sig), 0);
        ck_assert_int_eq(sig, SIGUSR2);
}
END_TEST

CHECK_MAIN("command", test_statuses, test_exec_fails, test_held, test_ended_by_us, test_signals_are_unblocked);
