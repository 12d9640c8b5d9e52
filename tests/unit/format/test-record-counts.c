/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record-counts.h"

static void put_lost(RecordBuffer *b, uint64_t lost) {
        const PerfRecordLost r = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(r) }, .id = 11, .lost = lost };

        byte_buffer_put(b, &r, sizeof(r));
}

/* The same records are counted in every pair of segments that a ring could have. */
START_TEST(over_segments) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const BuildId id = { .size = 20 };

        test_put_sample(&b, 11, 0, 1, 2, 3);
        put_lost(&b, 40);
        test_put_sample(&b, 11, 0, 1, 2, 3);
        ck_assert_ok(record_put_lost_samples(&b, 2, NULL));
        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .length = 1, .path = "/bin/sh", .build_id = &id }, NULL));
        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .length = 1, .path = "/bin/sh" }, NULL));
        ck_assert_ok(record_put_ksymbol(&b, 1, 1, 0, 0, "name", NULL));
        for (size_t cut = 0; cut <= b.size; cut += 8) {
                struct iovec segments[3] = { { b.data, cut }, { NULL, 0 }, { b.data + cut, b.size - cut } };
                RecordCounts counts = { .samples = 100 };

                record_counts_add_segments(&counts, segments, 3);
                ck_assert_uint_eq(counts.samples, 102);
                ck_assert_uint_eq(counts.records, 7);
                ck_assert_uint_eq(counts.lost, 42);
                ck_assert_uint_eq(counts.lost_samples, 2);
                ck_assert_uint_eq(counts.build_ids, 1);
                ck_assert_uint_eq(counts.symbols, 1);
        }
}
END_TEST

START_TEST(nonsense_ends_it) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordCounts counts = {};
        struct iovec segment;

        put_lost(&b, 40);
        ((struct perf_event_header *) b.data)->size = 16; /* too short for its count */
        segment = (struct iovec) { b.data, b.size };
        record_counts_add_segments(&counts, &segment, 1);
        ck_assert_uint_eq(counts.records, 1);
        ck_assert_uint_eq(counts.lost, 0);
        record_counts_add_segments(&counts, NULL, 0);
        ck_assert_uint_eq(counts.records, 1);
}
END_TEST

START_TEST(sums) {
        const RecordCounts other = { .records = 1, .samples = 2, .lost = 3, .throttled = 4, .build_ids = 5, .symbols = 6,
                                      .lost_samples = 7 };
        RecordCounts counts = other;

        record_counts_merge(&counts, &other);
        ck_assert(counts.records == 2 && counts.samples == 4 && counts.lost == 6 && counts.throttled == 8);
        ck_assert(counts.build_ids == 10 && counts.symbols == 12 && counts.lost_samples == 14);
}
END_TEST

TEST_RUN("record-counts", over_segments, nonsense_ends_it, sums);
