/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each test gives up the rights of a child, since that is for good. */

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "check-main.h"
#include "process-rights.h"
#include "scratch.h"
#include "skip.h"

static char *secret, *dir;

static int read_only(void) {
        _cleanup_close_ int fd = -EBADF;

        if (process_give_up_rights(PROCESS_CAPABILITY(CAP_DAC_READ_SEARCH)) < 0)
                return 1;
        fd = open(secret, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return 2;
        if (open(secret, O_WRONLY | O_CLOEXEC) >= 0 || errno != EACCES)
                return 3;
        if (unlink(secret) == 0 || errno != EACCES)
                return 4;
        if (kill(1, 0) == 0 || errno != EPERM)
                return 5;
        return getuid() == 0 || setuid(0) == 0 ? 6 : 0;
}

static int nothing(void) {
        if (process_give_up_rights(0) < 0)
                return 1;
        return open(secret, O_RDONLY | O_CLOEXEC) >= 0 || errno != EACCES ? 2 : 0;
}

/* Root that lacks what it wants to keep stays root, without capabilities. */
static int lacking(void) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

        if (syscall(SYS_capset, &header, none) < 0)
                return 1;
        return process_give_up_rights(PROCESS_CAPABILITY(CAP_DAC_READ_SEARCH)) != -EPERM ? 2 : geteuid() != 0 ? 3 : 0;
}

static void run(int (*f)(void)) {
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                _exit(f());
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(status == 0, "status %x", (unsigned) status);
}

START_TEST(test_root) {
        if (geteuid() != 0)
                SKIP("becoming another user needs root");
        dir = scratch_new();
        scratch_write_text(dir, "secret", "x");
        secret = path_join(dir, "secret");
        ck_assert_int_eq(chmod(secret, 0600), 0);
        ck_assert_int_eq(chmod(dir, 0700), 0);
        run(read_only);
        run(nothing);
        run(lacking);
        free(secret);
        scratch_done(&dir);
}
END_TEST

CHECK_MAIN("process-rights", test_root);
