/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <wchar.h>

#include "check-main.h"
#include "format-text.h"

START_TEST(test_format) {
        _cleanup_free_ char *empty = format_text("%s", ""), *some = format_text("%s-%03d", "a", 7);

        ck_assert_str_eq(empty, "");
        ck_assert_str_eq(some, "a-007");
}
END_TEST

/* A wide character that no locale can write: the result is NULL, and nothing leaks. */
START_TEST(test_failure) {
        _cleanup_free_ char *s = format_text("%lc", (wint_t) 0x1f600);

        ck_assert_ptr_null(s);
}
END_TEST

CHECK_MAIN("format-text", test_format, test_failure);
