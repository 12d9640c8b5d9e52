/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/xattr.h>

static inline void assert_xattr(const char *path, const char *name, const char *expected) {
        char text[2048] = "";

        ck_assert_int_ge(getxattr(path, name, text, sizeof(text) - 1), 0);
        ck_assert_str_eq(text, expected);
}

/* Returns an attribute that is a number. */
static inline uint64_t xattr_number(const char *path, const char *name) {
        char text[64] = "";

        ck_assert_int_ge(getxattr(path, name, text, sizeof(text) - 1), 0);
        return strtoull(text, NULL, 10);
}
