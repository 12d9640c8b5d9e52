/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A process in the sandbox is interrupted while it looks at nothing. */

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "perfdata-test.h"
#include "progress.h"
#include "sandbox.h"

static _Noreturn void hang(int ready) {
        bool landlock, told = false;

        progress_catch_interrupt();
        if (sandbox_enter(NULL, 0, &landlock) < 0 || write(ready, "r", 1) != 1)
                _exit(1);
        for (;;) {
                (void) ppoll(NULL, 0, &(struct timespec) { .tv_nsec = 10000000 }, NULL);
                if (!told && progress_is_interrupted() && write(ready, "i", 1) != 1)
                        _exit(2);
                told = told || progress_is_interrupted();
        }
}

START_TEST(second_interrupt) {
        const struct timespec step = { .tv_nsec = 50000000 };
        int fds[2], status = 0;
        char byte = 0;
        pid_t pid;

        ck_assert_int_eq(pipe(fds), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                hang(fds[1]);
        ck_assert_int_eq(read(fds[0], &byte, 1), 1);
        ck_assert_int_eq(kill(pid, SIGINT), 0);
        ck_assert_int_eq(read(fds[0], &byte, 1), 1);
        ck_assert_int_eq(byte, 'i'); /* the first one is a wish */
        while (waitpid(pid, &status, WNOHANG) == 0) {
                ck_assert_int_eq(kill(pid, SIGINT), 0);
                (void) clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
        }
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT, "status %x", (unsigned) status);
        (void) close(fds[0]);
        (void) close(fds[1]);
}
END_TEST

TEST_RUN("progress", second_interrupt);
