/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "fdstore.h"
#include "scratch.h"

static char *dir;

static void setup(void) {
        dir = scratch_new();
        ck_assert_int_eq(unsetenv("NOTIFY_SOCKET"), 0);
}

static void teardown(void) {
        scratch_done(&dir);
}

START_TEST(test_kinds) {
        _cleanup_close_ int pidfd = pidfd_open(getpid(), 0), state = open_memfd("perf-recorder-state", 10),
                            sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        char name[FDSTORE_NAME_MAX] = "";

        ck_assert_int_eq(fdstore_kind(pidfd, name), FD_KIND_PIDFD);
        ck_assert_int_eq(fdstore_kind(sock, name), FD_KIND_SOCKET);
        ck_assert_int_eq(fdstore_kind(null, name), FD_KIND_OTHER);
        ck_assert_str_eq(name, "");
        ck_assert_int_eq(fdstore_kind(state, name), FD_KIND_MEMFD);
        ck_assert_str_eq(name, "perf-recorder-state");
}
END_TEST

/* Passes descriptors as the service manager does: from number 3 on, with the environment of a new process. */
static int restore_in_child(int fd_a, int fd_b, const char *names) {
        char number[16];
        FdStore s;
        pid_t pid = fork();
        int status;

        if (pid > 0) {
                ck_assert_int_eq(waitpid(pid, &status, 0), pid);
                return WEXITSTATUS(status);
        }
        fd_a = fcntl(fd_a, F_DUPFD, 20);
        fd_b = fcntl(fd_b, F_DUPFD, 20);
        if (dup2(fd_a, 3) < 0 || dup2(fd_b, 4) < 0)
                _exit(101);
        snprintf(number, sizeof(number), "%d", (int) getpid());
        (void) setenv("LISTEN_PID", number, 1);
        (void) setenv("LISTEN_FDS", "2", 1);
        (void) setenv("LISTEN_FDNAMES", names, 1);
        if (fdstore_restore(&s) < 0)
                _exit(102);
        if (getenv("LISTEN_FDS"))
                _exit(103);
        if (s.n_entries == 0)
                _exit(104);
        _exit((int) (s.n_entries * 10 + s.entries[0].n_fds));
}

START_TEST(test_descriptors_of_one_name_come_together) {
        _cleanup_close_ int a = open("/dev/null", O_RDONLY | O_CLOEXEC), b = open("/dev/null", O_RDONLY | O_CLOEXEC);

        ck_assert_int_eq(restore_in_child(a, b, "session-1:session-1"), 12);
        ck_assert_int_eq(restore_in_child(a, b, "session-1:notify"), 21);
}
END_TEST

START_TEST(test_nothing_was_passed) {
        FdStore s = {};

        ck_assert_int_eq(fdstore_restore(&s), 0);
        ck_assert_uint_eq(s.n_entries, 0);
        fdstore_done(&s);
}
END_TEST

static int listen_as_manager(char **ret_path) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        *ret_path = path_join(dir, "notify");
        strcpy(address.sun_path, *ret_path);
        ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, sizeof(address)), 0);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", *ret_path, 1), 0);
        return fd;
}

START_TEST(test_push_and_remove) {
        _cleanup_free_ char *path = NULL;
        _cleanup_close_ int manager = listen_as_manager(&path), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        char text[256] = "", control[CMSG_SPACE(16 * sizeof(int))];
        struct iovec iov = { .iov_base = text, .iov_len = sizeof(text) - 1 };
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        const int fds[] = { null, null };

        ck_assert_int_eq(fdstore_push("session-1", fds, 2), 0);
        ck_assert_int_gt(recvmsg(manager, &mh, MSG_CMSG_CLOEXEC), 0);
        ck_assert_str_eq(text, "FDSTORE=1\nFDNAME=session-1\nFDPOLL=0");
        ck_assert_ptr_nonnull(CMSG_FIRSTHDR(&mh));
        memset(text, 0, sizeof(text));
        fdstore_remove("session-1");
        ck_assert_int_gt(recv(manager, text, sizeof(text) - 1, 0), 0);
        ck_assert_str_eq(text, "FDSTOREREMOVE=1\nFDNAME=session-1");
}
END_TEST

START_TEST(test_without_a_service_manager) {
        const int fd = STDIN_FILENO;

        ck_assert_int_eq(fdstore_push("session-1", &fd, 1), 0);
        fdstore_remove("session-1");
}
END_TEST

CHECK_MAIN_WITH("fdstore", setup, teardown, test_kinds, test_descriptors_of_one_name_come_together, test_nothing_was_passed,
                test_push_and_remove, test_without_a_service_manager);
