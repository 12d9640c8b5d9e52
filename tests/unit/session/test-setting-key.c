/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parsers that several sections share. */

#include "check-main.h"
#include "setting-key.h"

static void assert_sentence(SettingParser parse, void *field, const char *value, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(parse(NULL, field, value, &d) < 0, "%s", value);
        ck_assert_str_eq(d.sentence, sentence);
}

START_TEST(test_strings) {
        _cleanup_free_ char *s = NULL, *path = NULL;

        ck_assert_int_eq(parse_setting_string(NULL, &s, "a b", NULL), 0);
        ck_assert_str_eq(s, "a b");
        ck_assert_int_eq(parse_setting_path(NULL, &path, "/usr/bin/perf", NULL), 0);
        ck_assert_str_eq(path, "/usr/bin/perf");
        assert_sentence(parse_setting_path, &path, "perf", "not the absolute path of a file");
        assert_sentence(parse_setting_path, &path, "/usr/bin/", "not the absolute path of a file");
        ck_assert_str_eq(path, "/usr/bin/perf");
}
END_TEST

START_TEST(test_tristate) {
        int v = -1;

        ck_assert_int_eq(parse_setting_tristate(NULL, &v, "off", NULL), 0);
        ck_assert_int_eq(v, 0);
        ck_assert_int_eq(parse_setting_tristate(NULL, &v, "true", NULL), 0);
        ck_assert_int_eq(v, 1);
        assert_sentence(parse_setting_tristate, &v, "maybe", "neither yes nor no");
        ck_assert_int_eq(v, 1);
}
END_TEST

START_TEST(test_numbers) {
        uint64_t n = 7;

        ck_assert_int_eq(parse_setting_number(NULL, &n, "4294967296", NULL), 0);
        ck_assert_uint_eq(n, UINT64_C(4294967296));
        assert_sentence(parse_setting_number, &n, "0", "not a whole number above 0");
        assert_sentence(parse_setting_number, &n, "1.5", "not a whole number above 0");
        assert_sentence(parse_setting_number, &n, "18446744073709551615", "not a whole number above 0");
        ck_assert_uint_eq(n, UINT64_C(4294967296));
}
END_TEST

START_TEST(test_size_and_time) {
        uint64_t size = 7;
        usec_t t = 7;

        ck_assert_int_eq(parse_setting_size(NULL, &size, "512K", NULL), 0);
        ck_assert_uint_eq(size, 512 * 1024);
        assert_sentence(parse_setting_size, &size, "0", "not a size above 0, such as 512K or 8M");
        assert_sentence(parse_setting_size, &size, "infinity", "not a size above 0, such as 512K or 8M");
        assert_sentence(parse_setting_size, &size, "big", "not a size above 0, such as 512K or 8M");
        ck_assert_uint_eq(size, 512 * 1024);

        ck_assert_int_eq(parse_setting_timespan(NULL, &t, "1min", NULL), 0);
        ck_assert_uint_eq(t, USEC_PER_MINUTE);
        assert_sentence(parse_setting_timespan, &t, "soon", "not a time span, such as 100ms or 2min 30s");
        ck_assert_uint_eq(t, USEC_PER_MINUTE);
}
END_TEST

CHECK_MAIN("setting-key", test_strings, test_tristate, test_numbers, test_size_and_time);
