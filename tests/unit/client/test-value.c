/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Values: what is put in comes out, what is missing or of another kind reads as nothing. */

#include "check-main.h"
#include "value.h"

static Value *make_object(void) {
        Value *v = value_new_object();

        ck_assert_int_eq(value_set(v, "Name", value_new_string("cpu")), 0);
        ck_assert_int_eq(value_set(v, "MainPID", value_new_unsigned(UINT64_MAX)), 0);
        ck_assert_int_eq(value_set(v, "Nice", value_new_signed(-5)), 0);
        ck_assert_int_eq(value_set(v, "Good", value_new_boolean(true)), 0);
        ck_assert_int_eq(value_set(v, "Share", value_new_double(0.5)), 0);
        return v;
}

START_TEST(test_read) {
        _cleanup_(value_freep) Value *v = make_object();

        ck_assert_uint_eq(value_length(v), 5);
        ck_assert_str_eq(value_get_string(v, "Name"), "cpu");
        ck_assert_uint_eq(value_get_unsigned(v, "MainPID"), UINT64_MAX);
        ck_assert_int_eq(value_signed(value_get(v, "MainPID")), INT64_MAX);
        ck_assert_int_eq(value_signed(value_get(v, "Nice")), -5);
        ck_assert_uint_eq(value_get_unsigned(v, "Nice"), 0);
        ck_assert_uint_eq(value_get_unsigned(v, "Good"), 1);
        ck_assert(value_double(value_get(v, "Share")) == 0.5);
        ck_assert_str_eq(value_key(v, 1), "MainPID");
        ck_assert_ptr_null(value_key(v, 5));
}
END_TEST

START_TEST(test_missing) {
        _cleanup_(value_freep) Value *v = make_object();

        ck_assert_ptr_null(value_get(v, "name"));
        ck_assert_ptr_null(value_get(NULL, "Name"));
        ck_assert_ptr_null(value_get(value_get(v, "Name"), "Name"));
        ck_assert_ptr_null(value_at(v, 5));
        ck_assert_ptr_null(value_at(NULL, 0));
        ck_assert_ptr_null(value_key(NULL, 0));
        ck_assert_uint_eq(value_length(NULL), 0);
        ck_assert_uint_eq(value_length(value_get(v, "Name")), 0);
        ck_assert_str_eq(value_get_string(v, "MainPID"), "");
        ck_assert_uint_eq(value_get_unsigned(v, "Name"), 0);
        ck_assert(value_double(NULL) == 0);
        ck_assert_ptr_null(value_free(NULL));
}
END_TEST

START_TEST(test_grow_and_replace) {
        _cleanup_(value_freep) Value *array = value_new_array(), *object = value_new_object();

        for (uint64_t i = 0; i < 100; i++) {
                char key[16];

                (void) snprintf(key, sizeof(key), "k%u", (unsigned) i);
                ck_assert_int_eq(value_append(array, value_new_unsigned(i)), 0);
                ck_assert_int_eq(value_set(object, key, value_new_unsigned(i)), 0);
        }
        ck_assert_int_eq(value_set(object, "k7", value_new_string("seven")), 0);
        ck_assert_uint_eq(value_length(object), 100);
        ck_assert_str_eq(value_get_string(object, "k7"), "seven");
        for (uint64_t i = 0; i < 100; i++)
                ck_assert_uint_eq(value_unsigned(value_at(array, i)), i);
        ck_assert_int_eq(value_append(array, NULL), -ENOMEM);
        ck_assert_int_eq(value_set(object, "x", NULL), -ENOMEM);
}
END_TEST

START_TEST(test_format_and_copy) {
        _cleanup_(value_freep) Value *v = make_object(), *list = value_new_array(), *copy = NULL;
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(value_append(list, value_new_string("a")), 0);
        ck_assert_int_eq(value_append(list, value_new_string("b")), 0);
        ck_assert_int_eq(value_set(v, "List", steal_ptr(list)), 0);
        copy = value_copy(v);
        v = value_free(v);
        text = value_format(copy);
        ck_assert_str_eq(text, "Name=cpu MainPID=18446744073709551615 Nice=-5 Good=yes Share=0.5 List=a b");
}
END_TEST

START_TEST(test_name_rows) {
        static const char *const keys[] = { "session", "pid", NULL };
        _cleanup_(value_freep) Value *rows = value_new_array(), *named = NULL;
        Value *row = value_new_array();

        ck_assert_int_eq(value_append(row, value_new_string("cpu")), 0);
        ck_assert_int_eq(value_append(row, value_new_unsigned(7)), 0);
        ck_assert_int_eq(value_append(row, value_new_string("more than there are names")), 0);
        ck_assert_int_eq(value_append(rows, row), 0);
        ck_assert_int_eq(value_append(rows, value_new_array()), 0);
        ck_assert_int_eq(value_name_rows(rows, keys, &named), 0);
        ck_assert_uint_eq(value_length(named), 2);
        ck_assert_uint_eq(value_length(value_at(named, 0)), 2);
        ck_assert_uint_eq(value_get_unsigned(value_at(named, 0), "pid"), 7);
        ck_assert_uint_eq(value_length(value_at(named, 1)), 0);
}
END_TEST

/* Values of their own: what they were made from may go. */
START_TEST(test_descriptor) {
        int pipe_fds[2], fd;
        _cleanup_(value_freep) Value *v = NULL, *copy = NULL;
        char c = 0;

        ck_assert_int_eq(pipe(pipe_fds), 0);
        v = value_new_descriptor(pipe_fds[1]);
        (void) close(pipe_fds[1]);
        copy = value_copy(v);
        v = value_free(v);
        ck_assert(value_kind(copy) == VALUE_DESCRIPTOR);
        fd = value_descriptor(copy);
        ck_assert_int_ge(fd, 0);
        ck_assert(write(fd, "x", 1) == 1 && read(pipe_fds[0], &c, 1) == 1 && c == 'x');
        (void) close(fd);
        copy = value_free(copy);
        ck_assert_int_eq(read(pipe_fds[0], &c, 1), 0); /* nobody holds the other end any more */
        (void) close(pipe_fds[0]);
        ck_assert_int_eq(value_descriptor(NULL), -EBADF);
        ck_assert_ptr_null(value_new_descriptor(-1));
}
END_TEST

CHECK_MAIN("value", test_read, test_missing, test_grow_and_replace, test_format_and_copy, test_name_rows, test_descriptor);
