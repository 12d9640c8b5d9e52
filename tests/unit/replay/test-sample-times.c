/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample-times.h"

START_TEST(of_the_header) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        uint64_t first, last;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(sample_times_find(reader, &first, &last));
        ck_assert_uint_eq(first / 1000, 3359528330);
        ck_assert_uint_eq(last / 1000, 3359539106);
}
END_TEST

START_TEST(of_the_samples) {
        _cleanup_free_ char *path = test_path("times.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        uint64_t first, last;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/demo", 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 500);
        test_put_sample(&b, 21, PERF_RECORD_MISC_USER, 7, 0x1000, 300);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 400);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(sample_times_find(reader, &first, &last));
        ck_assert_uint_eq(first, 300);
        ck_assert_uint_eq(last, 500);
}
END_TEST

START_TEST(of_nothing) {
        _cleanup_free_ char *path = test_path("nothing.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = test_recording(path, &(RecordBuffer) {}, NULL, 0);
        uint64_t first, last;

        ck_assert_int_eq(sample_times_find(reader, &first, &last), -ENODATA);
}
END_TEST

TEST_RUN("sample-times", of_the_header, of_the_samples, of_nothing);
