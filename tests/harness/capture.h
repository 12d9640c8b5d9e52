/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>

#include "fd-file.h"

/* Captures the standard output or standard error of a test's code as a string:
 *      int saved = capture_begin(STDOUT_FILENO);
 *      …
 *      _cleanup_free_ char *text = capture_end(STDOUT_FILENO, saved); */

static inline int capture_begin(int fd) {
        int saved, to = open_memfd("capture", 0);

        ck_assert_int_ge(to, 0);
        (void) fflush(NULL);
        saved = dup(fd);
        ck_assert_int_ge(saved, 0);
        ck_assert_int_ge(dup2(to, fd), 0);
        (void) close(to);
        return saved;
}

static inline char *capture_end(int fd, int saved) {
        char *text;

        (void) fflush(NULL);
        ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
        ck_assert_int_eq(read_fd(fd, 1024 * 1024, &text, NULL), 0);
        ck_assert_int_ge(dup2(saved, fd), 0);
        (void) close(saved);
        return text;
}
