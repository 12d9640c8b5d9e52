/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <poll.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "check-main.h"
#include "recorder-process.h"

/* A child has no status until it was waited for, and then it is known by its descriptor. */
static void check_status(int status, int sig, int code, int expected) {
        _cleanup_close_ int pidfd = -EBADF;
        siginfo_t info = {};
        pid_t pid = fork();
        int r;

        if (pid == 0) {
                if (sig > 0)
                        (void) raise(sig);
                _exit(status);
        }
        pidfd = pidfd_open(pid, 0);
        ck_assert_int_eq(poll(&(struct pollfd) { .fd = pidfd, .events = POLLIN }, 1, 10000), 1);
        r = pidfd_read_status(pidfd, &info);
        if (r == -EOPNOTSUPP) /* an older kernel */
                return;
        ck_assert_int_eq(r, 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_int_eq(pidfd_read_status(pidfd, &info), 1);
        ck_assert_int_eq(info.si_code, code);
        ck_assert_int_eq(info.si_status, expected);
}

START_TEST(test_status) {
        check_status(0, 0, CLD_EXITED, 0);
        check_status(7, 0, CLD_EXITED, 7);
        check_status(0, SIGKILL, CLD_KILLED, SIGKILL);
}
END_TEST

START_TEST(test_no_pidfd) {
        siginfo_t info = {};

        ck_assert_int_lt(pidfd_read_status(-EBADF, &info), 0);
        ck_assert_int_lt(pidfd_read_status(STDIN_FILENO, &info), 0);
}
END_TEST

CHECK_MAIN("recorder-process", test_status, test_no_pidfd);
