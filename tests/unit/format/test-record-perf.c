/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bytes here were compared with those of perf 6.1 (perf script -D). */

#include "perfdata-test.h"

static void assert_bytes(RecordBuffer *b, const uint8_t *expected, size_t n) {
        ck_assert_uint_eq(b->size, n);
        ck_assert_mem_eq(b->data, expected, n);
        record_buffer_reset(b);
}

#define ASSERT_BYTES(b, ...) assert_bytes(b, (const uint8_t[]) { __VA_ARGS__ }, sizeof((const uint8_t[]) { __VA_ARGS__ }))

START_TEST(cpu_maps) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 0, 1 }, 2));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 2, 0, 0, 0, 0, 0, 1, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 3 }, 1));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 2, 0, 0, 0, 3, 0, 3, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 0, 2, 5 }, 3));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 24, 0, 0, 0, 3, 0, 0, 0, 2, 0, 5, 0, 0, 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_cpu_map(&b, NULL, 0));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff, 0, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { -1 }, 1));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff, 0, 0);
}
END_TEST

START_TEST(thread_map) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordThread long_name = { .tid = 5, .comm = "0123456789abcdefghi" };

        ck_assert_ok(record_put_thread_map(&b, &(RecordThread) { .tid = -1 }, 1));
        ASSERT_BYTES(&b, 73, 0, 0, 0, 0, 0, 40, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0,
                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_thread_map(&b, &long_name, 1));
        ck_assert_str_eq((const char *) b.data + 24, "0123456789abcde");
}
END_TEST

START_TEST(event_updates) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_event_unit(&b, 124, "msec"));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 124, 0, 0, 0, 0, 0, 0, 0, 'm', 's', 'e', 'c', 0, 0, 0, 0);
        ck_assert_ok(record_put_event_scale(&b, 124, 1e-6));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0, 124, 0, 0, 0, 0, 0, 0, 0, 0x8d, 0xed, 0xb5, 0xa0, 0xf7,
                     0xc6, 0xb0, 0x3e);
        ck_assert_ok(record_put_event_name(&b, 1, "abc"));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_event_cpus(&b, 1, (int[]) { 4, 5 }, 2));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 5, 0);
}
END_TEST

START_TEST(id_index_is_split) {
        enum { N = 5000 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ RecordIdIndexEntry *entries = calloc(N, sizeof(*entries));
        const struct perf_event_header *r;
        size_t cursor = 0, n = 0;

        ck_assert_ptr_nonnull(entries);
        for (size_t i = 0; i < N; i++)
                entries[i] = (RecordIdIndexEntry) { .id = i, .index = i % 8, .cpu = (int64_t) i % 8, .tid = -1 };
        ck_assert_ok(record_put_id_index(&b, entries, N));
        while (record_next(b.data, b.size, &cursor, &r) == 1) {
                const uint64_t *w = (const uint64_t *) r;

                ck_assert_uint_eq(r->type, PERF_RECORD_ID_INDEX);
                ck_assert_uint_eq(r->size, 16 + w[1] * 32);
                ck_assert_uint_eq(w[2], n);
                ck_assert_uint_eq(w[5], UINT64_MAX);
                n += w[1];
        }
        ck_assert_uint_eq(n, N);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_id_index(&b, entries, 0));
        ck_assert_uint_eq(b.size, 0);
}
END_TEST

START_TEST(rounds_and_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordTimeConversion c = { .shift = 1, .mult = 2, .zero = 3, .cycles = 4, .mask = 5, .cap_user_time_zero = true };

        ck_assert_ok(record_put_finished_round(&b));
        ASSERT_BYTES(&b, 68, 0, 0, 0, 0, 0, 8, 0);
        ck_assert_ok(record_put_finished_init(&b));
        ASSERT_BYTES(&b, 82, 0, 0, 0, 0, 0, 8, 0);
        ck_assert_ok(record_put_time_conversion(&b, &c));
        ck_assert_uint_eq(b.size, 56);
        ck_assert_uint_eq(((uint64_t *) b.data)[5], 5);
        ck_assert_uint_eq(b.data[48], 1);
        ck_assert_uint_eq(b.data[49], 0);
}
END_TEST

TEST_RUN("record-perf", cpu_maps, thread_map, event_updates, id_index_is_split, rounds_and_time);
