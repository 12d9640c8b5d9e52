/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* JSON of each kind of value, in both modes. */

#include "capture.h"
#include "check-main.h"
#include "value-json.h"

static Value *make(void) {
        Value *v = value_new_object(), *list = value_new_array();

        ck_assert_int_eq(value_append(list, value_new_signed(-1)), 0);
        ck_assert_int_eq(value_append(list, value_new_boolean(false)), 0);
        ck_assert_int_eq(value_append(list, value_new_array()), 0);
        ck_assert_int_eq(value_set(v, "path", value_new_string("/a/\"b\"\n")), 0);
        ck_assert_int_eq(value_set(v, "large", value_new_unsigned(UINT64_MAX)), 0);
        ck_assert_int_eq(value_set(v, "list", list), 0);
        return v;
}

START_TEST(test_short) {
        _cleanup_(value_freep) Value *v = make();
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(value_to_json(v, JSON_SHORT, &text), 0);
        ck_assert_str_eq(text, "{\"path\":\"/a/\\\"b\\\"\\n\",\"large\":18446744073709551615,\"list\":[-1,false,[]]}");
}
END_TEST

START_TEST(test_pretty) {
        _cleanup_(value_freep) Value *v = make();
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(value_to_json(v, JSON_PRETTY, &text), 0);
        ck_assert_ptr_nonnull(strstr(text, "{\n  \"path\":"));
}
END_TEST

START_TEST(test_rows) {
        static const char *const keys[] = { "session", NULL };
        _cleanup_(value_freep) Value *rows = value_new_array();
        _cleanup_free_ char *text = NULL;
        Value *row = value_new_array();
        int saved;

        ck_assert_int_eq(value_append(row, value_new_string("cpu")), 0);
        ck_assert_int_eq(value_append(rows, row), 0);
        saved = capture_begin(STDOUT_FILENO);
        ck_assert_int_eq(value_print_rows_json(rows, keys, JSON_SHORT), 0);
        text = capture_end(STDOUT_FILENO, saved);
        ck_assert_str_eq(text, "[{\"session\":\"cpu\"}]\n");
}
END_TEST

START_TEST(test_modes) {
        for (JsonMode i = 0; i < _JSON_MODE_MAX; i++)
                ck_assert_int_eq(json_mode_from_string(json_mode_to_string(i)), i);
        ck_assert_int_eq(json_mode_from_string("long"), _JSON_MODE_INVALID);
        ck_assert_ptr_null(json_mode_to_string(_JSON_MODE_MAX));
        ck_assert_ptr_null(json_mode_to_string(_JSON_MODE_INVALID));
}
END_TEST

CHECK_MAIN("value-json", test_short, test_pretty, test_rows, test_modes);
