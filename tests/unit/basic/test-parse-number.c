/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers, booleans, signals and CPU lists, at and beyond their limits. */

#include <limits.h>
#include <signal.h>

#include "check-main.h"
#include "parse-number.h"

START_TEST(test_uint64) {
        static const struct {
                const char *s;
                int r;
                uint64_t v;
        } cases[] = {
                { "0", 0, 0 },
                { "0099", 0, 99 },
                { "0x1F", 0, 31 },
                { "0Xff", 0, 255 },
                { "18446744073709551615", 0, UINT64_MAX },
                { "0xffffffffffffffff", 0, UINT64_MAX },
                { "18446744073709551616", -ERANGE, 0 },
                { "0x10000000000000000", -ERANGE, 0 },
                { "99999999999999999999999x", -EINVAL, 0 },
                { "", -EINVAL, 0 },
                { "0x", -EINVAL, 0 },
                { "-1", -EINVAL, 0 },
                { "+1", -EINVAL, 0 },
                { " 1", -EINVAL, 0 },
                { "1 ", -EINVAL, 0 },
                { "1f", -EINVAL, 0 },
                { "1.5", -EINVAL, 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                uint64_t v = 4711;

                ck_assert_msg(parse_uint64(cases[i].s, &v) == cases[i].r, "%s", cases[i].s);
                ck_assert_uint_eq(v, cases[i].r < 0 ? 4711 : cases[i].v);
        }
}
END_TEST

START_TEST(test_uint) {
        unsigned v = 1;

        ck_assert_int_eq(parse_uint("4294967295", &v), 0);
        ck_assert_uint_eq(v, UINT_MAX);
        ck_assert_int_eq(parse_uint("4294967296", &v), -ERANGE);
        ck_assert_uint_eq(v, UINT_MAX);
}
END_TEST

START_TEST(test_int) {
        int v = 1;

        ck_assert_int_eq(parse_int("2147483647", &v), 0);
        ck_assert_int_eq(v, INT_MAX);
        ck_assert_int_eq(parse_int("-2147483648", &v), 0);
        ck_assert_int_eq(v, INT_MIN);
        ck_assert_int_eq(parse_int("+7", &v), 0);
        ck_assert_int_eq(v, 7);
        ck_assert_int_eq(parse_int("2147483648", &v), -ERANGE);
        ck_assert_int_eq(parse_int("-2147483649", &v), -ERANGE);
        ck_assert_int_eq(parse_int("--1", &v), -EINVAL);
        ck_assert_int_eq(parse_int("-", &v), -EINVAL);
        ck_assert_int_eq(v, 7);
}
END_TEST

START_TEST(test_pid) {
        pid_t v = 5;

        ck_assert_int_eq(parse_pid("0", &v), -ERANGE);
        ck_assert_int_eq(parse_pid("2147483648", &v), -ERANGE);
        ck_assert_int_eq(parse_pid("self", &v), -EINVAL);
        ck_assert_int_eq(v, 5);
        ck_assert_int_eq(parse_pid("1", &v), 0);
        ck_assert_int_eq(v, 1);
}
END_TEST

START_TEST(test_boolean) {
        static const char *const yes[] = { "1", "yes", "YES", "y", "true", "t", "on", "On" };
        static const char *const no[] = { "0", "no", "n", "false", "F", "off" };

        for (size_t i = 0; i < ELEMENTSOF(yes); i++)
                ck_assert_int_eq(parse_boolean(yes[i]), 1);
        for (size_t i = 0; i < ELEMENTSOF(no); i++)
                ck_assert_int_eq(parse_boolean(no[i]), 0);
        ck_assert_int_eq(parse_boolean(""), -EINVAL);
        ck_assert_int_eq(parse_boolean("yes "), -EINVAL);
        ck_assert_int_eq(parse_boolean("2"), -EINVAL);
}
END_TEST

START_TEST(test_signal) {
        ck_assert_int_eq(parse_signal("USR2"), SIGUSR2);
        ck_assert_int_eq(parse_signal("SIGTERM"), SIGTERM);
        ck_assert_int_eq(parse_signal("9"), SIGKILL);
        ck_assert_int_eq(parse_signal("RTMIN"), SIGRTMIN);
        ck_assert_int_eq(parse_signal("SIGRTMIN+3"), SIGRTMIN + 3);
        ck_assert_int_eq(parse_signal("RTMAX-1"), SIGRTMAX - 1);
        ck_assert_int_eq(parse_signal("RTMIN+99"), -EINVAL);
        ck_assert_int_eq(parse_signal("RTMIN-1"), -EINVAL);
        ck_assert_int_eq(parse_signal("RTMINx"), -EINVAL);
        ck_assert_int_eq(parse_signal("0"), -EINVAL);
        ck_assert_int_eq(parse_signal("65"), -EINVAL);
        ck_assert_int_eq(parse_signal("usr2"), -EINVAL);
        ck_assert_int_eq(parse_signal(""), -EINVAL);
        ck_assert_int_eq(parse_signal("SIG"), -EINVAL);
}
END_TEST

START_TEST(test_signal_name) {
        for (int sig = 1; sig <= SIGRTMAX; sig++) {
                const char *name = signal_name(sig);

                if (sig == 32 || sig == 33) /* used by the C library */
                        ck_assert_ptr_null(name);
                else
                        ck_assert_int_eq(parse_signal(name), sig);
        }
        ck_assert_str_eq(signal_name(SIGUSR2), "USR2");
        ck_assert_ptr_null(signal_name(0));
        ck_assert_ptr_null(signal_name(-1));
        ck_assert_ptr_null(signal_name(SIGRTMAX + 1));
}
END_TEST

START_TEST(test_cpu_list) {
        static const int expected[] = { 0, 1, 2, 3, 5, 8191 };
        _cleanup_free_ int *cpus = NULL;
        size_t n = 0;

        ck_assert_int_eq(parse_cpu_list("5,0-2,1-3,8191\n", &cpus, &n), 0);
        ck_assert_uint_eq(n, ELEMENTSOF(expected));
        ck_assert_mem_eq(cpus, expected, sizeof(expected));
}
END_TEST

START_TEST(test_bad_cpu_list) {
        static const char *const bad[] = { "", "\n", "a", "1,", ",1", "1-", "-1", "3-1", "1 2", "1\n2", "0-1-2", "0x1" };
        int *cpus = NULL;
        size_t n = 4711;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(parse_cpu_list(bad[i], &cpus, &n) == -EINVAL, "%s", bad[i]);
        ck_assert_int_eq(parse_cpu_list("8192", &cpus, &n), -ERANGE);
        ck_assert_int_eq(parse_cpu_list("0-99999999999999999999", &cpus, &n), -ERANGE);
        ck_assert_ptr_null(cpus);
        ck_assert_uint_eq(n, 4711);
}
END_TEST

CHECK_MAIN("parse-number", test_uint64, test_uint, test_int, test_pid, test_boolean, test_signal, test_signal_name,
           test_cpu_list, test_bad_cpu_list);
