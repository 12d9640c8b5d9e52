/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record-cursor.h"

static uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];

static void put_records(RecordBuffer *b) {
        static const char long_name[] = "a name that makes the record longer than what is kept of one that is split, if there is no "
                                        "place to put it together: that is 128 bytes, and here are some more";

        ck_assert_ok(record_put_finished_round(b));
        ck_assert_ok(record_put_comm(b, 1, 2, "name", 0, NULL));
        ck_assert_ok(record_put_cgroup(b, 7, long_name, NULL));
        ck_assert_ok(record_put_lost_samples(b, 3, NULL));
}

/* The cursor returns the records of record_next() in one piece. */
static void assert_same(const RecordBuffer *b, const struct iovec *segments, size_t n, void *room) {
        const struct perf_event_header *expected, *seen;
        size_t at = 0;
        RecordCursor c;

        record_cursor_init(&c, segments, n, room);
        while (record_next(b->data, b->size, &at, &expected) > 0) {
                ck_assert_int_eq(record_cursor_next(&c, &seen), 1);
                ck_assert_mem_eq(seen, expected, room ? expected->size : MIN_OF((size_t) expected->size, (size_t) 128));
                ck_assert_uint_eq((uintptr_t) seen % 8, 0);
                ck_assert_uint_eq(record_cursor_left(&c), b->size - at);
        }
        ck_assert_int_eq(record_cursor_next(&c, &seen), 0);
        ck_assert_int_eq(record_cursor_next(&c, &seen), 0);
}

START_TEST(two_segments) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        put_records(&b);
        for (size_t cut = 0; cut <= b.size; cut += 8) {
                struct iovec segments[] = { { b.data, cut }, { NULL, 0 }, { b.data + cut, b.size - cut } };

                assert_same(&b, segments, ELEMENTSOF(segments), scratch);
                assert_same(&b, segments, ELEMENTSOF(segments), NULL);
        }
}
END_TEST

/* Each word is a segment: a record is in many of them. */
START_TEST(many_segments) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct iovec segments[64];
        size_t n = 0;

        put_records(&b);
        for (size_t at = 0; at < b.size; at += 8)
                segments[n++] = (struct iovec) { b.data + at, 8 };
        assert_same(&b, segments, n, scratch);
        assert_same(&b, segments, n, NULL);
}
END_TEST

START_TEST(nothing) {
        const struct perf_event_header *seen;
        RecordCursor c;

        record_cursor_init(&c, NULL, 0, NULL);
        ck_assert_int_eq(record_cursor_next(&c, &seen), 0);
        record_cursor_init(&c, &(struct iovec) {}, 1, NULL);
        ck_assert_int_eq(record_cursor_next(&c, &seen), 0);
        ck_assert_uint_eq(record_cursor_left(&c), 0);
}
END_TEST

/* Records before it are returned, and the cursor stays at the invalid one. */
START_TEST(no_records) {
        static const uint16_t bad[] = { 0, 4, 7, 9, 12, 32, 0xfff8, 0xffff };
        struct perf_event_header records[4] = { { .size = 8 }, { .size = 8 } };
        const struct perf_event_header *seen;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                for (size_t cut = 8; cut <= sizeof(records); cut += 8) {
                        struct iovec segments[] = { { records, cut }, { (uint8_t *) records + cut, sizeof(records) - cut } };
                        RecordCursor c;

                        records[1].size = bad[i];
                        record_cursor_init(&c, segments, 2, scratch);
                        ck_assert_int_eq(record_cursor_next(&c, &seen), 1);
                        ck_assert_int_eq(record_cursor_next(&c, &seen), -EBADMSG);
                        ck_assert_int_eq(record_cursor_next(&c, &seen), -EBADMSG);
                        ck_assert_uint_eq(record_cursor_left(&c), sizeof(records) - 8);
                }
}
END_TEST

TEST_RUN("record-cursor", two_segments, many_segments, nothing, no_records);
