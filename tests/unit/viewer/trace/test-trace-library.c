/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample.h"
#include "trace-library.h"

static const char *resolve(void *userdata, uint64_t *address) {
        return NULL;
}

/* Calls for the tracepoints of a recording give the lines of perf script. */
START_TEST(golden) {
        static const char expected[] = "prev_comm=sh prev_pid=27511 prev_prio=120 prev_state=D ==> next_comm=sh next_pid=27513 "
                                       "next_prio=120";
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_trace_library_free_ TraceLibrary *library = NULL;
        const struct perf_event_header *record;
        size_t size, cursor = 0, n = 0;
        const void *data;
        const char *line;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size));
        ck_assert_ok(trace_library_new(data, size, resolve, NULL, &library));
        while (perf_data_reader_next(reader, &cursor, &record) == 1) {
                const PerfDataEvent *e = perf_data_reader_event_of(reader, record);
                PerfSample s;

                if (record->type != PERF_RECORD_SAMPLE || !e || e->attr.type != PERF_TYPE_TRACEPOINT)
                        continue;
                ck_assert_ok(sample_parse(&e->attr, record, &s));
                size = trace_library_print(library, s.cpu, s.raw, s.raw_size, &line);
                ck_assert_uint_eq(size, strlen(line));
                if (n++ == 0)
                        ck_assert_str_eq(line, expected);
        }
        ck_assert_uint_gt(n, 1);
}
END_TEST

START_TEST(broken) {
        _cleanup_trace_library_free_ TraceLibrary *library = NULL;

        ck_assert_int_eq(trace_library_new("", 0, NULL, NULL, &library), -EBADMSG);
        ck_assert_int_eq(trace_library_new("\27\10Dtracing0.6", 13, NULL, NULL, &library), -EBADMSG);
}
END_TEST

TEST_RUN("trace-library", golden, broken);
