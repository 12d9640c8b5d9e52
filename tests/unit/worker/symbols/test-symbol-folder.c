/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/file.h>
#include "check-main.h"
#include "directory-tree.h"
#include "scratch.h"
#include "symbol-folder.h"

static int open_dir(const char *path) {
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return fd;
}

static bool exists(int dir_fd, const char *name) {
        return faccessat(dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) >= 0;
}

static ino_t inode_of(int dir_fd, const char *name) {
        struct stat st;

        ck_assert_int_eq(fstatat(dir_fd, name, &st, 0), 0);
        return st.st_ino;
}

static void put(SymbolFolder *f, const char *path, const char *text) {
        _cleanup_close_ int fd = symbol_folder_create(f, path);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write_all(fd, text, strlen(text)), 0);
        symbol_folder_count(f, strlen(text));
}

START_TEST(test_whole_or_not_there) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;

        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.1", 100), 0);
        put(&f, "/usr/bin/a", "12345");
        ck_assert_uint_eq(symbol_folder_room(&f), 95);
        ck_assert_int_eq(symbol_folder_create(&f, "/usr/bin/a"), -EEXIST);
        ck_assert(!exists(fd, "symbols.1"));
        ck_assert_int_eq(symbol_folder_commit(&f), 0);
        ck_assert(exists(fd, "symbols.1/usr/bin/a"));
        ck_assert(!exists(fd, ".#symbols.1"));
        symbol_folder_done(&f);

        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.1", 100), 0);
        put(&f, "b", "");
        ck_assert_int_eq(symbol_folder_commit(&f), -EEXIST);
        ck_assert(!exists(fd, ".#symbols.1"));
        ck_assert(exists(fd, "symbols.1/usr/bin/a"));
        ck_assert_int_eq(directory_tree_remove(fd, "symbols.1"), 0);
        ck_assert(!exists(fd, "symbols.1"));
        ck_assert_int_eq(directory_tree_remove(fd, "symbols.1"), -ENOENT);
}
END_TEST

static mode_t mode_of(int dir_fd, const char *name) {
        struct stat st;

        ck_assert_int_eq(fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
        return st.st_mode & 07777;
}

/* A process with a descriptor of the folder can read all of it, and none can by its path. */
START_TEST(test_modes) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;

        (void) umask(0077);
        ck_assert_int_eq(fchmod(fd, 0700), 0);
        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.1", 100), 0);
        put(&f, "/usr/bin/a", "12345");
        ck_assert_uint_eq(mode_of(fd, ".#symbols.1"), 0700);
        ck_assert_int_eq(symbol_folder_commit(&f), 0);
        ck_assert_uint_eq(mode_of(fd, "symbols.1"), 0755);
        ck_assert_uint_eq(mode_of(fd, "symbols.1/usr"), 0755);
        ck_assert_uint_eq(mode_of(fd, "symbols.1/usr/bin"), 0755);
        ck_assert_uint_eq(mode_of(fd, "symbols.1/usr/bin/a"), 0644);

        ck_assert_int_eq(fchmodat(fd, "symbols.1/usr/bin/a", 0600, 0), 0);
        ck_assert_int_eq(fchmod(fd, 0750), 0);
        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.2", 100), 0);
        ck_assert_int_eq(symbol_folder_link(&f, "symbols.1", "/usr/bin/a"), 0);
        ck_assert_int_eq(symbol_folder_commit(&f), 0);
        ck_assert_uint_eq(mode_of(fd, "symbols.2"), 0700);
        ck_assert_uint_eq(mode_of(fd, "symbols.2/usr/bin/a"), 0644);
}
END_TEST

START_TEST(test_no_way_out) {
        static const char *const wrong[] = { "", "/", "..", "/..", "a/../b", "../x", "a/..", "./a" };
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        char name[300], deep[2 * 200 + 2] = "";

        ck_assert_int_eq(symbol_folder_open(&f, fd, "d", 100), 0);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                ck_assert_int_eq(symbol_folder_create(&f, wrong[i]), -EINVAL);
        memset(name, 'x', sizeof(name));
        name[sizeof(name) - 1] = '\0';
        ck_assert_int_eq(symbol_folder_create(&f, name), -ENAMETOOLONG);
        for (size_t i = 0; i < 200; i++)
                strcat(deep, "d/");
        strcat(deep, "f");
        ck_assert_int_eq(symbol_folder_create(&f, deep), -ENAMETOOLONG);
        ck_assert_int_eq(symlinkat("/etc", f.fd, "out"), 0);
        ck_assert_int_eq(symbol_folder_create(&f, "out/x"), -ENOTDIR);
        put(&f, "/tmp/gone (deleted)", "x");
        symbol_folder_remove(&f, "/tmp/gone (deleted)");
        ck_assert(!exists(f.fd, "tmp/gone (deleted)"));
        symbol_folder_done(&f);
        ck_assert(!exists(fd, ".#symbols.d"));
}
END_TEST

START_TEST(test_links) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;

        ck_assert_int_eq(symbol_folder_open(&f, fd, "a", 100), 0);
        put(&f, "/x/y", "1234567890");
        ck_assert_int_eq(symbol_folder_commit(&f), 0);
        ck_assert_int_eq(symbol_folder_open(&f, fd, "b", 15), 0);
        ck_assert_int_eq(symbol_folder_link(&f, "symbols.a", "/x/z"), -ENOENT);
        ck_assert_int_eq(symbol_folder_link(&f, "symbols.c", "/x/y"), -ENOENT);
        ck_assert_int_eq(symbol_folder_link(&f, "symbols.a", "/x/y"), 0);
        ck_assert_uint_eq(f.used, 10);
        ck_assert_int_eq(symbol_folder_link(&f, "symbols.a", "/x/y"), -EFBIG);
        ck_assert_int_eq(symbol_folder_commit(&f), 0);
        ck_assert_uint_eq(inode_of(fd, "symbols.a/x/y"), inode_of(fd, "symbols.b/x/y"));
}
END_TEST

START_TEST(test_what_the_dead_left) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;

        scratch_write_text(dir, ".#symbols.1/usr/x", "");
        scratch_write_text(dir, ".#symbols.other.1/usr/x", "");
        scratch_write_text(dir, "symbols.3/usr/x", "");
        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.2", 100), 0); /* of running recorders */
        symbol_folder_remove_stale(fd, "perf.data");
        ck_assert(!exists(fd, ".#symbols.1"));
        ck_assert(exists(fd, ".#symbols.2"));
        ck_assert(exists(fd, ".#symbols.other.1"));
        ck_assert(exists(fd, "symbols.3"));
        symbol_folder_done(&f);
        scratch_write_text(dir, ".#symbols.4/usr/x", "");
        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data.4", 100), 0);
        ck_assert(!exists(f.fd, "usr"));
        symbol_folder_done(&f);
}
END_TEST

START_TEST(test_newest) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        _cleanup_free_ char *name = NULL;

        ck_assert_int_eq(symbol_folder_newest(fd, "perf.data", &name), -ENOENT);
        scratch_write_text(dir, "symbols.2026010100000000/x", "");
        scratch_write_text(dir, "symbols.2026020100000000/x", "");
        scratch_write_text(dir, "symbols.old/x", "");
        scratch_write_text(dir, "perf.data.2026030100000000", "");
        ck_assert_int_eq(symbol_folder_newest(fd, "perf.data", &name), 0);
        ck_assert_str_eq(name, "symbols.2026020100000000");
}
END_TEST

CHECK_MAIN("symbol-folder", test_whole_or_not_there, test_modes, test_no_way_out, test_links, test_what_the_dead_left, test_newest);
