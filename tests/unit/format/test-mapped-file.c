/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "mapped-file.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include "perfdata-test.h"
#include "reader.h"

static int make(const char *name, size_t size) {
        _cleanup_free_ char *path = test_path(name), *bytes = malloc(size);
        int fd;

        memset(bytes, 'x', size);
        test_write_file(path, bytes, size);
        fd = open(path, O_RDWR | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        return fd;
}

START_TEST(what_is_cut_off) {
        const size_t page = (size_t) sysconf(_SC_PAGESIZE);
        _cleanup_close_ int fd = make("cut", 4 * page);
        const void *data;
        const char *bytes;

        ck_assert_ok(mapped_file_open(fd, 4 * page, &data));
        bytes = data;
        ck_assert_int_eq(bytes[3 * page], 'x');
        ck_assert_int_eq(ftruncate(fd, (off_t) page), 0);
        ck_assert_int_eq(bytes[0], 'x');
        ck_assert_int_eq(bytes[page], 0);
        ck_assert_int_eq(bytes[4 * page - 1], 0);
        mapped_file_close(data, 4 * page);
}
END_TEST

/* For other memory the signal has its usual effect. */
START_TEST(what_is_not_ours) {
        enum { SURVIVED = 42 };
        const size_t page = (size_t) sysconf(_SC_PAGESIZE);
        _cleanup_close_ int fd = make("ours", page), other = make("other", page);
        volatile char *theirs = mmap(NULL, page, PROT_READ, MAP_PRIVATE, other, 0);
        const void *data;
        int status;
        pid_t pid;

        ck_assert(theirs != MAP_FAILED);
        ck_assert_ok(mapped_file_open(fd, page, &data));
        ck_assert_int_eq(ftruncate(other, 0), 0);
        pid = fork();
        if (pid == 0) {
                (void) close(STDERR_FILENO); /* without the sanitizers' report */
                _exit(theirs[0] != 0 ? SURVIVED : SURVIVED + 1);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(!WIFEXITED(status) || WEXITSTATUS(status) < SURVIVED);
        mapped_file_close(data, page);
        (void) munmap((void *) theirs, page);
}
END_TEST

START_TEST(a_recording) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        _cleanup_free_ char *path = test_path("recording");
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t cursor = 0, n;
        int q;

        events = test_events(&n);
        for (size_t i = 0; i < 10000; i++)
                test_put_sample(&b, events[0].ids[0], PERF_RECORD_MISC_USER, TEST_PID, 0x401000, 1000 + i);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        ck_assert_int_eq(perf_data_reader_next(r, &cursor, &record), 1);
        ck_assert_int_eq(truncate(path, 8192), 0);
        while ((q = perf_data_reader_next(r, &cursor, &record)) == 1)
                ;
        ck_assert_int_eq(q, -EBADMSG);
}
END_TEST

TEST_RUN("mapped-file", what_is_cut_off, what_is_not_ours, a_recording);
