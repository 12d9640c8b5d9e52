/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Typing errors before parts of names, the nearest first, each name once. */

#include "check-main.h"
#include "near-name.h"

static void assert_near(const char *wanted, const char *const *names, const char *expected) {
        _cleanup_(near_names_done) NearNames near = { .wanted = wanted };
        _cleanup_free_ char *text = NULL;

        for (; *names; names++)
                near_names_offer(&near, *names);
        text = near_names_join(&near);
        if (expected)
                ck_assert_pstr_eq(text, expected);
        else
                ck_assert_ptr_null(text);
}

START_TEST(test_errors) {
        static const char *const names[] = { "calloc", "malloc", "mallopt", "realloc", "malloc", "free", NULL };

        assert_near("mallox", names, "malloc, calloc, mallopt");
        assert_near("mallc", names, "malloc");
        assert_near("xyzzy", names, NULL);
        assert_near("", names, NULL);
}
END_TEST

START_TEST(test_parts) {
        static const char *const names[] = { "a_very_long_name_with_READ_in_it", "vfs_read", "write", "reap", NULL };

        assert_near("read", names, "reap, vfs_read, a_very_long_name_with_READ_in_it");
        assert_near("re", names, NULL); /* would match many */
}
END_TEST

START_TEST(test_best) {
        static const char *const names[] = { "abcdef12", "abcdef1", "xabcdef1", "bcdef", "abcdef", "abcdeg", "abcdxx", "abcdefg", NULL };

        assert_near("abcdef", names, "abcdef, abcdef1, bcdef, abcdeg, abcdefg");
}
END_TEST

CHECK_MAIN("near-name", test_errors, test_parts, test_best);
