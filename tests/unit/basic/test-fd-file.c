/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whole reads with their limit, files that are refused before they are opened, and directories. */

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check-main.h"
#include "fd-file.h"
#include "scratch.h"
#include "strv.h"

START_TEST(test_read) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file"), *text = NULL, *proc = NULL;
        char large[10000];
        size_t size = 0;

        memset(large, 'x', sizeof(large));
        scratch_write(dir, "file", large, sizeof(large));
        ck_assert_int_eq(read_file(path, sizeof(large), &text, &size), 0);
        ck_assert_uint_eq(size, sizeof(large));
        ck_assert_mem_eq(text, large, size);
        ck_assert_int_eq(text[size], '\0');

        ck_assert_int_eq(read_file("/proc/self/status", 65536, &proc, NULL), 0); /* stat reports 0 bytes */
        ck_assert_ptr_nonnull(strstr(proc, "\nPid:"));
}
END_TEST

START_TEST(test_read_limit) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file"), *text = NULL;
        size_t size = 4711;

        scratch_write(dir, "file", "abc", 3);
        ck_assert_int_eq(read_file(path, 2, &text, &size), -EFBIG);
        ck_assert_ptr_null(text);
        ck_assert_uint_eq(size, 4711);
        ck_assert_int_eq(read_file("/proc/self/status", 10, &text, &size), -EFBIG);
        ck_assert_int_eq(read_file("/proc/self/status", 5000, &text, &size), 0);
        free(steal_ptr(text));

        ck_assert_int_eq(read_file(path, 3, &text, &size), 0);
        ck_assert_uint_eq(size, 3);
        free(steal_ptr(text));
        scratch_write(dir, "file", "", 0);
        ck_assert_int_eq(read_file(path, 0, &text, &size), 0);
        ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(test_read_refuses) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *fifo = path_join(dir, "fifo"), *none = path_join(dir, "none"), *text = NULL;

        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        ck_assert_int_eq(read_file(fifo, 10, &text, NULL), -EBADFD);
        ck_assert_int_eq(read_file(dir, 10, &text, NULL), -EISDIR);
        ck_assert_int_eq(read_file("/dev/null", 10, &text, NULL), -EBADFD);
        ck_assert_int_eq(read_file(none, 10, &text, NULL), -ENOENT);
        ck_assert_ptr_null(text);
}
END_TEST

START_TEST(test_read_fd_from_the_start) {
        _cleanup_close_ int fd = open_memfd("test", 0);
        _cleanup_free_ char *text = NULL;
        int pipes[2];

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write_all(fd, "hello", 5), 0);
        ck_assert_int_eq(read_fd(fd, 10, &text, NULL), 0);
        ck_assert_str_eq(text, "hello");

        ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
        ck_assert_int_eq(read_fd(pipes[0], 10, &text, NULL), -EBADFD);
        close(pipes[0]);
        close(pipes[1]);
}
END_TEST

START_TEST(test_write) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "file"), *text = NULL;
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), full = open("/dev/full", O_WRONLY | O_CLOEXEC);

        ck_assert_int_eq(write_all(fd, "x", 1), 0);
        ck_assert_int_eq(read_file(path, 10, &text, NULL), 0);
        ck_assert_str_eq(text, "x");
        ck_assert_int_eq(write_all(-EBADF, "x", 1), -EBADF);
        ck_assert_int_eq(write_all(-EBADF, "x", 0), 0);
        ck_assert_int_eq(write_all(full, "x", 1), -ENOSPC);
}
END_TEST

START_TEST(test_make_directories) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *deep = path_join(dir, "a/b//c/"), *file = path_join(dir, "file"), *below = path_join(file, "x"),
                            *link = path_join(dir, "link");
        struct stat st;

        ck_assert_int_eq(make_directories(deep, 0750), 0);
        ck_assert_int_eq(stat(deep, &st), 0);
        ck_assert(S_ISDIR(st.st_mode));
        ck_assert_int_eq(make_directories(deep, 0750), 0);

        scratch_write(dir, "file", "", 0);
        ck_assert_int_eq(make_directories(file, 0750), -ENOTDIR);
        ck_assert_int_eq(make_directories(below, 0750), -ENOTDIR);
        ck_assert_int_eq(symlink("a", link), 0);
        ck_assert_int_eq(make_directories(link, 0750), 0);
        ck_assert_int_eq(make_directories("/", 0750), 0);
}
END_TEST

START_TEST(test_path_join) {
        static const struct {
                const char *dir, *name, *path;
        } cases[] = {
                { "/a", "b", "/a/b" }, { "/a/", "b", "/a/b" }, { "/a//", "/b", "/a/b" }, { "/", "b", "/b" }, { "a", "b/c", "a/b/c" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *path = path_join(cases[i].dir, cases[i].name);

                ck_assert_str_eq(path, cases[i].path);
        }
}
END_TEST

START_TEST(test_open_directory) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *file = path_join(dir, "file"), *link = path_join(dir, "link");
        _cleanup_closedir_ DIR *d = NULL;

        scratch_write(dir, "file", "", 0);
        ck_assert_int_eq(symlink(dir, link), 0);
        ck_assert_int_eq(open_directory_at(AT_FDCWD, dir, &d), 0);
        ck_assert_ptr_nonnull(readdir(d));
        closedir(steal_ptr(d));
        ck_assert_int_eq(open_directory_at(AT_FDCWD, file, &d), -ENOTDIR);
        ck_assert_int_eq(open_directory_at(AT_FDCWD, link, &d), -ENOTDIR);
        ck_assert_int_eq(open_directory_at(AT_FDCWD, "/nonexistent", &d), -ENOENT);
        ck_assert_ptr_null(d);
}
END_TEST

START_TEST(test_list_directory) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *joined = NULL, *file = path_join(dir, "b");
        _cleanup_strv_free_ char **names = NULL;

        ck_assert_int_eq(list_directory(dir, 0, &names), 0);
        ck_assert_ptr_null(names);
        scratch_write(dir, "b", "", 0);
        scratch_write(dir, ".hidden", "", 0);
        scratch_write(dir, "a", "", 0);
        ck_assert_int_eq(list_directory(dir, 1, &names), -E2BIG);
        ck_assert_ptr_null(names);
        ck_assert_int_eq(list_directory(dir, 2, &names), 0);
        joined = strv_join(names, " ");
        ck_assert_str_eq(joined, "a b");
        ck_assert_int_eq(list_directory(file, 2, &names), -ENOTDIR);
        ck_assert_int_eq(list_directory("/nowhere", 2, &names), -ENOENT);
}
END_TEST

START_TEST(test_open_memfd) {
        _cleanup_close_ int fd = open_memfd("test", 12345);
        struct stat st;

        ck_assert_int_eq(fstat(fd, &st), 0);
        ck_assert_int_eq(st.st_size, 12345);
        ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
}
END_TEST

CHECK_MAIN("fd-file", test_read, test_read_limit, test_read_refuses, test_read_fd_from_the_start, test_write,
           test_make_directories, test_path_join, test_open_directory, test_list_directory, test_open_memfd);
