/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <time.h>

#include "perfdata-test.h"
#include "sample.h"
#include "trace-process.h"

/* Finds the formats and the raw data of the first tracepoint of a recording, as copies. */
static void read_golden(char **ret_data, size_t *ret_size, char **ret_raw, size_t *ret_raw_size) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        const struct perf_event_header *record;
        size_t cursor = 0;
        const void *data;
        PerfSample s;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, ret_size));
        *ret_data = malloc(*ret_size);
        memcpy(*ret_data, data, *ret_size);
        while (perf_data_reader_next(reader, &cursor, &record) == 1) {
                const PerfDataEvent *e = perf_data_reader_event_of(reader, record);

                if (record->type != PERF_RECORD_SAMPLE || !e || e->attr.type != PERF_TYPE_TRACEPOINT)
                        continue;
                ck_assert_ok(sample_parse(&e->attr, record, &s));
                *ret_raw = malloc(s.raw_size);
                memcpy(*ret_raw, s.raw, s.raw_size);
                *ret_raw_size = s.raw_size;
                return;
        }
        ck_abort_msg("no tracepoint");
}

START_TEST(lines) {
        _cleanup_free_ char *data = NULL, *raw = NULL;
        _cleanup_(trace_process_freep) TraceProcess *p = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t size, raw_size;

        read_golden(&data, &size, &raw, &raw_size);
        memcpy(raw + 8, "a\033b", 4); /* prev_comm */
        ck_assert_ok(trace_process_new(data, size, NULL, NULL, &p));
        for (size_t i = 0; i < 2; i++) {
                out.n = 0;
                ck_assert(trace_process_print(p, 0, raw, raw_size, &out));
                text_buffer_putc(&out, '\0');
                ck_assert(startswith(out.data, "prev_comm=a?b prev_pid=27511 prev_prio=120 "));
        }
}
END_TEST

/* This process goes on, whatever the formats and the data are. */
START_TEST(hostile) {
        _cleanup_free_ char *data = NULL, *raw = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t size, raw_size, n_printed = 0;

        read_golden(&data, &size, &raw, &raw_size);
        srandom(1);
        for (size_t i = 0; i < 60; i++) {
                _cleanup_(trace_process_freep) TraceProcess *p = NULL;
                _cleanup_free_ char *mutated = malloc(size);

                memcpy(mutated, data, size);
                for (size_t k = 0; k < i; k++)
                        mutated[(size_t) random() % size] = (char) random();
                ck_assert_ok(trace_process_new(mutated, size, NULL, NULL, &p));
                for (size_t k = 0; k < 3; k++) {
                        n_printed += trace_process_print(p, 0, raw, raw_size, &out);
                        raw[(size_t) random() % raw_size] = (char) random();
                }
        }
        ck_assert_uint_gt(n_printed, 3);
        for (size_t i = 0; i < out.n; i++)
                ck_assert((unsigned char) out.data[i] >= ' ');
}
END_TEST

START_TEST(no_formats) {
        _cleanup_(trace_process_freep) TraceProcess *p = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};

        ck_assert_ok(trace_process_new("nothing", 7, NULL, NULL, &p));
        for (size_t i = 0; i < 3; i++)
                ck_assert(!trace_process_print(p, 0, "raw data", 8, &out));
        ck_assert_uint_eq(out.n, 0);
}
END_TEST

/* As slow as one that reads the symbols of a large kernel. */
static const char *resolve_slowly(void *userdata, uint64_t *address) {
        clock_t end = clock() + CLOCKS_PER_SEC / 4;

        while (clock() < end)
                ;
        return "a_function";
}

START_TEST(slow_symbols) {
        _cleanup_free_ char *data = NULL, *raw = NULL;
        _cleanup_(trace_process_freep) TraceProcess *p = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t size, raw_size;
        char *format;

        read_golden(&data, &size, &raw, &raw_size);
        format = memmem(data, size, "prev_prio=%d ", strlen("prev_prio=%d "));
        ck_assert_ptr_nonnull(format);
        memcpy(format, "prev_pri=%pS ", strlen("prev_pri=%pS "));
        ck_assert_ok(trace_process_new(data, size, resolve_slowly, NULL, &p));
        ck_assert(trace_process_print(p, 0, raw, raw_size, &out));
        text_buffer_putc(&out, '\0');
        ck_assert_msg(strstr(out.data, " prev_pri=a_function"), "%s", out.data);
}
END_TEST

TEST_RUN("trace-process", lines, hostile, no_formats, slow_symbols);
