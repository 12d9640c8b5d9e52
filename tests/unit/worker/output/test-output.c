/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files that come and go, and a full disk, which a limit on the size of files replaces. */

#include <signal.h>
#include <perf-recorder/dump-facts.h>
#include <sys/resource.h>
#include <sys/xattr.h>
#include "check-main.h"
#include "made-recording.h"

static void append(uint64_t samples, bool expect_written) {
        const MadeSample s = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(MadeSample) } };
        struct iovec segment = { .iov_base = (void *) &s, .iov_len = sizeof(s) };
        bool written = !expect_written;

        ck_assert_int_eq(output_append(made.output, &segment, 1, &(OutputCounts) { .samples = samples }, &written), 0);
        ck_assert_int_eq(written, expect_written);
}

static void limit_file_size(rlim_t size) {
        (void) signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit) { size, RLIM_INFINITY }), 0);
}

static char *finish(bool timestamp) {
        _cleanup_(output_finished_done) OutputFinished x = {};

        ck_assert_int_eq(output_finish(made.output, timestamp, &x), 0);
        return x.name ? path_join(made.dir, x.name) : NULL;
}

START_TEST(test_one_file) {
        _cleanup_free_ char *name = NULL;

        ck_assert_int_eq(output_finish(made.output, false, NULL), -ENODATA);
        ck_assert_int_eq(output_begin(made.output), 0);
        ck_assert_int_eq(output_begin(made.output), 0);
        ck_assert_uint_eq(made.n_preambles, 1);
        ck_assert_uint_ne(made.counters.page->first_sample_nsec, 0);
        append(1, true);
        append(1, true);
        ck_assert_int_lt(access(made.path, F_OK), 0); /* not before it is whole */
        name = finish(false);
        ck_assert_str_eq(name, made.path);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 2);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_FINISHED_INIT), 1);
        ck_assert_uint_eq(output_file_samples(made.output), 2);
        ck_assert_uint_eq(made.counters.page->samples, 2);
        ck_assert_uint_eq(made.counters.page->files, 1);
        ck_assert_uint_eq(made.counters.page->first_sample_nsec, 0);
        ck_assert_uint_ge(made.counters.page->bytes_written, 2 * sizeof(MadeSample));
}
END_TEST

START_TEST(test_left_out) {
        char text[32] = "";

        made.left_out = (LeftOut) { .mappings = 12, .processes = 3 };
        append(1, true);
        free(finish(false));
        if (getxattr(made.path, PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, text, sizeof(text) - 1) < 0) {
                ck_assert_int_eq(errno, EOPNOTSUPP);
                return;
        }
        ck_assert_str_eq(text, "12");
        ck_assert_int_eq(getxattr(made.path, PR_DUMP_XATTR_LEFT_OUT_PROCESSES, text, sizeof(text) - 1), 1);
        ck_assert_int_eq(text[0], '3');
}
END_TEST

START_TEST(test_old_file_is_kept) {
        _cleanup_free_ char *old = NULL;

        ck_assert_int_gt(asprintf(&old, "%s.old", made.path), 0);
        for (uint64_t i = 1; i <= 2; i++) {
                for (uint64_t k = 0; k < i; k++)
                        append(1, true);
                free(finish(false));
        }
        ck_assert_uint_eq(made_count(old, PERF_RECORD_SAMPLE), 1);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 2);
}
END_TEST

START_TEST(test_timestamps) {
        _cleanup_free_ char *a = NULL, *b = NULL;

        append(1, true);
        a = finish(true);
        append(1, true);
        b = finish(true);
        ck_assert_str_ne(a, b);
        ck_assert_ptr_nonnull(startswith(a, made.path));
        ck_assert_uint_eq(strlen(a), strlen(made.path) + 1 + 16);
        ck_assert_uint_eq(made_count(a, PERF_RECORD_SAMPLE), 1);
        ck_assert_uint_eq(made_count(b, PERF_RECORD_SAMPLE), 1);
        ck_assert_int_lt(access(made.path, F_OK), 0);
        ck_assert_uint_eq(made.n_preambles, 2);
}
END_TEST

START_TEST(test_unfinished_file_goes) {
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *entry;

        append(1, true);
        made.output = output_free(made.output);
        dir = opendir(made.dir);
        while ((entry = readdir(dir)))
                ck_assert(streq(entry->d_name, ".") || streq(entry->d_name, ".."));
}
END_TEST

START_TEST(test_full_disk) {
        _cleanup_free_ char *name = NULL;
        bool written = false;

        append(1, true);
        limit_file_size(1);
        append(10, false);
        append(5, false);
        ck_assert_uint_eq(made.counters.page->lost, 15);
        ck_assert_uint_eq(made.counters.page->samples, 1);

        limit_file_size(RLIM_INFINITY);
        while (!written) { /* it checks at most once a second */
                const struct perf_event_header h = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(h) };
                struct iovec segment = { .iov_base = (void *) &h, .iov_len = sizeof(h) };

                ck_assert_int_eq(output_append(made.output, &segment, 1, &(OutputCounts) {}, &written), 0);
                ck_assert_int_eq(usleep(10000), 0);
        }
        append(1, true);
        name = finish(false);
        ck_assert_uint_eq(made_count(name, PERF_RECORD_SAMPLE), 2);
        ck_assert_uint_eq(made_count(name, PERF_RECORD_LOST_SAMPLES), 1);
}
END_TEST

/* A file can't even be begun: its records are dropped, and the next one works. */
START_TEST(test_no_room_for_a_file) {
        limit_file_size(1);
        append(3, false);
        ck_assert_uint_eq(made.counters.page->lost, 3);
        ck_assert_int_eq(output_finish(made.output, false, NULL), -ENODATA);
        limit_file_size(RLIM_INFINITY);
        ck_assert_int_eq(output_begin(made.output), 0);
        append(1, false); /* still within the second */
        free(finish(false));
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_LOST_SAMPLES), 1);
}
END_TEST

static void reopen(void (*change)(OutputOptions *)) {
        OutputOptions o = {
                .files = &made.files,
                .trailer.sample_type = MADE_SAMPLE_TYPE,
                .preamble = made_preamble,
        };

        change(&o);
        made.output = output_free(made.output);
        ck_assert_int_eq(output_new(&o, &made.output), 0);
}

static void renew(OutputOptions *o) {
        o->files->renewed = true;
}

/* The contents of the open file are moved into a file of the new directory. */
START_TEST(test_vanished_directory) {
        reopen(renew);
        ck_assert_int_eq(output_rescue(made.output), 0);
        append(1, true);
        scratch_remove(made.dir);
        append(1, true);
        ck_assert_int_eq(output_rescue(made.output), 0);
        ck_assert_int_eq(output_rescue(made.output), 0);
        append(1, true);
        free(finish(false));
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 3);

        scratch_remove(made.dir); /* while there is no file */
        append(1, true);
        free(finish(false));
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 1);
}
END_TEST

static void compress(OutputOptions *o) {
        made_describe((FileDescriptionOptions) { .level = 1 });
}

START_TEST(test_compression) {
        OutputFinished x = {};

        reopen(compress);
        for (int i = 0; i < 100; i++)
                append(1, true);
        ck_assert_int_eq(output_finish(made.output, false, &x), 0);
        ck_assert_uint_ge(x.original, 100 * sizeof(MadeSample));
        ck_assert_uint_gt(x.compressed, 0);
        ck_assert_uint_lt(x.compressed, x.original);
        ck_assert_uint_eq(x.samples, 100);
        output_finished_done(&x);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 100);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_FINISHED_INIT), 1);
}
END_TEST

static void preamble_last(OutputOptions *o) {
        o->preamble_last = true;
}

START_TEST(test_preamble_last) {
        reopen(preamble_last);
        append(1, true);
        ck_assert_uint_eq(made.n_preambles, 0);
        free(finish(false));
        ck_assert_uint_eq(made.n_preambles, 1);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_FINISHED_INIT), 1);
}
END_TEST

static void limit(OutputOptions *o) {
        o->max_size = 1024;
}

START_TEST(test_size_limit) {
        unsigned n = 0;

        reopen(limit);
        for (; !output_is_over(made.output); n++)
                append(1, true);
        ck_assert_uint_eq(n, (1024 - 8 + sizeof(MadeSample) - 1) / sizeof(MadeSample));
        free(finish(false));
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), n);
}
END_TEST

static int stream_to(OutputOptions *o) {
        int p[2];

        ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
        output_place_done(&made.files.place);
        made.files.place.shown = strdup("-");
        made.files.place.stream_fd = p[1];
        made.files.place.owns_stream = true;
        return p[0];
}

static int reading_end;

static void stream(OutputOptions *o) {
        reading_end = stream_to(o);
}

START_TEST(test_stream) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;
        unsigned n = 0;

        reopen(stream);
        append(1, true);
        append(1, true);
        ck_assert_ptr_null(finish(true));
        ck_assert_int_eq(output_finish(made.output, true, NULL), -ENODATA);
        made.output = output_free(made.output);
        output_place_done(&made.files.place);
        ck_assert_int_eq(perf_data_reader_new_fd(reading_end, &r), 0);
        while (perf_data_reader_next(r, &cursor, &h) > 0)
                n += h->type == PERF_RECORD_SAMPLE;
        ck_assert_uint_eq(n, 2);
        ck_assert_int_eq(close(reading_end), 0);
}
END_TEST

START_TEST(test_reader_goes) {
        (void) signal(SIGPIPE, SIG_IGN);
        reopen(stream);
        append(1, true);
        ck_assert(!output_is_over(made.output));
        ck_assert_int_eq(close(reading_end), 0);
        append(3, false);
        ck_assert(output_is_over(made.output));
        ck_assert_uint_eq(made.counters.page->lost, 3);
        free(finish(false));
}
END_TEST

CHECK_MAIN_WITH("output", made_setup, made_teardown, test_one_file, test_old_file_is_kept, test_timestamps, test_unfinished_file_goes,
                test_full_disk, test_no_room_for_a_file, test_vanished_directory, test_compression, test_preamble_last, test_size_limit,
                test_stream, test_reader_goes, test_left_out);
