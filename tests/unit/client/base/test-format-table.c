/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables: alignment, cutting, colours, and the same rows as values. */

#include "capture.h"
#include "check-main.h"
#include "format-table.h"

static Table *make(void) {
        Table *t = table_new("~SESSION", "STATE", ">PID", "UP|up_usec", "~DESCRIPTION", NULL);

        table_add_string(t, "cpu");
        table_add_string(t, "recording");
        table_colour(t, COLOUR_GREEN);
        table_add_unsigned(t, 12345);
        table_add_text(t, "2min", json_object_new_uint64(120000000));
        table_add_string(t, "CPU samples of the whole machine");
        table_add_string(t, "a-rather-long-name");
        table_add_string(t, "failed");
        table_add_nothing(t);
        table_add_nothing(t);
        table_add_string(t, "");
        return t;
}

static void expect(const Table *t, bool legend, unsigned columns, const char *expected) {
        _cleanup_free_ char *text = NULL;
        int saved = capture_begin(STDOUT_FILENO), r = table_print(t, legend, columns);

        text = capture_end(STDOUT_FILENO, saved);
        ck_assert_int_eq(r, 0);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_print) {
        _cleanup_(table_freep) Table *t = make();

        (void) setenv("SYSTEMD_COLORS", "0", 1);
        expect(t, true, 0,
               "SESSION            STATE       PID UP   DESCRIPTION\n"
               "cpu                recording 12345 2min CPU samples of the whole machine\n"
               "a-rather-long-name failed        - -    -\n");
        expect(t, false, 0,
               "cpu                recording 12345 2min CPU samples of the whole machine\n"
               "a-rather-long-name failed        - -    -\n");
}
END_TEST

START_TEST(test_cut) {
        _cleanup_(table_freep) Table *t = make();

        (void) setenv("SYSTEMD_COLORS", "0", 1);
        (void) setenv("LC_ALL", "C.UTF-8", 1);
        expect(t, true, 60,
               "SESSION            STATE       PID UP   DESCRIPTION\n"
               "cpu                recording 12345 2min CPU samples of the …\n"
               "a-rather-long-name failed        - -    -\n");
        /* only columns that may shrink do, the widest first, and never to nothing */
        expect(t, false, 10,
               "cpu      recording 12345 2min CPU sam…\n"
               "a-rathe… failed        - -    -\n");
}
END_TEST

/* Such a column is cut first, and left out where that is not enough: the others have its room then. */
START_TEST(test_column_left_out) {
        _cleanup_(table_freep) Table *t = table_new("~SESSION", "STATE", "?DESCRIPTION", NULL);

        (void) setenv("SYSTEMD_COLORS", "0", 1);
        (void) setenv("LC_ALL", "C.UTF-8", 1);
        table_add_string(t, "a-rather-long-name");
        table_add_string(t, "recording");
        table_add_string(t, "CPU samples of the whole machine");
        expect(t, false, 0, "a-rather-long-name recording CPU samples of the whole machine\n");
        expect(t, false, 27, "a-rathe… recording CPU sam…\n");
        expect(t, true, 26, "SESSION          STATE\na-rather-long-n… recording\n");
        expect(t, true, 5, "SESSION  STATE\na-rathe… recording\n");
}
END_TEST

/* Columns that shrink go first, then the others, each time the last one. */
START_TEST(test_columns_left_out) {
        _cleanup_(table_freep) Table *t = table_new("?SESSION", ">UP", "?>LOST", "?DETAIL", "ID", NULL);

        (void) setenv("SYSTEMD_COLORS", "0", 1);
        (void) setenv("LC_ALL", "C.UTF-8", 1);
        table_add_string(t, "cpu");
        table_add_string(t, "3s");
        table_add_string(t, "12345");
        table_add_string(t, "uid 0: slow pages");
        table_add_string(t, "cpu-1");
        expect(t, true, 0, "SESSION UP  LOST DETAIL            ID\ncpu     3s 12345 uid 0: slow pages cpu-1\n");
        expect(t, true, 31, "SESSION UP  LOST DETAIL   ID\ncpu     3s 12345 uid 0: … cpu-1\n");
        expect(t, true, 30, "SESSION UP  LOST ID\ncpu     3s 12345 cpu-1\n");
        expect(t, true, 21, "UP  LOST ID\n3s 12345 cpu-1\n");
        expect(t, true, 13, "UP ID\n3s cpu-1\n");
}
END_TEST

START_TEST(test_colour) {
        _cleanup_(table_freep) Table *t = table_new("NAME", "STATE", NULL);

        (void) setenv("SYSTEMD_COLORS", "1", 1);
        table_add_string(t, "cpu");
        table_add_string(t, "paused");
        table_colour(t, COLOUR_YELLOW);
        expect(t, true, 0, "\033[0;4mNAME STATE \033[0m\ncpu  \033[0;1;33mpaused\033[0m\n");
}
END_TEST

START_TEST(test_hostile) {
        _cleanup_(table_freep) Table *t = table_new("NAME", "TEXT", NULL);

        table_add_string(t, "a\nb");
        table_add_string(t, "\033]0;title\a");
        expect(t, false, 0, "a b ?]0;title?\n");
}
END_TEST

START_TEST(test_value) {
        _cleanup_(table_freep) Table *t = make();
        _cleanup_(json_object_putp) json_object *rows = NULL;

        ck_assert_int_eq(table_to_json(t, &rows), 0);
        ck_assert_uint_eq(json_length(rows), 2);
        ck_assert_str_eq(json_get_string(json_at(rows, 0), "session"), "cpu");
        ck_assert_uint_eq(json_get_unsigned(json_at(rows, 0), "up_usec"), 120000000);
        ck_assert_ptr_null(json_get(json_at(rows, 1), "pid"));
        ck_assert_str_eq(json_get_string(json_at(rows, 1), "description"), "");
        ck_assert_ptr_nonnull(json_get(json_at(rows, 1), "description"));
}
END_TEST

START_TEST(test_no_memory) {
        _cleanup_(table_freep) Table *t = table_new("NAME", NULL);
        json_object *rows = NULL;

        table_add_text(t, "x", NULL); /* as when its value could not be made */
        ck_assert_int_eq(table_print(t, true, 0), -ENOMEM);
        ck_assert_int_eq(table_to_json(t, &rows), -ENOMEM);
        ck_assert_ptr_null(rows);
        ck_assert_ptr_null(table_free(NULL));
}
END_TEST

START_TEST(test_empty) {
        _cleanup_(table_freep) Table *t = table_new("NAME", NULL);
        _cleanup_(json_object_putp) json_object *rows = NULL;

        (void) setenv("SYSTEMD_COLORS", "0", 1);
        expect(t, true, 80, "NAME\n");
        expect(t, false, 80, "");
        ck_assert_int_eq(table_to_json(t, &rows), 0);
        ck_assert_uint_eq(json_length(rows), 0);
}
END_TEST

CHECK_MAIN("format-table", test_print, test_cut, test_column_left_out, test_columns_left_out, test_colour, test_hostile, test_value, test_no_memory, test_empty);
