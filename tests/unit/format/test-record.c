/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(walks_whole_records) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct perf_event_header *r;
        size_t cursor = 0;

        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_comm(&b, 1, 2, "name", 0, NULL));
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_FINISHED_ROUND);
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_COMM);
        ck_assert_uint_eq(r->size, 24);
        ck_assert_str_eq(record_string(r, 16), "name");
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
}
END_TEST

START_TEST(refuses_what_does_not_fit) {
        struct perf_event_header records[4] = { { .size = 8 }, { .size = 8 } };
        static const uint16_t bad[] = { 0, 4, 7, 9, 12, 32, 0xfff8, 0xffff };
        const struct perf_event_header *r = NULL;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                size_t cursor = 8;

                records[1].size = bad[i];
                ck_assert_int_eq(record_next(records, sizeof(records), &cursor, &r), -EBADMSG);
                ck_assert_uint_eq(cursor, 8);
                ck_assert_ptr_null(r);
        }
        ck_assert_int_eq(record_next(records, 12, &(size_t) { 8 }, &r), -EBADMSG);
}
END_TEST

START_TEST(strings_end_within_the_record) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct perf_event_header *r;

        ck_assert_ok(record_put_comm(&b, 1, 2, "seventy", 0, NULL));
        r = (struct perf_event_header *) b.data;
        ck_assert_str_eq(record_string(r, 16), "seventy");
        ((char *) r)[23] = 'x';
        ck_assert_ptr_null(record_string(r, 16));
        ck_assert_ptr_null(record_string(r, 24));
        ck_assert_ptr_null(record_string(r, 4000));
}
END_TEST

START_TEST(a_failed_record_is_taken_back) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordThread *threads = calloc(5000, sizeof(*threads));

        ck_assert_ptr_nonnull(threads);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_int_eq(record_put_thread_map(&b, threads, 5000), -E2BIG);
        ck_assert_uint_eq(b.size, 8);
        ck_assert_ok(record_put_thread_map(&b, threads, 2));
        ck_assert_uint_eq(b.size, 8 + 16 + 48);
        free(threads);
}
END_TEST

/* The same records in every pair of segments that a ring could have. */
START_TEST(counts_over_segments) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct perf_event_header lost = { .type = PERF_RECORD_LOST, .size = 24 }, lost_samples = {
                .type = PERF_RECORD_LOST_SAMPLES, .size = 16,
        };

        test_put_sample(&b, 11, 0, 1, 2, 3);
        byte_buffer_put(&b, &lost, 8);
        byte_buffer_put_u64(&b, 11);
        byte_buffer_put_u64(&b, 40);
        test_put_sample(&b, 11, 0, 1, 2, 3);
        byte_buffer_put(&b, &lost_samples, 8);
        byte_buffer_put_u64(&b, 2);
        for (size_t cut = 0; cut <= b.size; cut += 8) {
                struct iovec segments[3] = { { b.data, cut }, { NULL, 0 }, { b.data + cut, b.size - cut } };
                RecordCounts counts = { .samples = 100 };

                ck_assert_ok(record_count(segments, 3, &counts));
                ck_assert_uint_eq(counts.samples, 102);
                ck_assert_uint_eq(counts.records, 4);
                ck_assert_uint_eq(counts.lost, 42);
        }
}
END_TEST

START_TEST(counting_refuses_nonsense) {
        uint64_t words[4] = {};
        struct iovec segment = { words, sizeof(words) }, odd = { words, 12 };
        RecordCounts counts = {};

        ck_assert_int_eq(record_count(&segment, 1, &counts), -EBADMSG);
        words[0] = UINT64_C(64) << 48; /* a size of 64 */
        ck_assert_int_eq(record_count(&segment, 1, &counts), -EBADMSG);
        words[0] = UINT64_C(8) << 48;
        ck_assert_int_eq(record_count(&odd, 1, &counts), -EBADMSG);
        ck_assert_ok(record_count(NULL, 0, &counts));
}
END_TEST

START_TEST(trailers) {
        RecordTrailer t = {
                .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                               PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
                .pid = 1, .tid = 2, .time = 3, .id = 4, .stream_id = 5, .cpu = 6,
        };
        static const uint64_t expected[] = { UINT64_C(2) << 32 | 1, 3, 4, 5, 6, 4 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_uint_eq(record_trailer_size(t.sample_type), 48);
        ck_assert_uint_eq(record_trailer_size(PERF_SAMPLE_IP), 0);
        ck_assert_ok(record_put_comm(&b, 1, 2, "x", 0, &t));
        ck_assert_uint_eq(b.size, 24 + 48);
        ck_assert_mem_eq(b.data + 24, expected, sizeof(expected));
}
END_TEST

TEST_RUN("record", walks_whole_records, refuses_what_does_not_fit, strings_end_within_the_record, a_failed_record_is_taken_back,
         counts_over_segments, counting_refuses_nonsense, trailers);
