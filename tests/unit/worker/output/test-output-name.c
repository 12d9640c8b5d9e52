/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names with timestamps, files that are kept, files that are removed. */

#include <sys/file.h>
#include <time.h>
#include "check-main.h"
#include "output-name.h"
#include "scratch.h"

static int open_dir(const char *path) {
        int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return fd;
}

static bool exists(const char *dir, const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);

        return access(path, F_OK) >= 0;
}

START_TEST(test_timestamp) {
        char text[OUTPUT_TIMESTAMP_SIZE];

        ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
        tzset();
        ck_assert_str_eq(output_timestamp(&(struct timeval) { .tv_sec = 1450607445, .tv_usec = 469999 }, text), "2015122010304546");
        ck_assert_str_eq(output_timestamp(&(struct timeval) { .tv_sec = 0, .tv_usec = 0 }, text), "1970010100000000");
}
END_TEST

START_TEST(test_names_do_not_collide) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        const struct timeval t = { .tv_sec = 1450607445, .tv_usec = 995000 };
        _cleanup_free_ char *a = NULL, *b = NULL, *c = NULL;

        ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
        ck_assert_int_eq(output_name_new(fd, "perf.data", t, &a), 0);
        ck_assert_str_eq(a, "perf.data.2015122010304599");
        ck_assert_int_eq(output_name_new(fd, "perf.data", t, &b), 0);
        ck_assert_str_eq(b, a);
        scratch_write_text(dir, a, "");
        ck_assert_int_eq(output_name_new(fd, "perf.data", t, &c), 0);
        ck_assert_str_eq(c, "perf.data.2015122010304600");
}
END_TEST

START_TEST(test_last_files_stay) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        _cleanup_(kept_files_done) KeptFiles f = { .max = 2 };
        static const char *const names[] = { "a", "b", "c", "d" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                scratch_write_text(dir, names[i], "");
                ck_assert_int_eq(kept_files_add(&f, fd, names[i]), 0);
        }
        ck_assert(!exists(dir, "a") && !exists(dir, "b") && exists(dir, "c") && exists(dir, "d"));
        ck_assert_uint_eq(strv_length(f.names), 2);
}
END_TEST

START_TEST(test_all_files_stay) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = open_dir(dir);
        _cleanup_(kept_files_done) KeptFiles f = {};

        scratch_write_text(dir, "a", "");
        ck_assert_int_eq(kept_files_add(&f, fd, "a"), 0);
        ck_assert(exists(dir, "a"));
        ck_assert_ptr_null(f.names);
}
END_TEST

static void write_old(const char *dir, const char *name) {
        static const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
        _cleanup_free_ char *path = path_join(dir, name);

        scratch_write_text(dir, name, "x");
        ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
}

START_TEST(test_stale) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *locked = path_join(dir, ".#perf.data.aaaaaa");
        _cleanup_close_ int fd = open_dir(dir), lock = -EBADF;

        write_old(dir, ".#perf.data.aaaaaa");
        write_old(dir, ".#perf.data.bbbbbb");
        write_old(dir, ".#perf.data.cccc.c");
        write_old(dir, ".#other.data.dddddd");
        write_old(dir, ".#perf.data.toolong");
        write_old(dir, "perf.data.eeeeee");
        scratch_write_text(dir, ".#perf.data.ffffff", "new");
        lock = open(locked, O_RDONLY | O_CLOEXEC);
        ck_assert_int_eq(flock(lock, LOCK_EX), 0);

        output_remove_stale(fd, "perf.data");
        ck_assert(!exists(dir, ".#perf.data.bbbbbb"));
        ck_assert(exists(dir, ".#perf.data.aaaaaa"));
        ck_assert(exists(dir, ".#perf.data.cccc.c"));
        ck_assert(exists(dir, ".#other.data.dddddd"));
        ck_assert(exists(dir, ".#perf.data.toolong"));
        ck_assert(exists(dir, "perf.data.eeeeee"));
        ck_assert(exists(dir, ".#perf.data.ffffff"));
}
END_TEST

CHECK_MAIN("output-name", test_timestamp, test_names_do_not_collide, test_last_files_stay, test_all_files_stay, test_stale);
