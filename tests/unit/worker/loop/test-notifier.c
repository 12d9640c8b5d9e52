/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Messages to the daemon, and the lines that are sent there when the log can't take them. */

#include <fcntl.h>
#include "check-main.h"
#include "log.h"
#include "notifier.h"
#include "parse-time.h"
#include "scratch.h"

static int listen_at(const char *path, bool abstract) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        socklen_t n = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + strlen(path) + !abstract);

        memcpy(address.sun_path, path, strlen(path));
        if (abstract)
                address.sun_path[0] = '\0';
        ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, n), 0);
        return fd;
}

static void assert_received(int fd, const char *expected) {
        char buffer[8192];
        ssize_t n = recv(fd, buffer, sizeof(buffer) - 1, 0);

        ck_assert_int_ge(n, 0);
        buffer[n] = '\0';
        ck_assert_str_eq(buffer, expected);
}

START_TEST(test_nobody_asked) {
        Notifier n = NOTIFIER_EMPTY;

        ck_assert_int_eq(unsetenv("NOTIFY_SOCKET"), 0);
        ck_assert_int_eq(notifier_open(&n), 0);
        ck_assert_int_lt(n.fd, 0);
        notifier_send(&n, "READY=1");
        notifier_done(&n);
}
END_TEST

START_TEST(test_path) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "notify");
        _cleanup_(notifier_done) Notifier n = NOTIFIER_EMPTY;
        _cleanup_close_ int fd = listen_at(path, false);

        ck_assert_int_eq(setenv("NOTIFY_SOCKET", path, 1), 0);
        ck_assert_int_eq(notifier_open(&n), 0);
        ck_assert_ptr_null(getenv("NOTIFY_SOCKET"));
        notifier_send(&n, "READY=%d\nSTATUS=%s", 1, "x");
        assert_received(fd, "READY=1\nSTATUS=x");

        /* The receiver was closed and opened again. */
        fd = safe_close(fd);
        ck_assert_int_eq(unlink(path), 0);
        notifier_send(&n, "lost");
        fd = listen_at(path, false);
        notifier_send(&n, "again");
        assert_received(fd, "again");
}
END_TEST

START_TEST(test_abstract) {
        char name[64];
        _cleanup_(notifier_done) Notifier n = NOTIFIER_EMPTY;
        _cleanup_close_ int fd = -EBADF;

        (void) snprintf(name, sizeof(name), "@perf-recorder-test-%d", getpid());
        fd = listen_at(name, true);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", name, 1), 0);
        ck_assert_int_eq(notifier_open(&n), 0);
        notifier_send(&n, "READY=1");
        assert_received(fd, "READY=1");
}
END_TEST

START_TEST(test_wrong_addresses) {
        static const char *const wrong[] = { "", "/", "relative", "@" };
        char long_name[200] = "/";

        memset(long_name + 1, 'x', sizeof(long_name) - 2);
        long_name[sizeof(long_name) - 1] = '\0';
        for (size_t i = 0; i <= ELEMENTSOF(wrong); i++) {
                Notifier n = NOTIFIER_EMPTY;

                ck_assert_int_eq(setenv("NOTIFY_SOCKET", i < ELEMENTSOF(wrong) ? wrong[i] : long_name, 1), 0);
                ck_assert_int_eq(notifier_open(&n), -EINVAL);
                ck_assert_int_lt(n.fd, 0);
        }
}
END_TEST

/* If the receiver does not read, only the first message that does not fit causes a wait. */
START_TEST(test_receiver_that_does_not_read) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "notify");
        _cleanup_(notifier_done) Notifier n = NOTIFIER_EMPTY;
        _cleanup_close_ int fd = listen_at(path, false);
        char buffer[64];
        usec_t begin;

        ck_assert_int_eq(setenv("NOTIFY_SOCKET", path, 1), 0);
        ck_assert_int_eq(notifier_open(&n), 0);
        for (unsigned i = 0; !n.stalled; i++) {
                ck_assert_uint_lt(i, 100000);
                notifier_send(&n, "%u", i);
        }
        begin = now_usec(CLOCK_MONOTONIC);
        for (unsigned i = 0; i < 100; i++)
                notifier_send(&n, "%u", i);
        ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC) - begin, 10 * USEC_PER_SEC);
        while (recv(fd, buffer, sizeof(buffer), 0) >= 0)
                ;
        notifier_send(&n, "again");
        ck_assert(!n.stalled);
        assert_received(fd, "again");
}
END_TEST

START_TEST(test_log_on_a_full_disk) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "notify");
        _cleanup_(notifier_done) Notifier n = NOTIFIER_EMPTY;
        _cleanup_close_ int fd = listen_at(path, false), full = open("/dev/full", O_WRONLY | O_CLOEXEC), saved = dup(STDERR_FILENO);

        ck_assert_int_ge(full, 0);
        ck_assert_int_eq(setenv("NOTIFY_SOCKET", path, 1), 0);
        ck_assert_int_eq(notifier_open(&n), 0);
        log_set_notifier(&n);
        ck_assert_int_ge(dup2(full, STDERR_FILENO), 0);
        log_error("no %s", "space");
        ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
        log_set_notifier(NULL);
        assert_received(fd, "X_PERF_MESSAGE=no space");
        ck_assert_str_eq(log_last_error(), "no space");
}
END_TEST

START_TEST(test_log_levels) {
        int p[2], saved = dup(STDERR_FILENO);
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char buffer[256] = "";

        ck_assert_int_eq(pipe(p), 0);
        ck_assert_int_ge(dup2(p[1], STDERR_FILENO), 0);
        log_set_quiet(true);
        log_info("hidden");
        log_warning("hidden");
        log_error("error %d", 1);
        log_set_quiet(false);
        log_info("info");
        log_verbose(1, "hidden");
        log_set_verbose(1);
        log_verbose(1, "verbose");
        log_verbose(2, "hidden");
        ck_assert_int_eq(log_diagnosis(&d, -ENOENT, "thing"), -ENOENT);
        (void) diagnosis_set(&d, -EINVAL, "wrong");
        ck_assert_int_eq(log_diagnosis(&d, -EINVAL, "thing"), -EINVAL);
        ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
        ck_assert_int_gt(read(p[0], buffer, sizeof(buffer) - 1), 0);
        ck_assert_str_eq(buffer, "error 1\ninfo\nverbose\nthing: No such file or directory\nwrong\n");
}
END_TEST

CHECK_MAIN("notifier", test_nobody_asked, test_path, test_abstract, test_wrong_addresses, test_receiver_that_does_not_read,
           test_log_on_a_full_disk, test_log_levels);
