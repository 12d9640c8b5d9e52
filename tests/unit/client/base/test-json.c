/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* json-c's objects through the client: a missing value or one of another type reads as empty, 64-bit numbers are
 * exact, and bytes that are not UTF-8 are kept but never printed. */

#include "capture.h"
#include "check-main.h"
#include "json.h"

static json_object *make_object(void) {
        json_object *v = json_object_new_object();

        ck_assert_int_eq(json_set(v, "Name", json_new_string("cpu")), 0);
        ck_assert_int_eq(json_set(v, "MainPID", json_object_new_uint64(UINT64_MAX)), 0);
        ck_assert_int_eq(json_set(v, "Nice", json_object_new_int64(INT64_MIN)), 0);
        ck_assert_int_eq(json_set(v, "Good", json_object_new_boolean(true)), 0);
        ck_assert_int_eq(json_set(v, "Share", json_object_new_double(0.5)), 0);
        return v;
}

static char *print(json_object *v, JsonMode mode) {
        int saved = capture_begin(STDOUT_FILENO);

        ck_assert_int_eq(json_print(v, mode), 0);
        return capture_end(STDOUT_FILENO, saved);
}

START_TEST(test_read) {
        _cleanup_(json_object_putp) json_object *v = make_object();
        struct lh_entry *e = json_entries(v);

        ck_assert_uint_eq(json_length(v), 5);
        ck_assert_str_eq(json_get_string(v, "Name"), "cpu");
        ck_assert_uint_eq(json_get_unsigned(v, "MainPID"), UINT64_MAX);
        ck_assert_uint_eq(json_get_unsigned(v, "Nice"), 0);
        ck_assert_uint_eq(json_get_unsigned(v, "Good"), 1);
        ck_assert_str_eq(json_entry_key(e), "Name");
        ck_assert_str_eq(json_entry_key(lh_entry_next(e)), "MainPID");
        ck_assert_uint_eq(json_unsigned(json_entry_value(lh_entry_next(e))), UINT64_MAX);
}
END_TEST

START_TEST(test_missing) {
        _cleanup_(json_object_putp) json_object *v = make_object(), *array = json_object_new_array();

        ck_assert_int_eq(json_set(v, "Digits", json_new_string("7")), 0);
        ck_assert_ptr_null(json_get(v, "name"));
        ck_assert_ptr_null(json_get(NULL, "Name"));
        ck_assert_ptr_null(json_get(array, "Name"));
        ck_assert_ptr_null(json_get(json_get(v, "Name"), "Name"));
        ck_assert_ptr_null(json_at(v, 0));
        ck_assert_ptr_null(json_at(array, 0));
        ck_assert_ptr_null(json_at(NULL, 0));
        ck_assert_ptr_null(json_entries(NULL));
        ck_assert_ptr_null(json_entries(array));
        ck_assert_uint_eq(json_length(NULL), 0);
        ck_assert_uint_eq(json_length(json_get(v, "Name")), 0);
        ck_assert_str_eq(json_get_string(v, "MainPID"), "");
        ck_assert_str_eq(json_string(array), "");
        ck_assert_uint_eq(json_get_unsigned(v, "Digits"), 0);
        ck_assert_uint_eq(json_get_unsigned(v, "Share"), 0);
        ck_assert_uint_eq(json_unsigned(NULL), 0);
}
END_TEST

START_TEST(test_set) {
        _cleanup_(json_object_putp) json_object *v = make_object(), *array = json_object_new_array();

        ck_assert_int_eq(json_set(v, "Name", json_new_string("seven")), 0);
        ck_assert_uint_eq(json_length(v), 5);
        ck_assert_str_eq(json_get_string(v, "Name"), "seven");
        ck_assert_str_eq(json_entry_key(json_entries(v)), "Name");
        ck_assert_int_eq(json_append(array, json_ref(json_get(v, "Name"))), 0);
        v = (json_object_put(v), NULL);
        ck_assert_str_eq(json_string(json_at(array, 0)), "seven");
        ck_assert_int_eq(json_append(array, NULL), -ENOMEM);
        ck_assert_int_eq(json_set(array, "x", NULL), -ENOMEM);
        ck_assert_uint_eq(json_length(array), 1);
}
END_TEST

START_TEST(test_format) {
        _cleanup_(json_object_putp) json_object *v = make_object(), *empty = json_object_new_array();
        _cleanup_free_ char *text = NULL, *nothing = json_format(empty);
        json_object *list = json_object_new_array();

        ck_assert_int_eq(json_append(list, json_new_string("a")), 0);
        ck_assert_int_eq(json_append(list, json_object_new_boolean(false)), 0);
        ck_assert_int_eq(json_set(v, "List", list), 0);
        text = json_format(v);
        ck_assert_str_eq(text, "Name=cpu MainPID=18446744073709551615 Nice=-9223372036854775808 Good=yes Share=0.5 List=a no");
        ck_assert_str_eq(nothing, "");
}
END_TEST

START_TEST(test_print) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        _cleanup_free_ char *line = NULL, *pretty = NULL;
        json_object *list = json_object_new_array();

        ck_assert_int_eq(json_append(list, json_object_new_int64(-1)), 0);
        ck_assert_int_eq(json_append(list, json_object_new_boolean(false)), 0);
        ck_assert_int_eq(json_append(list, json_object_new_array()), 0);
        ck_assert_int_eq(json_set(v, "path", json_new_string("/a/\"b\"\n")), 0);
        ck_assert_int_eq(json_set(v, "large", json_object_new_uint64(UINT64_MAX)), 0);
        ck_assert_int_eq(json_set(v, "list", list), 0);
        line = print(v, JSON_SHORT);
        ck_assert_str_eq(line, "{\"path\":\"/a/\\\"b\\\"\\n\",\"large\":18446744073709551615,\"list\":[-1,false,[]]}\n");
        pretty = print(v, JSON_PRETTY);
        ck_assert_ptr_nonnull(strstr(pretty, "{\n  \"path\":\"/a/\\\"b\\\"\\n\",\n"));
}
END_TEST

START_TEST(test_print_invalid_text) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(json_set(v, "path", json_new_string("/a\xff/\xc3\xa4\xe2\x82")), 0);
        ck_assert_str_eq(json_get_string(v, "path"), "/a\xff/\xc3\xa4\xe2\x82");
        text = print(v, JSON_SHORT);
        ck_assert_str_eq(text, "{\"path\":\"/a\xef\xbf\xbd/\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\"}\n");
}
END_TEST

START_TEST(test_print_control_characters) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(json_set(v, "k\xc2\x9b", json_new_string("a\x1b[1m\x7f\xc2\x80\xc2\x9f\xc2\xa0\xe2\x80\xae.")), 0);
        ck_assert_int_eq(json_set(v, "bus", json_object_new_string("\xc2\x9b" "1m")), 0);
        text = print(v, JSON_SHORT);
        ck_assert_str_eq(text, "{\"k\\u009b\":\"a\\u001b[1m\\u007f\\u0080\\u009f\xc2\xa0\\u202e.\",\"bus\":\"\\u009b1m\"}\n");
}
END_TEST

START_TEST(test_print_rows) {
        static const char *const keys[] = { "session", "pid", NULL };
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        _cleanup_free_ char *text = NULL;
        json_object *row = json_object_new_array();
        int saved;

        ck_assert_int_eq(json_append(row, json_new_string("cpu")), 0);
        ck_assert_int_eq(json_append(row, json_object_new_uint64(7)), 0);
        ck_assert_int_eq(json_append(row, json_new_string("more than there are names")), 0);
        ck_assert_int_eq(json_append(rows, row), 0);
        ck_assert_int_eq(json_append(rows, json_object_new_array()), 0);
        saved = capture_begin(STDOUT_FILENO);
        ck_assert_int_eq(json_print_rows(rows, keys, JSON_SHORT), 0);
        text = capture_end(STDOUT_FILENO, saved);
        ck_assert_str_eq(text, "[{\"session\":\"cpu\",\"pid\":7},{}]\n");
}
END_TEST

START_TEST(test_parse) {
        static const char *const wrong[] = { "", "{\"a\":1", "{\"a\":1} x", "[1,]", "\"\xff\"", "null" };
        _cleanup_(json_object_putp) json_object *v = NULL;

        ck_assert_int_eq(json_parse("{\"a\":18446744073709551615,\"b\":[\"x\\u001b\"]}\n", &v), 0);
        ck_assert_uint_eq(json_get_unsigned(v, "a"), UINT64_MAX);
        ck_assert_str_eq(json_string(json_at(json_get(v, "b"), 0)), "x\033");
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                json_object *none = NULL;

                ck_assert_msg(json_parse(wrong[i], &none) == -EBADMSG && !none, "%s", wrong[i]);
        }
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

CHECK_MAIN("json", test_read, test_missing, test_set, test_format, test_print, test_print_invalid_text,
           test_print_control_characters, test_print_rows, test_parse, test_modes);
