/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files that are complete or absent: the results of a commit, of none and of a failed one. */

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>

#include "atomic-file.h"
#include "check-main.h"
#include "scratch.h"

static size_t count_entries(const char *dir) {
        _cleanup_closedir_ DIR *d = opendir(dir);
        size_t n = 0;

        ck_assert_ptr_nonnull(d);
        while (readdir(d))
                n++;
        return n - 2;
}

static void assert_content(const char *dir, const char *name, const char *expected) {
        _cleanup_free_ char *path = path_join(dir, name), *text = NULL;

        ck_assert_int_eq(read_file(path, 100, &text, NULL), 0);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_commit) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file");
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;
        struct stat st;

        scratch_write_text(dir, "file", "old");
        ck_assert_int_eq(atomic_file_open(&f, AT_FDCWD, path, 0640), 0);
        ck_assert_int_eq(write_all(f.fd, "new", 3), 0);
        assert_content(dir, "file", "old");
        ck_assert_uint_eq(count_entries(dir), 2);

        ck_assert_int_eq(atomic_file_commit(&f), 0);
        assert_content(dir, "file", "new");
        ck_assert_uint_eq(count_entries(dir), 1);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 0777 & ~0640U, 0);
        ck_assert_int_eq(f.fd, -EBADF);
        ck_assert_int_eq(f.dir_fd, -EBADF);
        ck_assert_ptr_null(f.name);
        ck_assert_ptr_null(f.temporary);
}
END_TEST

START_TEST(test_unsynced) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file");
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;

        scratch_write_text(dir, "file", "old");
        ck_assert_int_eq(atomic_file_open(&f, AT_FDCWD, path, 0640), 0);
        f.unsynced = true;
        ck_assert_int_eq(write_all(f.fd, "new", 3), 0);
        assert_content(dir, "file", "old");
        ck_assert_int_eq(atomic_file_commit(&f), 0);
        assert_content(dir, "file", "new");
        ck_assert_uint_eq(count_entries(dir), 1);
        ck_assert(!f.unsynced);
}
END_TEST

START_TEST(test_no_commit) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        AtomicFile f = ATOMIC_FILE_EMPTY;

        scratch_write_text(dir, "file", "old");
        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "file", 0600), 0);
        ck_assert_int_eq(write_all(f.fd, "new", 3), 0);
        atomic_file_done(&f);
        assert_content(dir, "file", "old");
        ck_assert_uint_eq(count_entries(dir), 1);
        atomic_file_done(&f);
}
END_TEST

START_TEST(test_failed_commit) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        AtomicFile f = ATOMIC_FILE_EMPTY;

        ck_assert_int_eq(mkdirat(dir_fd, "file", 0755), 0);
        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "file", 0600), 0);
        ck_assert_int_eq(atomic_file_commit(&f), -EISDIR);
        ck_assert_int_eq(f.fd, -EBADF);
        ck_assert_uint_eq(count_entries(dir), 1);
}
END_TEST

START_TEST(test_link_is_replaced) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        scratch_write_text(dir, "target", "precious");
        ck_assert_int_eq(symlinkat("target", dir_fd, "file"), 0);
        ck_assert_int_eq(write_file_atomic(dir_fd, "file", 0600, "new", 3), 0);
        assert_content(dir, "target", "precious");
        assert_content(dir, "file", "new");
}
END_TEST

START_TEST(test_bad_names) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        AtomicFile f = ATOMIC_FILE_EMPTY;

        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "", 0600), -EINVAL);
        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "..", 0600), -EINVAL);
        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "a/", 0600), -EINVAL);
        ck_assert_int_eq(atomic_file_open(&f, dir_fd, "none/file", 0600), -ENOENT);
        ck_assert_int_eq(f.fd, -EBADF);
        ck_assert_uint_eq(count_entries(dir), 0);
}
END_TEST

START_TEST(test_failed_write) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct rlimit limit = { .rlim_cur = 4, .rlim_max = RLIM_INFINITY };

        scratch_write_text(dir, "file", "old");
        signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        ck_assert_int_eq(write_file_atomic(dir_fd, "file", 0600, "new and long", 12), -EFBIG);
        limit.rlim_cur = RLIM_INFINITY;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_content(dir, "file", "old");
        ck_assert_uint_eq(count_entries(dir), 1);
}
END_TEST

CHECK_MAIN("atomic-file", test_commit, test_unsynced, test_no_commit, test_failed_commit, test_link_is_replaced, test_bad_names,
           test_failed_write);
