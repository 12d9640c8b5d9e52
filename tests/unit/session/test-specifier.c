/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Specifiers, those of the name and those of the machine. */

#include <sys/utsname.h>

#include "check-main.h"
#include "line-reader.h"
#include "specifier.h"

static void assert_expanded(const char *value, const char *name, const char *expected) {
        _cleanup_free_ char *s = NULL;

        ck_assert_int_eq(specifier_expand(value, name, "", &s, NULL), 0);
        ck_assert_str_eq(s, expected);
}

START_TEST(test_of_name) {
        assert_expanded("%i|%I|%n|%N|%p", "unit@a-b\\x2dc.service",
                        "a-b\\x2dc.service|a/b-c.service|unit@a-b\\x2dc.service.session|unit@a-b\\x2dc.service|unit");
        assert_expanded("%i|%I|%n|%N|%p", "cpu", "||cpu.session|cpu|cpu");
        assert_expanded("%i", "unit@user@1000.service", "user@1000.service");
}
END_TEST

START_TEST(test_percent) {
        assert_expanded("", "cpu", "");
        assert_expanded("100%%", "cpu", "100%");
        assert_expanded("%%i", "cpu@x", "%i");
        assert_expanded("%x %", "cpu", "%x %");
        assert_expanded("%i%i", "cpu@%i", "%i%i"); /* the replacement is not expanded again */
}
END_TEST

START_TEST(test_of_machine) {
        _cleanup_free_ char *expected = NULL, *boot = NULL;
        struct utsname u;

        ck_assert_int_eq(uname(&u), 0);
        ck_assert_int_gt(asprintf(&expected, "%s|%s|%u", u.nodename, u.release, (unsigned) getuid()), 0);
        assert_expanded("%H|%v|%U", "cpu", expected);
        if (getuid() == 0)
                assert_expanded("%u", "cpu", "root");

        ck_assert_int_eq(specifier_expand("%b", "cpu", "", &boot, NULL), 0);
        ck_assert_uint_eq(strlen(boot), 32);
        ck_assert_uint_eq(strspn(boot, "0123456789abcdef"), 32);
}
END_TEST

START_TEST(test_errors) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char *s = NULL;

        ck_assert_int_eq(specifier_expand("x%I", "unit@a\\", "", &s, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, "%I cannot be determined: Invalid argument");
        ck_assert_ptr_null(s);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *value = malloc(LINE_SIZE_MAX + 1);
        char *s = NULL;

        for (size_t i = 0; i < LINE_SIZE_MAX; i += 2)
                memcpy(value + i, "%n", 2);
        value[LINE_SIZE_MAX] = '\0';
        ck_assert_int_eq(specifier_expand(value, "a-rather-long-name", "", &s, &d), -E2BIG);
        ck_assert_str_eq(d.sentence, "more than 65536 bytes with its specifiers");
        ck_assert_ptr_null(s);
}
END_TEST

CHECK_MAIN("specifier", test_of_name, test_percent, test_of_machine, test_errors, test_limit);
