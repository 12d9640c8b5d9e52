/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines of source files, whatever is in them. */

#include "perfdata-test.h"
#include "source-text.h"

START_TEST(lines) {
        static const char text[] = "first\n\n\t third \033[31m \nlast";
        _cleanup_free_ char *path = test_path("source.c"), *one = NULL, *two = NULL, *three = NULL, *four = NULL;
        _cleanup_(source_files_done) SourceFiles s = {};
        SourceFile *f, *again;

        test_write_file(path, text, sizeof(text) - 1);
        ck_assert_ok(source_files_get(&s, path, &f));
        ck_assert_uint_eq(f->n_lines, 4);
        one = source_file_line(f, 1);
        two = source_file_line(f, 2);
        three = source_file_line(f, 3);
        four = source_file_line(f, 4);
        ck_assert_str_eq(one, "first");
        ck_assert_str_eq(two, "");
        ck_assert_str_eq(three, "third ?[31m");
        ck_assert_str_eq(four, "last");
        ck_assert_ptr_null(source_file_line(f, 0));
        ck_assert_ptr_null(source_file_line(f, 5));
        f->shown = 3;
        ck_assert_ok(source_files_get(&s, path, &again));
        ck_assert_uint_eq(again->shown, 3);
        source_files_restart(&s);
        ck_assert_uint_eq(s.files[0].shown, 0);
        ck_assert_uint_eq(s.n, 1);
}
END_TEST

START_TEST(what_is_no_source) {
        static const char *const paths[] = { "relative.c", "/", "/dev/zero", "/proc/self/maps", "/no/such/file.c" };
        _cleanup_(source_files_done) SourceFiles s = {};
        SourceFile *f;

        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                ck_assert_ok(source_files_get(&s, paths[i], &f));
                ck_assert_ptr_null(f->text);
                ck_assert_ptr_null(source_file_line(f, 1));
        }
}
END_TEST

TEST_RUN("source-text", lines, what_is_no_source);
