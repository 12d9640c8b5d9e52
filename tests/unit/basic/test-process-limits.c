/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check-main.h"
#include "process-limits.h"

/* Runs in a child; returns its exit status. */
static int in_child(int (*run)(void)) {
        pid_t pid = fork();
        int status;

        if (pid == 0)
                _exit(run());
        ck_assert_int_gt(pid, 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int keep_two(void) {
        int pipes[2], fds[2];
        char c = 'x';

        if (pipe(pipes) < 0)
                return 1;
        fds[0] = pipes[1]; /* the writing end becomes 3, the reading end, which may have been 3, becomes 4 */
        fds[1] = pipes[0];
        if (process_keep_descriptors(fds, 2) < 0)
                return 2;
        if (write(3, &c, 1) != 1 || read(4, &c, 1) != 1 || c != 'x')
                return 3;
        if (fcntl(5, F_GETFD) >= 0 || read(0, &c, 1) != 0 || write(1, "unseen", 6) >= 0)
                return 4;
        return 0;
}

static int keep_too_many(void) {
        int fds[PROCESS_KEEP_MAX + 1] = {};

        return process_keep_descriptors(fds, PROCESS_KEEP_MAX + 1) == -E2BIG ? 0 : 1;
}

START_TEST(descriptors) {
        ck_assert_int_eq(in_child(keep_two), 0);
        ck_assert_int_eq(in_child(keep_too_many), 0);
}
END_TEST

static int take_memory(void) {
        struct rlimit limit;

        process_limit_memory(process_data_size() + (1 << 20));
        if (getrlimit(RLIMIT_CORE, &limit) < 0 || limit.rlim_max != 0)
                return 1;
        return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur >= 1 << 20 ? 0 : 2;
}

START_TEST(memory_and_core) {
        ck_assert_int_eq(in_child(take_memory), 0);
}
END_TEST

CHECK_MAIN("process-limits", descriptors, memory_and_core);
