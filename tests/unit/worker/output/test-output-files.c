/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of a file, and directories that vanish between them. */

#include <sys/file.h>

#include "check-main.h"
#include "made-recording.h"

static PerfDataWriter *begin(void) {
        const struct perf_event_header h = { .type = PERF_RECORD_FINISHED_INIT, .size = sizeof(h) };
        struct iovec v = { .iov_base = (void *) &h, .iov_len = sizeof(h) };
        PerfDataWriter *w = NULL;

        ck_assert_int_eq(output_files_open(&made.files, &w), 0);
        ck_assert_int_eq(file_description_append(made.files.description, w, &v, 1), 0);
        return w;
}

static OutputFinished finish(PerfDataWriter *w, bool timestamp) {
        OutputFinished x = {};

        ck_assert_int_eq(output_files_choose_name(&made.files, w, timestamp, &x.name), 0);
        ck_assert_int_eq(output_files_finish(&made.files, w, &x), 0);
        perf_data_writer_free(w);
        output_files_report(&made.files, &x, timestamp);
        return x;
}

static size_t count_files(void) {
        _cleanup_strv_free_ char **names = NULL;

        ck_assert_int_eq(list_directory(made.dir, 100, &names), 0);
        return strv_length(names);
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
        ck_assert_uint_eq(count_files(), 2);
        for (unsigned i = 0; i < 2; i++) {
                OutputFinished x = finish(begin(), false);

                ck_assert_str_eq(x.name, "perf.data");
                output_finished_done(&x);
        }
        ck_assert_uint_eq(count_files(), 4); /* and perf.data.old */
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
        ck_assert_int_eq(output_files_open(&made.files, &w), -ENOENT);
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

CHECK_MAIN_WITH("output-files", made_setup, made_teardown, test_kept, test_lock, test_vanished_directory);
