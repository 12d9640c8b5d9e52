/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records in memory, compressed or not, at odd addresses, with payloads, truncated. */

#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Padded ones, between which there are others. */
START_TEST(compressed2) {
        _cleanup_(record_buffer_done) RecordBuffer b = {}, plain = {};
        _cleanup_(record_walk_freep) RecordWalk *w = NULL;
        PerfRecordCompressed2 *first;
        int r;

        test_put_recording(&plain, "/bin/demo");
        test_put_compressed2(&b, &plain);
        ck_assert_ok(record_put_comm(&b, 1, 1, "last", 0, NULL));
        ck_assert_uint_eq(b.size % 8, 0);
        ck_assert_ok(record_walk_new(b.data, b.size, &w));
        ck_assert_uint_eq(walk(w, &r), 11 + 1);
        ck_assert_int_eq(r, 0);
        ck_assert_uint_eq(record_walk_compressed(w, PERF_RECORD_COMPRESSED2), 1);
        ck_assert_uint_eq(record_walk_compressed(w, PERF_RECORD_COMPRESSED), 0);
        first = (PerfRecordCompressed2 *) b.data;
        for (uint64_t size = first->header.size - sizeof(*first) + 1; size != 0; size = size < 1 << 20 ? 1 << 20 : size << 11) {
                first->data_size = size;
                record_walk_rewind(w);
                ck_assert_uint_eq(walk(w, &r), 0);
                ck_assert_int_eq(r, -EBADMSG);
        }
        first->header.size = sizeof(first->header);
        record_walk_rewind(w);
        ck_assert_uint_eq(walk(w, &r), 0);
        ck_assert_int_eq(r, -EBADMSG);
}
END_TEST

/* All types of Linux 6.19 and its perf are known: those of the kernel up to CALLCHAIN_DEFERRED, and perf's up to BPF_METADATA.
 * Compressed records are never returned, and an attribute may be anywhere. */
START_TEST(types) {
        for (uint32_t type = 0; type <= 300; type++) {
                const bool known = (type >= 1 && type <= 22) || (type >= 64 && type <= 84);
                const uint64_t record[] = { type | UINT64_C(24) << 48, 0, 0 };
                _cleanup_(record_walk_freep) RecordWalk *w = NULL;
                const UnknownRecords *unknown;
                int r;

                ck_assert_ok(record_walk_new(record, sizeof(record), &w));
                ck_assert_uint_eq(walk(w, &r), type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2 ? 0 : 1);
                unknown = record_walk_unknown(w);
                ck_assert_msg(unknown->n_types == !known, "%" PRIu32, type);
                if (!known)
                        ck_assert(unknown->of[0].type == type && unknown->of[0].n == 1);
                ck_assert_uint_eq(unknown->others, 0);
        }
}
END_TEST

/* Also those within compressed records, in each walk anew. */
START_TEST(unknown_types) {
        _cleanup_(record_buffer_done) RecordBuffer b = {}, plain = {};
        _cleanup_(record_walk_freep) RecordWalk *w = NULL;
        const UnknownRecords *unknown;
        int r;

        for (uint64_t i = 0; i < 12; i++) {
                byte_buffer_put_u64(&b, (85 + i) | UINT64_C(8) << 48);
                byte_buffer_put_u64(&plain, 40 | UINT64_C(8) << 48);
        }
        test_put_compressed2(&b, &plain);
        byte_buffer_put_u64(&b, 86 | UINT64_C(8) << 48);
        ck_assert_ok(record_walk_new(b.data, b.size, &w));
        for (size_t i = 0; i < 3; i++) {
                record_walk_rewind(w);
                ck_assert_uint_eq(walk(w, &r), 12 + 12 + 1);
                unknown = record_walk_unknown(w);
                ck_assert_uint_eq(unknown->n_types, UNKNOWN_RECORDS_TYPES);
                ck_assert(unknown->of[0].type == 85 && unknown->of[0].n == 1);
                ck_assert(unknown->of[1].type == 86 && unknown->of[1].n == 2);
                ck_assert_uint_eq(unknown->others, 4 + 12);
        }
}
END_TEST

static void put_bytes(int fd, const RecordBuffer *b) {
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, b->data, b->size, 0), (ssize_t) b->size);
}

/* Walks both at once, n times. */
static void expect_same(const RecordBuffer *b, int fd, size_t times) {
        _cleanup_(record_walk_freep) RecordWalk *memory = NULL, *file = NULL;

        ck_assert_ok(record_walk_new(b->data, b->size, &memory));
        ck_assert_ok(record_walk_new_fd(fd, 0, b->size, &file));
        for (size_t i = 0; i < times; i++) {
                const struct perf_event_header *expected, *record;
                int r, q;

                record_walk_rewind(memory);
                record_walk_rewind(file);
                while ((r = record_walk_next(memory, &expected)) == 1) {
                        ck_assert_int_eq(record_walk_next(file, &record), 1);
                        ck_assert_uint_eq((uintptr_t) record % 8, 0);
                        ck_assert_uint_eq(record->size, expected->size);
                        ck_assert_mem_eq(record, expected, record->size);
                }
                q = record_walk_next(file, &record);
                ck_assert_int_eq(q, r);
                ck_assert_int_eq(r, 0);
                ck_assert_uint_eq(record_walk_position(file), b->size);
        }
}

/* Comm records with names of any length, up to so many bytes. */
static void put_comms(RecordBuffer *b, size_t size) {
        char name[16] = "abcdefghijklmno";

        for (uint32_t i = 0; b->size < size; i++) {
                struct perf_event_header large = { .type = PERF_RECORD_SAMPLE, .size = 60000 };

                ck_assert_ok(record_put_comm(b, i, i, name + i % 15, 0, NULL));
                if (i % 50 == 0) {
                        byte_buffer_put(b, &large, sizeof(large));
                        for (size_t k = sizeof(large); k < large.size; k += sizeof(k))
                                byte_buffer_put(b, &k, sizeof(k));
                }
        }
}

/* Blocks of a file end anywhere in its records. */
START_TEST(by_blocks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_close_ int fd = memfd_create("records", MFD_CLOEXEC);
        _cleanup_free_ uint8_t *payload = calloc(1, 6 << 20);

        put_comms(&b, 9 << 20);
        put_bytes(fd, &b);
        expect_same(&b, fd, 3);
        ck_assert_ok(record_put_feature(&b, PERF_FEATURE_VERSION, "abc", 3)); /* what follows has odd addresses */
        put_comms(&b, 15 << 20);
        put_bytes(fd, &b);
        expect_same(&b, fd, 2);
        ck_assert_ok(record_put_tracing_data(&b, payload, 6 << 20)); /* longer than a block */
        put_comms(&b, 28 << 20);
        put_bytes(fd, &b);
        expect_same(&b, fd, 2);
}
END_TEST

/* The file is shorter than it was when it was opened. */
START_TEST(shrunk_file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_close_ int fd = memfd_create("records", MFD_CLOEXEC);

        put_comms(&b, 9 << 20);
        put_bytes(fd, &b);
        for (size_t size = 0; size < b.size; size += 1234567) {
                _cleanup_(record_walk_freep) RecordWalk *w = NULL;
                const struct perf_event_header *record;
                int r;

                ck_assert_ok(record_walk_new_fd(fd, 0, b.size, &w));
                ck_assert_int_eq(ftruncate(fd, (off_t) (b.size - size)), 0);
                while ((r = record_walk_next(w, &record)) == 1)
                        ck_assert_uint_le(record_walk_position(w), b.size - size);
                ck_assert_int_eq(r, size > 0 ? -EBADMSG : 0);
                ck_assert_int_eq(record_walk_next(w, &record), r);
        }
}
END_TEST

/* A walk may be given up anywhere. */
START_TEST(given_up) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_close_ int fd = memfd_create("records", MFD_CLOEXEC);

        put_comms(&b, 9 << 20);
        put_bytes(fd, &b);
        for (size_t i = 0; i < 50; i++) {
                _cleanup_(record_walk_freep) RecordWalk *w = NULL;
                const struct perf_event_header *record;

                ck_assert_ok(record_walk_new_fd(fd, 0, b.size, &w));
                for (size_t k = 0; k < i * i; k++)
                        ck_assert_int_eq(record_walk_next(w, &record), 1);
        }
}
END_TEST

TEST_RUN("record-walk", all_of_them, compressed2, types, unknown_types, spans, cut_anywhere, by_blocks, shrunk_file, given_up);
