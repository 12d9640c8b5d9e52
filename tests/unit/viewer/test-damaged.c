/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings that cannot be read as a whole, in all verbs: what can be read is shown, the reason is said, and the exit status is 1. */

#include "array.h"
#include "made-samples.h"

/* Each has its input at the end. */
static const char *const verbs[] = {
        "report -i", "report -s comm -i", "report --stats -i", "report --tasks -i", "report -D -i", "script -i", "script -D -i",
        "annotate -i", "annotate -D -i", "info -i", "flamegraph -o - -i", "export -o - --format speedscope -i",
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

/* message: a part of it; NULL: a recording that is whole. Other remarks, on symbols that are not here, are no matter. */
static void expect_said(const char *path, const char *message) {
        for (size_t i = 0; i < 2 * ELEMENTSOF(verbs); i++) {
                _cleanup_free_ char *text = said(verbs[i / 2], path, i % 2 == 1);

                ck_assert_msg(strstr(text, message ? "status 1\n" : "status 0\n"), "%s: %s", verbs[i / 2], text);
                ck_assert_msg(message ? strstr(text, message) != NULL : !strstr(text, "records") && !strstr(text, "part"), "%s: %s",
                              verbs[i / 2], text);
        }
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
        expect_said(path, NULL);
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
        expect_said(path, NULL);
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
        expect_said(path, "dump: 2 records of type 85 not understood\ndump: 1 records of type 40 not understood\nstatus 1\n");
        text = samples_of(path);
        ck_assert_ptr_nonnull(strstr(text, "demo "));
}
END_TEST

TEST_RUN("damaged", compressed2, known_types, unknown_types);
