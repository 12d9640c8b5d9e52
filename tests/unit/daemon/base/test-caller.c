/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/prctl.h>

#include "caller.h"
#include "check-main.h"

START_TEST(test_this_process) {
        char expected[128];
        Caller c;

        ck_assert_int_eq(prctl(PR_SET_NAME, "a\033\xff"), 0);
        caller_init(&c, 7, getpid());
        ck_assert_str_eq(c.comm, "a?\xef\xbf\xbd");
        ck_assert_uint_eq(c.uid, 7);
        ck_assert_int_eq(c.pid, getpid());
        snprintf(expected, sizeof(expected), "uid 7 (%s[%d]", c.comm, (int) getpid());
        ck_assert_ptr_nonnull(startswith(c.text, expected)); /* the login, if there is one, follows */
        ck_assert_int_eq(c.text[strlen(c.text) - 1], ')');
}
END_TEST

START_TEST(test_no_process) {
        Caller c;

        caller_init(&c, 7, 0);
        ck_assert_str_eq(c.text, "uid 7");
        ck_assert_str_eq(c.comm, "");
        caller_init(&c, 7, INT32_MAX);
        ck_assert_str_eq(c.text, "uid 7 ([2147483647])");
}
END_TEST

CHECK_MAIN("caller", test_this_process, test_no_process);
