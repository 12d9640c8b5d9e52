/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Diagnoses keep the first sentence and place, and their text leaves out unknown parts. */

#include "check-main.h"
#include "diagnosis.h"

static void assert_text(const Diagnosis *d, const char *expected) {
        _cleanup_free_ char *text = diagnosis_format(d);

        ck_assert_str_eq(text, expected);
}

START_TEST(test_nobody_asks) {
        ck_assert_int_eq(diagnosis_set(NULL, -ERANGE, "%d", 1), -ERANGE);
        diagnosis_locate(NULL, "file", 1, "Key");
}
END_TEST

START_TEST(test_first_stays) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(diagnosis_set(&d, -EINVAL, "not %s", "one"), -EINVAL);
        ck_assert_int_eq(diagnosis_set(&d, -E2BIG, "not two"), -E2BIG);
        diagnosis_locate(&d, NULL, 0, "Key");
        diagnosis_locate(&d, "/a", 3, "Other");
        diagnosis_locate(&d, "/b", 4, NULL);
        ck_assert_str_eq(d.sentence, "not one");
        ck_assert_str_eq(d.file, "/a");
        ck_assert_uint_eq(d.line, 3);
        ck_assert_str_eq(d.key, "Key");
}
END_TEST

START_TEST(test_format) {
        char file[] = "/etc/x", key[] = "Key", sentence[] = "neither yes nor no";

        assert_text(&(Diagnosis) { .file = file, .line = 7, .key = key, .sentence = sentence },
                    "/etc/x:7: Key: neither yes nor no");
        assert_text(&(Diagnosis) { .file = file, .sentence = sentence }, "/etc/x: neither yes nor no");
        assert_text(&(Diagnosis) { .file = file, .line = 7, .sentence = sentence }, "/etc/x:7: neither yes nor no");
        assert_text(&(Diagnosis) { .line = 7, .sentence = sentence }, "line 7: neither yes nor no");
        assert_text(&(Diagnosis) { .key = key, .sentence = sentence }, "Key: neither yes nor no");
        assert_text(&(Diagnosis) { .sentence = sentence }, "neither yes nor no");
        assert_text(&(Diagnosis) { .key = key }, "Key: not valid");
}
END_TEST

START_TEST(test_reset) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        diagnosis_locate(&d, "/a", 3, "Key");
        (void) diagnosis_set(&d, 0, "one");
        diagnosis_reset(&d);
        ck_assert_ptr_null(d.file);
        ck_assert_ptr_null(d.key);
        ck_assert_ptr_null(d.sentence);
        ck_assert_uint_eq(d.line, 0);
        (void) diagnosis_set(&d, 0, "two");
        assert_text(&d, "two");
}
END_TEST

CHECK_MAIN("diagnosis", test_nobody_asks, test_first_stays, test_format, test_reset);
