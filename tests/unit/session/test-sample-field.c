/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields of samples and the options that record them. */

#include "check-main.h"
#include "sample-field.h"

START_TEST(test_option) {
        ck_assert_str_eq(sample_field_option("addr"), "-d");
        ck_assert_str_eq(sample_field_option("phys-addr"), "--phys-data");
        ck_assert_str_eq(sample_field_option("phys_addr"), "--phys-data");
        ck_assert_str_eq(sample_field_option("data_page-size"), "--data-page-size");
        ck_assert_str_eq(sample_field_option("brstack"), "-b");
        ck_assert_ptr_null(sample_field_option("phys"));
        ck_assert_ptr_null(sample_field_option("addrs"));
        ck_assert_ptr_null(sample_field_option(""));
}
END_TEST

START_TEST(test_add) {
        static const char *const fields[] = { "data_src", "cpu", "addr", "cpu", NULL };
        _cleanup_strv_free_ char **line = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(sample_field_add_options(NULL, &line), 0);
        ck_assert_ptr_null(line);
        ck_assert_int_eq(sample_field_add_options((char *const *) fields, &line), 0);
        joined = strv_join(line, " ");
        ck_assert_str_eq(joined, "-d --sample-cpu");
}
END_TEST

CHECK_MAIN("sample-field", test_option, test_add);
