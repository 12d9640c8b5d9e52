/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of a file, and directories that vanish between them; names with timestamps, files that are kept or removed. */

#include <sys/file.h>
#include <time.h>

#include "check-main.h"
#include "made-recording.h"

static PerfDataWriter *begin(void) {
        const struct perf_event_header h = { .type = PERF_RECORD_FINISHED_INIT, .size = sizeof(h) };
        struct iovec v = { .iov_base = (void *) &h, .iov_len = sizeof(h) };
        PerfDataWriter *w = NULL;

        ck_assert_int_eq(output_files_open(&made.files, false, &w), 0);
        ck_assert_int_eq(file_description_append(made.files.description, w, &v, 1), 0);
        return w;
}

static OutputFinished finish(PerfDataWriter *w, bool timestamp) {
        OutputFinished x = {};

        ck_assert_int_eq(output_files_choose_name(&made.files, timestamp, &x.name), 0);
        ck_assert_int_eq(output_files_finish(&made.files, w, timestamp, &x), 0);
        perf_data_writer_free(w);
        output_files_report(&made.files, &x, timestamp);
        return x;
}

/* Only files with a timestamp are limited in number. */
START_TEST(test_kept) {
        made.files.kept.max = 2;
        for (unsigned i = 0; i < 4; i++) {
                OutputFinished x = finish(begin(), true);

                ck_assert_ptr_nonnull(startswith(x.name, "perf.data.2"));
                ck_assert_uint_gt(x.size, 0);
                ck_assert(x.original == 0 && x.compressed == 0 && x.left_out == 0);
                output_finished_done(&x);
                ck_assert_ptr_null(x.name);
        }
        ck_assert_uint_eq(made_count_files(), 2);
        for (unsigned i = 0; i < 2; i++) {
                OutputFinished x = finish(begin(), false);

                ck_assert_str_eq(x.name, "perf.data");
                output_finished_done(&x);
        }
        ck_assert_uint_eq(made_count_files(), 4); /* and perf.data.old */
        ck_assert_uint_eq(made.counters.page->files, 6);
}
END_TEST

/* Another recorder sees that the file is in use. */
START_TEST(test_lock) {
        PerfDataWriter *w = begin();
        _cleanup_free_ char *path = NULL;
        _cleanup_close_ int fd = -EBADF;

        ck_assert_int_gt(asprintf(&path, "/proc/self/fd/%d", perf_data_writer_fd(w)), 0);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_lt(flock(fd, LOCK_EX | LOCK_NB), 0);
        perf_data_writer_free(w);
        ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
}
END_TEST

START_TEST(test_vanished_directory) {
        PerfDataWriter *w = NULL;
        OutputFinished x;

        scratch_remove(made.dir);
        ck_assert_int_eq(output_files_open(&made.files, false, &w), -ENOENT);
        made.files.renewed = true;
        w = begin();
        ck_assert_int_eq(output_files_rescue(&made.files, w), 0); /* there is nothing to rescue */
        scratch_remove(made.dir);
        ck_assert_int_eq(output_files_rescue(&made.files, NULL), 0);
        scratch_remove(made.dir);
        ck_assert_int_eq(output_files_rescue(&made.files, w), 0);
        x = finish(w, false);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_FINISHED_INIT), 1);
        output_finished_done(&x);
}
END_TEST

static int open_dir(const char *path) {
        int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return fd;
}

static bool exists(const char *name) {
        _cleanup_free_ char *path = path_join(made.dir, name);

        return access(path, F_OK) >= 0;
}

static void assert_name(int dir_fd, struct timeval t, const char *expected) {
        _cleanup_free_ char *name = NULL;

        ck_assert_int_eq(output_name_new(dir_fd, "perf.data", t, &name), 0);
        ck_assert_str_eq(name, expected);
}

START_TEST(test_timestamp) {
        _cleanup_close_ int fd = open_dir(made.dir);

        ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
        tzset();
        assert_name(fd, (struct timeval) { .tv_sec = 1450607445, .tv_usec = 469999 }, "perf.data.2015122010304546");
        assert_name(fd, (struct timeval) {}, "perf.data.1970010100000000");
}
END_TEST

START_TEST(test_names_do_not_collide) {
        _cleanup_close_ int fd = open_dir(made.dir);
        const struct timeval t = { .tv_sec = 1450607445, .tv_usec = 995000 };

        ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
        assert_name(fd, t, "perf.data.2015122010304599");
        assert_name(fd, t, "perf.data.2015122010304599");
        scratch_write_text(made.dir, "perf.data.2015122010304599", "");
        assert_name(fd, t, "perf.data.2015122010304600");
}
END_TEST

START_TEST(test_last_files_stay) {
        _cleanup_close_ int fd = open_dir(made.dir);
        _cleanup_(kept_files_done) KeptFiles f = { .max = 2 };
        static const char *const names[] = { "a", "b", "c", "d" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                scratch_write_text(made.dir, names[i], "");
                ck_assert_int_eq(kept_files_add(&f, fd, names[i]), 0);
        }
        ck_assert(!exists("a") && !exists("b") && exists("c") && exists("d"));
        ck_assert_uint_eq(strv_length(f.names), 2);
}
END_TEST

START_TEST(test_all_files_stay) {
        _cleanup_close_ int fd = open_dir(made.dir);
        _cleanup_(kept_files_done) KeptFiles f = {};

        scratch_write_text(made.dir, "a", "");
        ck_assert_int_eq(kept_files_add(&f, fd, "a"), 0);
        ck_assert(exists("a"));
        ck_assert_ptr_null(f.names);
}
END_TEST

static void write_old(const char *name) {
        static const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
        _cleanup_free_ char *path = path_join(made.dir, name);

        scratch_write_text(made.dir, name, "x");
        ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
}

START_TEST(test_stale) {
        _cleanup_free_ char *locked = path_join(made.dir, ".#perf.data.aaaaaa");
        _cleanup_free_ char *printed = path_join(made.dir, "printed");
        _cleanup_close_ int fd = open_dir(made.dir), lock = -EBADF, messages = -EBADF, stderr_fd = dup(STDERR_FILENO);
        char text[1024];
        ssize_t n;

        write_old(".#perf.data.aaaaaa");
        write_old(".#perf.data.bbbbbb");
        write_old(".#perf.data.cccc.c");
        write_old(".#other.data.dddddd");
        write_old(".#perf.data.toolong");
        write_old("perf.data.eeeeee");
        scratch_write_text(made.dir, ".#perf.data.ffffff", "new");
        lock = open(locked, O_RDONLY | O_CLOEXEC);
        ck_assert_int_eq(flock(lock, LOCK_EX), 0);

        messages = open(printed, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        ck_assert_int_ge(stderr_fd, 0);
        ck_assert_int_ge(dup2(messages, STDERR_FILENO), 0);
        output_remove_stale(fd, made.dir, "perf.data");
        ck_assert_int_ge(dup2(stderr_fd, STDERR_FILENO), 0);
        n = pread(messages, text, sizeof(text) - 1, 0);
        ck_assert_int_gt(n, 0);
        text[n] = '\0';
        ck_assert_ptr_nonnull(strstr(text, "A recorder was killed before it finished a file of 1B in"));
        ck_assert_ptr_nonnull(strstr(text, made.dir));
        ck_assert_ptr_eq(strchr(text, '\n'), strrchr(text, '\n'));
        ck_assert(!exists(".#perf.data.bbbbbb"));
        ck_assert(exists(".#perf.data.aaaaaa"));
        ck_assert(exists(".#perf.data.cccc.c"));
        ck_assert(exists(".#other.data.dddddd"));
        ck_assert(exists(".#perf.data.toolong"));
        ck_assert(exists("perf.data.eeeeee"));
        ck_assert(exists(".#perf.data.ffffff"));
}
END_TEST

CHECK_MAIN_WITH("output-files", made_setup, made_teardown, test_kept, test_lock, test_vanished_directory, test_timestamp, test_names_do_not_collide,
                test_last_files_stay, test_all_files_stay, test_stale);
