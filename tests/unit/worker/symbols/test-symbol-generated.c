/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "scratch.h"
#include "symbol-generated.h"

static unsigned inner_pid = 5;

/* Makes a process 9 of that real user, which is 5 in its own namespace, with a root of its own. */
static void make_process(const char *dir, unsigned user) {
        _cleanup_free_ char *link = path_join(dir, "proc/9/root"), *there = path_join(dir, "container"), *own = path_join(dir, "proc/self/ns/user"),
                            *its = path_join(dir, "proc/9/ns/user");
        char status[128];

        (void) snprintf(status, sizeof(status), "Name:\tx\nUid:\t%u\t7\t7\t7\nNStgid:\t9\t%u\n", user, inner_pid);
        scratch_write_text(dir, "proc/9/status", status);
        scratch_write_text(dir, "proc/9/ns/mnt", "");
        scratch_write_text(dir, "proc/self/ns/user", "");
        scratch_write_text(dir, "container/tmp/other", "");
        (void) unlink(link);
        ck_assert_int_eq(symlink(there, link), 0);
        (void) unlink(its);
        ck_assert_int_eq(linkat(AT_FDCWD, own, AT_FDCWD, its, 0), 0);
}

static int open_map(const char *dir) {
        GeneratedState state;
        int fd = -EBADF, r = symbol_generated_open(dir, 9, &fd, &state);

        (void) safe_close(fd);
        return r;
}

START_TEST(test_whose_it_is) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *map = path_join(dir, "container/tmp/perf-5.map"), *its = path_join(dir, "proc/9/ns/user"),
                            *machines = path_join(dir, "tmp/perf-9.map");

        ck_assert_int_eq(open_map(dir), -ENOENT);
        make_process(dir, geteuid());
        ck_assert_int_eq(open_map(dir), -ENOENT);
        scratch_write_text(dir, "container/tmp/perf-5.map", "1000 8 f\n");
        ck_assert_int_eq(open_map(dir), 0);
        make_process(dir, geteuid() + 1); /* another user's file, also root's */
        ck_assert_int_eq(open_map(dir), -EPERM);
        make_process(dir, geteuid());
        ck_assert_int_eq(unlink(its), 0);
        scratch_write_text(dir, "proc/9/ns/user", "another namespace, where it may call itself root");
        ck_assert_int_eq(open_map(dir), geteuid() == 0 ? -EPERM : 0);
        make_process(dir, geteuid());
        ck_assert_int_eq(unlink(map), 0);
        scratch_write_text(dir, "tmp/perf-9.map", "made from outside");
        ck_assert_int_eq(open_map(dir), 0);
        ck_assert_int_eq(unlink(machines), 0);
        ck_assert_int_eq(symlink("/nowhere", map), 0);
        ck_assert_int_eq(open_map(dir), -ENOENT);
}
END_TEST

START_TEST(test_of_one_that_has_ended) {
        _cleanup_(scratch_done) char *dir = scratch_new();

        scratch_write_text(dir, "tmp/perf-9.map", "1000 8 f\n");
        ck_assert_int_eq(open_map(dir), -ESRCH);
}
END_TEST

/* Files are refused that reading would change, or that have no end. */
START_TEST(test_no_ordinary_file) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *map = path_join(dir, "container/tmp/perf-5.map");

        make_process(dir, geteuid());
        ck_assert_int_eq(mkfifo(map, 0600), 0);
        ck_assert_int_eq(open_map(dir), -EPERM);
        ck_assert_int_eq(unlink(map), 0);
        ck_assert_int_eq(mkdir(map, 0700), 0);
        ck_assert_int_eq(open_map(dir), -EPERM);
        ck_assert_int_eq(rmdir(map), 0);
}
END_TEST

/* A process may mount such a file at that place: here it is a link, which tests may make. */
START_TEST(test_a_file_of_the_kernel) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *link = path_join(dir, "proc/9/root");
        char map[64];

        inner_pid = (unsigned) getpid();
        make_process(dir, geteuid());
        ck_assert_int_eq(unlink(link), 0);
        ck_assert_int_eq(symlink("/", link), 0);
        (void) snprintf(map, sizeof(map), "/tmp/perf-%u.map", inner_pid);
        (void) unlink(map);
        ck_assert_int_eq(symlink("../proc/version", map), 0);
        ck_assert_int_eq(open_map(dir), -EPERM);
        ck_assert_int_eq(unlink(map), 0);
        ck_assert_int_eq(symlink("../sys/kernel/uevent_seqnum", map), 0);
        ck_assert_int_eq(open_map(dir), -EPERM);
        ck_assert_int_eq(unlink(map), 0);
}
END_TEST

START_TEST(test_only_symbols) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -EBADF, again = -EBADF;
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        _cleanup_free_ char *text = NULL;
        char path[SYMBOL_GENERATED_PATH_SIZE];
        GeneratedState a, b;

        make_process(dir, geteuid());
        scratch_write_text(dir, "container/tmp/perf-5.map", "0x1000 40 f\nroot:x:0:0:\n2000 0x8 g h\n3000 8 cut o");
        ck_assert_int_eq(symbol_generated_open(dir, 9, &fd, &a), 0);
        ck_assert_int_eq(symbol_generated_open(dir, 9, &again, &b), 0);
        ck_assert_mem_eq(&a, &b, sizeof(a));
        ck_assert_int_eq(symbol_folder_open(&f, parent, "dump", 1000), 0);
        ck_assert_int_eq(symbol_generated_write(fd, &f, symbol_generated_path(9, path), 1000), 0);
        ck_assert_int_eq(read_file_at(f.fd, "tmp/perf-9.map", 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "1000 40 f\n2000 8 g h\n3000 8 cut o\n");
        ck_assert_uint_eq(f.used, strlen(text));
        ck_assert_int_eq(symbol_generated_write(again, &f, "tmp/other", 10), -EFBIG);
        symbol_folder_done(&f);
}
END_TEST

/* Readers that know nothing of later lines find the right name too. */
START_TEST(test_covered) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -EBADF;
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        _cleanup_free_ char *text = NULL;
        char path[SYMBOL_GENERATED_PATH_SIZE];
        GeneratedState state;

        make_process(dir, geteuid());
        scratch_write_text(dir, "container/tmp/perf-5.map", "1000 1000 old\nf00 900 new\n4000 100 not run\n");
        ck_assert_int_eq(symbol_generated_open(dir, 9, &fd, &state), 0);
        ck_assert_int_eq(symbol_folder_open(&f, parent, "dump", 1000), 0);
        ck_assert_int_eq(symbol_generated_write(fd, &f, symbol_generated_path(9, path), 1000), 0);
        ck_assert_int_eq(read_file_at(f.fd, "tmp/perf-9.map", 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "f00 900 new\n1800 800 old\n4000 100 not run\n");
        symbol_folder_done(&f);
}
END_TEST

START_TEST(test_nothing) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -EBADF;
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        GeneratedState state;

        make_process(dir, geteuid());
        scratch_write_text(dir, "container/tmp/perf-5.map", "secret\n");
        ck_assert_int_eq(symbol_generated_open(dir, 8, &fd, &state), -ENOENT);
        ck_assert_int_eq(symbol_generated_open(dir, 9, &fd, &state), 0);
        ck_assert_int_eq(symbol_folder_open(&f, parent, "dump", 1000), 0);
        ck_assert_int_eq(symbol_generated_write(fd, &f, "x", 1000), -ENODATA);
        symbol_folder_done(&f);
}
END_TEST

CHECK_MAIN("symbol-generated", test_whose_it_is, test_of_one_that_has_ended, test_no_ordinary_file,
           test_a_file_of_the_kernel, test_only_symbols, test_covered, test_nothing);
