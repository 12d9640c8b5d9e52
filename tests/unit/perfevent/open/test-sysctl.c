/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers of /proc/sys, missing files and files without a number. */

#include "check-main.h"
#include "sysctl.h"

START_TEST(test_read) {
        ck_assert_int_ge(sysctl_read("kernel/pid_max", -7), 300);
        ck_assert_int_eq(sysctl_read("kernel/no_such_knob", -7), -7);
        ck_assert_int_eq(sysctl_read("kernel/ostype", -7), -7);
        ck_assert_int_eq(sysctl_read("kernel", -7), -7);
}
END_TEST

CHECK_MAIN("sysctl", test_read);
