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
        ck_assert_int_eq(chmod(path, 0644), 0);
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
        ck_assert_ok(source_files_get(&s, path, &again));
        ck_assert_uint_eq(again->shown, 0);
        ck_assert_uint_eq(s.n, 1);
}
END_TEST

/* Debug information may name the secrets of whoever looks at it. */
START_TEST(secrets_of_root) {
        _cleanup_free_ char *secret = test_path("secret"), *public = test_path("public"), *of_caller = test_path("of-caller");
        _cleanup_(source_files_done) SourceFiles s = {};
        SourceFile *f;

        if (geteuid() != 0)
                return;
        test_write_file(secret, "x", 1);
        test_write_file(public, "x", 1);
        test_write_file(of_caller, "x", 1);
        ck_assert_int_eq(chmod(secret, 0600), 0);
        ck_assert_int_eq(chmod(public, 0644), 0);
        ck_assert_int_eq(chmod(of_caller, 0600), 0);
        ck_assert_int_eq(chown(of_caller, 1234, 1234), 0);
        ck_assert_int_eq(setenv("SUDO_UID", "1234", 1), 0);
        ck_assert_ok(source_files_get(&s, secret, &f));
        ck_assert_ptr_null(f->text);
        ck_assert_ok(source_files_get(&s, public, &f));
        ck_assert_ptr_nonnull(f->text);
        ck_assert_ok(source_files_get(&s, of_caller, &f));
        ck_assert_ptr_nonnull(f->text);
        ck_assert_uint_eq(s.n, 3);
        source_files_done(&s);
        s.trusted = true;
        ck_assert_ok(source_files_get(&s, secret, &f));
        ck_assert_ptr_nonnull(f->text);
}
END_TEST

START_TEST(many_files) {
        _cleanup_(source_files_done) SourceFiles s = {};
        SourceFile *f;
        char path[32];

        for (unsigned round = 0; round < 2; round++)
                for (unsigned i = 0; i < 1000; i++) {
                        (void) snprintf(path, sizeof(path), "/no/such/%u.c", i);
                        ck_assert_ok(source_files_get(&s, path, &f));
                        ck_assert_str_eq(f->path, path);
                }
        ck_assert_uint_eq(s.n, 1000);
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

TEST_RUN("source-text", lines, secrets_of_root, many_files, what_is_no_source);
