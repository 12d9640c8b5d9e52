/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Streams: their beginning, pipes that are slow, closed or full, a disk that becomes full halfway. */

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "perfdata-test.h"
#include "reader.h"

static FeatureTable *new_features(void) {
        static char word[] = "perf-recorder-worker";
        FeatureTable *t = NULL;
        const PerfDataEvent *events;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_version(t, "1.2.3"));
        ck_assert_ok(feature_table_add_command_line(t, (char *[]) { word, NULL }));
        ck_assert_ok(feature_table_add_events(t, events, n));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_TRACING_DATA, "0123456789", 10));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_CACHE, "not sent", 8));
        return t;
}

static PerfDataWriter *new_stream(int fd, unsigned level) {
        _cleanup_feature_table_free_ FeatureTable *t = new_features();
        PerfDataWriterOptions o = { .level = level };
        PerfDataWriter *w = NULL;

        o.events = test_events(&o.n_events);
        ck_assert_ok(perf_data_writer_new_stream(fd, &o, t, &w));
        return w;
}

/* Counts without Check, since a child can't report to it. */
static int count_quietly(PerfDataReader *r, size_t *ret) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int q;

        *ret = 0;
        while ((q = perf_data_reader_next(r, &cursor, &record)) == 1)
                *ret += record->type == PERF_RECORD_SAMPLE;
        return q;
}

static size_t count_samples(PerfDataReader *r) {
        size_t n;

        ck_assert_int_eq(count_quietly(r, &n), 0);
        return n;
}

static void check_front(const PerfDataReader *r) {
        const PerfDataEvent *events;
        const void *data;
        const char *s;
        size_t size;

        ck_assert_uint_eq(perf_data_reader_events(r, &events), 2);
        ck_assert_str_eq(events[0].name, "cpu-clock");
        ck_assert_uint_eq(events[1].n_ids, 2);
        ck_assert_uint_eq(events[1].ids[1], 22);
        ck_assert_ok(perf_data_reader_feature_string(r, PERF_FEATURE_VERSION, &s));
        ck_assert_str_eq(s, "1.2.3");
        ck_assert_ok(perf_data_reader_feature(r, PERF_FEATURE_TRACING_DATA, &data, &size));
        ck_assert_uint_eq(size, 16);
        ck_assert_int_eq(memcmp(data, "0123456789", 10), 0);
        ck_assert_int_eq(perf_data_reader_feature(r, PERF_FEATURE_CACHE, &data, &size), -ENODATA);
}

static void write_to(const char *path, unsigned level) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        PerfDataWriter *w = new_stream(fd, level);
        struct stat st;

        test_put_recording(&b, "/bin/demo");
        for (int i = 0; i < 3; i++)
                ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        ck_assert_int_eq(fstat(fd, &st), 0);
        ck_assert_uint_eq(perf_data_writer_file_size(w), (uint64_t) st.st_size);
        ck_assert(level > 0 || perf_data_writer_data_size(w) == 3 * b.size);
        ck_assert_int_eq(test_append(w, &b), -EBADFD);
        perf_data_writer_free(w);
}

START_TEST(what_a_stream_holds) {
        for (unsigned level = 0; level <= 1; level++) {
                _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
                _cleanup_free_ char *path = test_path("stream");

                write_to(path, level);
                ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
                check_front(r);
                ck_assert_uint_eq(count_samples(r), 9);
                ck_assert_uint_eq(count_samples(r), 9);
        }
}
END_TEST

/* A stream that is truncated anywhere is read up to that point. */
START_TEST(cut_anywhere) {
        _cleanup_free_ char *path = test_path("cut"), *file = NULL;
        size_t size, last = 0;

        write_to(path, 0);
        file = test_read_file(path, &size);
        for (size_t n = 0; n <= size; n++) {
                _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
                _cleanup_free_ char *copy = malloc(n + 1);
                size_t samples;
                int q;

                memcpy(copy, file, n);
                q = perf_data_reader_new_memory(copy, n, &r);
                ck_assert(q == 0 || (n < sizeof(PerfPipeHeader) && q == -EBADMSG));
                if (q < 0)
                        continue;
                samples = count_samples(r);
                ck_assert_uint_ge(samples, last);
                last = samples;
        }
        ck_assert_uint_eq(last, 9);
}
END_TEST

/* Forks a child that reads the pipe, slowly at first; it tests the reader too. */
static pid_t fork_reader(int fd[2], size_t expected) {
        pid_t pid;

        ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
        pid = fork();
        if (pid == 0) {
                PerfDataReader *r = NULL;
                size_t n = 0;

                (void) close(fd[1]);
                (void) poll(NULL, 0, 50);
                _exit(perf_data_reader_new_fd(fd[0], &r) < 0 || count_quietly(r, &n) < 0 || n != expected);
        }
        (void) close(fd[0]);
        return pid;
}

static void slow_pipe(bool nonblocking) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        int fd[2], status = -1;
        pid_t pid = fork_reader(fd, 3 * 5000);
        PerfDataWriter *w = new_stream(fd[1], 0);

        if (nonblocking)
                ck_assert_int_eq(fcntl(fd[1], F_SETFL, O_NONBLOCK), 0);
        test_put_recording(&b, "/bin/demo");
        for (int i = 0; i < 5000; i++)
                ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        (void) close(fd[1]);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
}

START_TEST(slow_pipes) {
        slow_pipe(false);
        slow_pipe(true);
}
END_TEST

START_TEST(the_reader_goes) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfDataWriter *w;
        int fd[2];

        ck_assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
        ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
        w = new_stream(fd[1], 0);
        (void) close(fd[0]);
        test_put_recording(&b, "/bin/demo");
        ck_assert_int_eq(test_append(w, &b), -EPIPE);
        ck_assert_int_eq(test_append(w, &b), -EPIPE);
        perf_data_writer_free(w);
        (void) close(fd[1]);
}
END_TEST

#define BEFORE 100000 /* bytes of the file; the limit must not affect Check's own files */

/* A limit replaces a full disk, in the middle of a record. */
static void full_disk(unsigned level) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_free_ char *path = test_path("full"), *file = NULL;
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        size_t written = 0, refused = 0, size;
        PerfDataWriter *w;

        ck_assert_int_eq(lseek(fd, BEFORE, SEEK_SET), BEFORE);
        w = new_stream(fd, level);
        ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
        test_put_recording(&b, "/bin/demo");
        for (rlim_t i = 0; i < 200; i++) {
                const struct rlimit limit = { .rlim_cur = i % 10 ? BEFORE + 1500 + (level > 0 ? 5 : 37) * i : RLIM_INFINITY, .rlim_max = RLIM_INFINITY };
                int q;

                ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
                q = test_append(w, &b);
                ck_assert(q == 0 || q == -EFBIG);
                written += q == 0;
                refused += q < 0;
        }
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit) { RLIM_INFINITY, RLIM_INFINITY }), 0);
        ck_assert_uint_gt(written, 20);
        ck_assert_uint_gt(refused, 20);
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
        perf_data_writer_free(w);
        file = test_read_file(path, &size);
        ck_assert_ok(perf_data_reader_new_memory(file + BEFORE, size - BEFORE, &r));
        ck_assert_uint_eq(count_samples(r), 3 * written);
}

START_TEST(full_disks) {
        full_disk(0);
        full_disk(1);
}
END_TEST

TEST_RUN("writer-stream", what_a_stream_holds, cut_anywhere, slow_pipes, the_reader_goes, full_disks);
