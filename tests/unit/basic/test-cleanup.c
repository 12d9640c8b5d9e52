/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Moves and cleanups of owners. */

#include <fcntl.h>

#include "check-main.h"
#include "cleanup.h"

START_TEST(test_steal) {
        _cleanup_free_ char *owner = strdup("a"), *next = NULL;
        _cleanup_close_ int fd = dup(STDOUT_FILENO), next_fd = -EBADF;

        next = steal_ptr(owner);
        ck_assert_ptr_null(owner);
        ck_assert_str_eq(next, "a");
        next_fd = steal_fd(&fd);
        ck_assert_int_eq(fd, -EBADF);
        ck_assert_int_ge(next_fd, 0);
}
END_TEST

START_TEST(test_close) {
        int fd = dup(STDOUT_FILENO), copy = fd;

        {
                _cleanup_close_ int owner = fd;

                ck_assert_int_ge(owner, 0);
        }
        ck_assert_int_eq(fcntl(copy, F_GETFD), -1);

        fd = dup(STDOUT_FILENO);
        errno = EDOM;
        ck_assert_int_eq(safe_close(fd), -EBADF);
        ck_assert_int_eq(safe_close(-EBADF), -EBADF);
        ck_assert_int_eq(errno, EDOM);
}
END_TEST

START_TEST(test_strings) {
        _cleanup_free_ char *s = NULL;

        ck_assert_int_eq(free_and_strdup(&s, "a"), 0);
        ck_assert_int_eq(free_and_strdup(&s, "b"), 0);
        ck_assert_str_eq(s, "b");
        ck_assert_int_eq(free_and_strdup(&s, NULL), 0);
        ck_assert_ptr_null(s);

        ck_assert(streq_ptr(NULL, NULL));
        ck_assert(!streq_ptr(NULL, ""));
        ck_assert(streq_ptr("a", "a"));
        ck_assert_str_eq(startswith("session-x", "session-"), "x");
        ck_assert_ptr_null(startswith("sess", "session-"));
        ck_assert_str_eq(startswith("a", ""), "a");
}
END_TEST

START_TEST(test_extremes) {
        ck_assert_int_eq(MIN_OF(MAX_OF(1, 2), 3), 2);
        ck_assert_int_eq(MAX_OF(MIN_OF(1, 2), 0), 1);
}
END_TEST

CHECK_MAIN("cleanup", test_steal, test_close, test_strings, test_extremes);
