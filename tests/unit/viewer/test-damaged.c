/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings that cannot be read as a whole, in all verbs: what can be read is shown, the reason is said, and the exit status is 1. */

#include <inttypes.h>

#include "array.h"
#include "format-text.h"
#include "made-samples.h"

/* Each has its input at the end. */
static const char *const verbs[] = {
        "report -i", "report -s comm -i", "report --stats -i", "report --tasks -i", "report -D -i", "script -i", "script -D -i",
        "annotate -i", "annotate -D -i", "info -i", "flamegraph -o - -i", "heatmap -o - -i", "export -o - --format speedscope -i",
        "export -o - --format pprof -i",
};

static void put_header(RecordBuffer *b, uint32_t type, uint16_t size) {
        const struct perf_event_header h = { .type = type, .size = size };
        static const uint8_t zeros[64];

        byte_buffer_put(b, &h, sizeof(h));
        byte_buffer_put(b, zeros, size - sizeof(h));
}

/* Shows it with a verb, from a pipe if that is wanted. Returns what is said on standard error, then the status. */
static char *said(const char *verb, const char *path, bool piped) {
        char *text = piped ? test_command("cat %s | " VIEWER " %s - --input-name=dump 2>&1 >%s.out; echo status $?", path, verb, path) :
                             test_command(VIEWER " %s %s --input-name=dump 2>&1 >%s.out; echo status $?", verb, path, path);

        ck_assert_ptr_nonnull(text);
        return text;
}

/* It is shown with those verbs. message: a part of it; NULL: a recording that is whole. Other remarks, on symbols that are not here, are
 * no matter. */
static void expect_said_by(size_t n_verbs, const char *path, bool piped, const char *message) {
        for (size_t i = 0; i < n_verbs; i++) {
                _cleanup_free_ char *text = said(verbs[i], path, piped);

                ck_assert_msg(strstr(text, message ? "status 1\n" : "status 0\n"), "%s: %s", verbs[i], text);
                ck_assert_msg(message ? strstr(text, message) != NULL : !strstr(text, "records") && !strstr(text, "part"), "%s: %s",
                              verbs[i], text);
        }
}

static void expect_said(const char *path, bool piped, const char *message) {
        expect_said_by(ELEMENTSOF(verbs), path, piped, message);
}

static char *samples_of(const char *path) {
        char *text = test_command(VIEWER " script -F comm,ip,time -i %s 2>/dev/null", path);

        if (!text)
                text = test_command(VIEWER " script -F comm,ip,time -i %s 2>/dev/null; true", path);
        ck_assert(text && *text);
        return text;
}

START_TEST(compressed2) {
        _cleanup_(record_buffer_done) RecordBuffer plain = {}, compressed = {};
        _cleanup_free_ char *plain_path = test_path("plain.data"), *path = test_path("compressed2.data");
        _cleanup_free_ char *expected = NULL, *samples = NULL, *stats = NULL;

        test_put_recording(&plain, "/bin/demo");
        test_put_compressed2(&compressed, &plain);
        perf_data_reader_free(test_recording(plain_path, &plain, NULL, 0));
        perf_data_reader_free(test_recording(path, &compressed, NULL, 0));
        expect_said(path, false, NULL);
        expected = samples_of(plain_path);
        samples = samples_of(path);
        ck_assert_str_eq(samples, expected);
        stats = test_command(VIEWER " report --stats -i %s", path);
        ck_assert_ptr_nonnull(strstr(stats, "COMPRESSED2 events:          1 "));
}
END_TEST

/* They have only zeros behind the header, and the compressed one nothing. */
START_TEST(known_types) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("known.data");

        test_put_recording(&b, "/bin/demo");
        for (uint32_t type = 1; type <= 84; type++)
                if ((type <= 22 && type != PERF_RECORD_SAMPLE) || type >= PERF_RECORD_USER_TYPE_START)
                        put_header(&b, type, type == PERF_RECORD_COMPRESSED ? 8 : 64);
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        expect_said(path, false, NULL);
}
END_TEST

START_TEST(unknown_types) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("unknown.data"), *text = NULL;

        put_header(&b, 85, 16);
        test_put_recording(&b, "/bin/demo");
        put_header(&b, 40, 16);
        put_header(&b, 85, 16);
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        expect_said(path, true, "dump: 2 records of type 85 not understood\ndump: 1 records of type 40 not understood\nstatus 1\n");
        text = samples_of(path);
        ck_assert_ptr_nonnull(strstr(text, "demo "));
}
END_TEST

/* A process and three samples of test_put_recording(), in a file whose writer did not finish it. Returns the bytes. */
static char *unfinished(const char *path, size_t *ret_size) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_free_ char *copied = NULL;
        size_t n;
        const PerfDataEvent *events = test_events(&n);

        test_put_recording(&b, "/bin/demo");
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        copied = test_command("cp /proc/%d/fd/%d %s", (int) getpid(), perf_data_writer_fd(w), path);
        ck_assert_ptr_nonnull(copied);
        return test_read_file(path, ret_size);
}

static void expect_samples(const char *path, const char *expected) {
        _cleanup_free_ char *samples = samples_of(path);

        ck_assert_str_eq(samples, expected);
}

/* The file of a recorder that was killed, as perf-recorder and as perf leave it. */
START_TEST(killed) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *whole = test_path("whole.data"), *path = test_path("killed.data"), *data = NULL, *samples = NULL;
        const uint64_t features[PERF_FEATURE_WORDS] = { 0x3ffe };
        size_t size;

        test_put_recording(&b, "/bin/demo");
        perf_data_reader_free(test_recording(whole, &b, NULL, 0));
        samples = samples_of(whole);
        data = unfinished(path, &size);
        expect_said(path, false, "dump was not finished (the size of its data is 0): only a part of it could be read\nstatus 1\n");
        expect_samples(path, samples);
        memcpy(data + offsetof(PerfFileHeader, features), features, sizeof(features));
        test_write_file(path, data, size);
        expect_said_by(1, path, true, "dump was not finished (the size of its data is 0): only a part of it could be read\nstatus 1\n");
        expect_samples(path, samples);
        test_write_file(path, data, size - 8); /* its last record is not whole */
        expect_said_by(1, path, true, "dump was not finished (the size of its data is 0): only a part of it could be read\nstatus 1\n");
        test_write_file(path, data, ((const PerfFileHeader *) data)->data.offset); /* it has no records yet */
        expect_said_by(1, path, true, "dump was not finished (the size of its data is 0): only a part of it could be read\nstatus 1\n");
}
END_TEST

START_TEST(cut) {
        _cleanup_free_ char *golden = test_golden("perf-6.1-plain.data"), *path = test_path("cut.data");
        _cleanup_free_ char *data = NULL, *whole = samples_of(golden), *part = NULL;
        size_t size;

        data = test_read_file(golden, &size);
        test_write_file(path, data, 4000);
        expect_said(path, true, "dump is cut at byte 4000, within its data: only a part of it could be read\nstatus 1\n");
        part = samples_of(path);
        ck_assert(strlen(part) > strlen(whole) / 3 && strlen(part) < strlen(whole) && startswith(whole, part));
        test_write_file(path, data, size - 1);
        expect_said_by(1, path, true, "dump is cut at byte 15935, within what follows its data: only a part of it could be read\nstatus 1\n");
        expect_samples(path, whole);
        for (size_t n = 10; n < 264; n += 120) {
                test_write_file(path, data, n);
                expect_said_by(1, path, false, "Failed to read dump: it is cut before its data\nstatus 1\n");
        }
}
END_TEST

/* A record that lacks its fields, and what follows is no record, or looks like a few of them: the first one is to blame. */
START_TEST(broken) {
        _cleanup_free_ char *golden = test_golden("perf-6.1-plain.data"), *path = test_path("broken.data"), *data = NULL;
        const struct perf_event_header *record = NULL;
        uint64_t at;
        size_t size;

        data = test_read_file(golden, &size);
        at = ((const PerfFileHeader *) data)->data.offset;
        while (!record || record->type != PERF_RECORD_MMAP2) {
                at += record ? record->size : 0;
                record = (const void *) (data + at);
        }
        ((struct perf_event_header *) (data + at))->size = 16;
        test_write_file(path, data, size);
        {
                _cleanup_free_ char *expected = format_text("dump is broken at offset %#" PRIx64 ": MMAP2 (10) of 16 bytes lacks a part of "
                                                            "its fields: only a part of it could be read\nstatus 1\n", at);
                expect_said(path, false, expected);
                *(struct perf_event_header *) (data + at + 16) = (struct perf_event_header) { .type = PERF_RECORD_SWITCH, .size = 16 };
                *(struct perf_event_header *) (data + at + 32) = (struct perf_event_header) { .type = PERF_RECORD_SWITCH };
                test_write_file(path, data, size);
                expect_said(path, false, expected);
        }
        ((struct perf_event_header *) (data + at))->size = 17;
        test_write_file(path, data, size);
        {
                _cleanup_free_ char *expected = format_text("dump is broken at offset %#" PRIx64 ": MMAP2 (10) of 17 bytes is no record: "
                                                            "only a part of it could be read\nstatus 1\n", at);
                expect_said(path, false, expected);
        }
}
END_TEST

START_TEST(trace_data) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("trace.data"), *text = NULL;
        const PerfRecordAuxtraceInfo info = { .header = { .type = PERF_RECORD_AUXTRACE_INFO, .size = sizeof(info) }, .kind = 1 };

        byte_buffer_put(&b, &info, sizeof(info));
        test_put_recording(&b, "/bin/demo");
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = said("report -i", path, false);
        ck_assert_msg(strstr(text, "dump has Intel PT data, which is not decoded: 'perf script --itrace' reads it\n") &&
                      strstr(text, "status 0\n"), "%s", text);
}
END_TEST

START_TEST(cut_stream) {
        _cleanup_free_ char *golden = test_golden("perf-6.1-pipe.data"), *path = test_path("stream.data");
        _cleanup_free_ char *data = NULL;
        size_t size;

        data = test_read_file(golden, &size);
        test_write_file(path, data, size - 5);
        expect_said(path, true, "dump is cut or broken at byte ");
        test_write_file(path, data, size / 2);
        expect_said_by(1, path, true, "dump is cut or broken at byte ");
}
END_TEST

TEST_RUN("damaged", killed, cut, broken, trace_data, cut_stream, compressed2, known_types, unknown_types);
