/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>

#include "check-main.h"
#include "scratch.h"
#include "symbols-directory.h"

static void expect_name(const char *file, const char *name) {
        _cleanup_free_ char *s = symbols_directory_name(file);

        ck_assert_str_eq(s, name);
}

START_TEST(test_names) {
        expect_name("perf.data.2026112110531801", "symbols.2026112110531801");
        expect_name("perf.data", "symbols");
        expect_name("perf.data.old", "symbols.old");
        expect_name("/a/perf.data.d/perf.data.1", "/a/perf.data.d/symbols.1");
        expect_name("./dump", "./symbols.dump");
        expect_name("perf.database", "symbols.perf.database");
        expect_name("x/perf.data/mine.data.1", "x/perf.data/symbols.mine.data.1");
}
END_TEST

static void expect_file(const char *name, const char *file) {
        _cleanup_free_ char *s = symbols_directory_file(name);

        ck_assert_pstr_eq(s, file);
}

START_TEST(test_files) {
        expect_file("symbols.2026112110531801", "perf.data.2026112110531801");
        expect_file("perf.data.2026112110531801.symfs", "perf.data.2026112110531801");
        expect_file("perf.data.2026112110531801", NULL);
        expect_file("symbols", NULL);
        expect_file(".symfs", NULL);
        expect_file("other.1.symfs", NULL);
        expect_file("", NULL);
}
END_TEST

START_TEST(test_old_and_new) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _cleanup_free_ char *old = NULL, *new = NULL, *none = NULL;

        ck_assert_int_eq(symbols_directory_find(fd, "perf.data.1", &none), -ENOENT);
        scratch_write_text(dir, "perf.data.1.symfs/x", "");
        ck_assert_int_eq(symbols_directory_find(fd, "perf.data.1", &old), 0);
        ck_assert_str_eq(old, "perf.data.1.symfs");
        scratch_write_text(dir, "symbols.1/x", "");
        ck_assert_int_eq(symbols_directory_find(fd, "perf.data.1", &new), 0);
        ck_assert_str_eq(new, "symbols.1");
        ck_assert_int_eq(symbols_directory_remove(fd, "perf.data.1"), 0);
        ck_assert_int_eq(symbols_directory_find(fd, "perf.data.1", &none), -ENOENT);
        ck_assert_int_eq(symbols_directory_remove(fd, "perf.data.1"), 0);
        ck_assert_int_eq(symlinkat("/", fd, "symbols.1"), 0);
        scratch_write_text(dir, "perf.data.1.symfs", "a file");
        ck_assert_int_eq(symbols_directory_find(fd, "perf.data.1", &none), -ENOENT);
}
END_TEST

CHECK_MAIN("symbols-directory", test_names, test_files, test_old_and_new);
