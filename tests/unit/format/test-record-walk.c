/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records in memory, compressed or not, at odd addresses, with payloads, truncated. */

#include "compress.h"
#include "perfdata-test.h"
#include "record-walk.h"

/* Makes a feature of odd length, tracing data, and the recording, half of it again in a compressed record, the other
 * half plain. */
static void make(RecordBuffer *b) {
        _cleanup_(record_buffer_done) RecordBuffer plain = {};
        _cleanup_(compressor_freep) Compressor *c = NULL;
        struct iovec segment, compressed;

        ck_assert_ok(record_put_feature(b, PERF_FEATURE_VERSION, "abc", 3));
        ck_assert_ok(record_put_tracing_data(b, "0123456789", 10));
        test_put_recording(&plain, "/bin/demo");
        byte_buffer_put(b, plain.data, plain.size);
        ck_assert_ok(compressor_new(1, &c));
        segment = record_buffer_iovec(&plain);
        ck_assert_ok(compressor_put(c, &segment, 1, &compressed));
        byte_buffer_put(b, compressed.iov_base, compressed.iov_len);
        ck_assert_ok(record_put_comm(b, 1, 1, "last", 0, NULL));
}

static size_t walk(RecordWalk *w, int *ret) {
        const struct perf_event_header *record;
        size_t n = 0;

        while ((*ret = record_walk_next(w, &record)) == 1) {
                ck_assert_uint_eq((uintptr_t) record % 8, 0);
                ck_assert_uint_ne(record->type, PERF_RECORD_COMPRESSED);
                n++;
        }
        return n;
}

START_TEST(all_of_them) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(record_walk_freep) RecordWalk *w = NULL;
        int r;

        make(&b);
        ck_assert_ok(record_walk_new(b.data, b.size, &w));
        ck_assert_uint_eq(walk(w, &r), 2 + 11 + 11 + 1);
        ck_assert_int_eq(r, 0);
        ck_assert_uint_eq(record_walk_position(w), b.size);
        record_walk_rewind(w);
        ck_assert_uint_eq(walk(w, &r), 25);
}
END_TEST

START_TEST(spans) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct perf_event_header aux = { .type = PERF_RECORD_AUXTRACE, .size = 16 };
        uint8_t record[16 + 100] = {};

        ck_assert_ok(record_put_tracing_data(&b, "0123456789", 10));
        ck_assert_uint_eq(record_walk_span(b.data, b.size), 12 + 16);
        ck_assert_uint_eq(record_walk_span(b.data, b.size - 1), 0);
        ck_assert_uint_eq(record_walk_span(b.data, 4), 0);
        memcpy(record, &aux, sizeof(aux));
        record[8] = 100;
        ck_assert_uint_eq(record_walk_span(record, sizeof(record)), 116);
        memset(record + 8, 0xff, 8);
        ck_assert_uint_eq(record_walk_span(record, sizeof(record)), 0);
}
END_TEST

START_TEST(cut_anywhere) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        make(&b);
        for (size_t size = 0; size < b.size; size++) {
                _cleanup_(record_walk_freep) RecordWalk *w = NULL;
                _cleanup_free_ uint8_t *copy = malloc(size + 1);
                int r;

                memcpy(copy, b.data, size);
                ck_assert_ok(record_walk_new(copy, size, &w));
                ck_assert_uint_lt(walk(w, &r), 25);
                ck_assert(r == 0 || r == -EBADMSG);
        }
}
END_TEST

TEST_RUN("record-walk", all_of_them, spans, cut_anywhere);
