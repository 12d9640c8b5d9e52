/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reader gets the records that were put in, for any cuts: every record by itself must grow, as perf requires. */

#include "compress.h"
#include "decompress.h"
#include "perfdata-test.h"

typedef struct Stream {
        ByteBuffer in, out;
        Compressor *compressor;
} Stream;

static void put(Stream *s, const void *data, size_t size, bool written) {
        size_t a = size / 3 / 8 * 8;
        const struct iovec segments[] = { { (void *) data, a }, {}, { (uint8_t *) data + a, size - a } };
        struct iovec records;

        ck_assert_ok(compressor_put(s->compressor, segments, ELEMENTSOF(segments), &records));
        compressor_settle(s->compressor, written);
        if (!written)
                return;
        byte_buffer_put(&s->in, data, size);
        byte_buffer_put(&s->out, records.iov_base, records.iov_len);
}

/* Puts records of 8 bytes or more, with bytes from a generator. */
static void put_records(RecordBuffer *b, size_t n, size_t size, bool noise) {
        static uint32_t state = 1;

        for (size_t i = 0; i < n; i++) {
                struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .size = (uint16_t) size };

                byte_buffer_put(b, &h, sizeof(h));
                for (size_t k = sizeof(h); k < size; k += 4) {
                        state = state * 1664525 + 1013904223;
                        byte_buffer_put_u32(b, noise ? state : 7);
                }
        }
}

/* Walks the compressed records one by one. */
static void check(const Stream *s) {
        _cleanup_(decompressor_freep) Decompressor *d = NULL;
        const struct perf_event_header *record;
        size_t compared = 0;

        ck_assert_ok(decompressor_new(&d));
        for (size_t at = 0; at < s->out.size;) {
                struct perf_event_header h;
                size_t grown = 0;
                int r;

                memcpy(&h, s->out.data + at, sizeof(h));
                ck_assert_uint_eq(h.type, PERF_RECORD_COMPRESSED);
                ck_assert_uint_le(h.size, s->out.size - at);
                decompressor_put(d, s->out.data + at + sizeof(h), h.size - sizeof(h));
                while ((r = decompressor_next(d, &record)) == 1) {
                        ck_assert_int_eq(memcmp(record, s->in.data + compared, record->size), 0);
                        compared += record->size;
                        grown += record->size;
                }
                ck_assert_int_eq(r, 0);
                ck_assert_uint_le(grown, COMPRESS_READ_SIZE);
                at += h.size;
        }
        ck_assert_uint_eq(compared, s->in.size);
}

static void done(Stream *s) {
        compressor_free(s->compressor);
        byte_buffer_done(&s->in);
        byte_buffer_done(&s->out);
}

static void round_trip(int level, size_t n, size_t size, bool noise, unsigned puts) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(done) Stream s = {};
        uint64_t in, out;

        ck_assert_ok(compressor_new(level, &s.compressor));
        put_records(&b, n, size, noise);
        for (unsigned i = 0; i < puts; i++)
                put(&s, b.data, b.size, true);
        check(&s);
        compressor_sizes(s.compressor, &in, &out);
        ck_assert_uint_eq(in, s.in.size);
        ck_assert_uint_eq(out, s.out.size);
        ck_assert(noise || puts < 2 || out * 10 < in);
}

START_TEST(what_goes_in_comes_out) {
        round_trip(1, 1000, 40, false, 20);
        round_trip(1, 1, 8, false, 1);
        round_trip(3, 3, 65528, false, 4);
        round_trip(1, 30, 65528, true, 2); /* not a byte smaller */
        round_trip(22, 5000, 64, true, 2);
        round_trip(1, 8, 63 * 1024, true, 2);
}
END_TEST

/* Compressible and incompressible records alternate, within one call and over several. */
START_TEST(mixed) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(done) Stream s = {};

        ck_assert_ok(compressor_new(1, &s.compressor));
        for (unsigned i = 0; i < 6; i++)
                put_records(&b, 10, 65528, i % 2 == 1);
        for (unsigned i = 0; i < 3; i++)
                put(&s, b.data, b.size, true);
        put(&s, b.data, b.size, false);
        put(&s, b.data, b.size, true);
        check(&s);
}
END_TEST

START_TEST(levels) {
        Compressor *c = NULL;

        ck_assert_int_eq(compressor_new(0, &c), -EINVAL);
        ck_assert_int_eq(compressor_new(23, &c), -EINVAL);
        ck_assert_ok(compressor_new(COMPRESS_LEVEL_DEFAULT, &c));
        compressor_free(c);
}
END_TEST

/* The rest is readable even if a compressed part was never written. */
START_TEST(some_is_not_written) {
        _cleanup_(record_buffer_done) RecordBuffer a = {}, b = {};
        _cleanup_(done) Stream s = {};
        struct iovec nothing;

        ck_assert_ok(compressor_new(1, &s.compressor));
        put_records(&a, 3000, 48, true);
        put_records(&b, 3000, 48, true);
        put(&s, a.data, a.size, false); /* before any other */
        put(&s, a.data, a.size, true);
        put(&s, b.data, b.size, false);
        put(&s, b.data, b.size, false);
        put(&s, b.data, b.size, true);
        put(&s, a.data, a.size, true);
        ck_assert_ok(compressor_put(s.compressor, NULL, 0, &nothing));
        ck_assert_uint_eq(nothing.iov_len, 0);
        compressor_settle(s.compressor, false); /* nothing was lost */
        put(&s, a.data, a.size, true);
        check(&s);
}
END_TEST

START_TEST(broken_streams) {
        _cleanup_(decompressor_freep) Decompressor *d = NULL;
        const struct perf_event_header *record;
        static const uint8_t junk[32] = { 1, 2, 3 };

        ck_assert_ok(decompressor_new(&d));
        decompressor_put(d, junk, sizeof(junk));
        ck_assert_int_eq(decompressor_next(d, &record), -EBADMSG);
        decompressor_reset(d);
        decompressor_put(d, junk, 0);
        ck_assert_int_eq(decompressor_next(d, &record), 0);
}
END_TEST

/* The same small piece repeats, each time with 16 MiB of records. */
START_TEST(pieces_that_explode) {
        enum { SIZE = 16 << 20 };
        _cleanup_(block_compressor_freep) BlockCompressor *c = NULL;
        _cleanup_(decompressor_freep) Decompressor *d = NULL;
        _cleanup_free_ struct perf_event_header *records = calloc(SIZE / sizeof(*records), sizeof(*records));
        _cleanup_free_ uint8_t *packed = malloc(SIZE);
        const struct perf_event_header *record;
        size_t size = 0, n = 0;
        int r = 0;

        for (size_t i = 0; i < SIZE / sizeof(*records); i++)
                records[i] = (struct perf_event_header) { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(*records) };
        ck_assert_ok(block_compressor_new(&c));
        ck_assert_ok(block_compress(c, 3, records, SIZE, packed, SIZE, &size));
        ck_assert_uint_lt(size, SIZE / DECOMPRESSOR_RATIO_MAX / 2);
        ck_assert_ok(decompressor_new(&d));
        for (size_t i = 0; r >= 0 && i < 64; i++) {
                decompressor_put(d, packed, size);
                while ((r = decompressor_next(d, &record)) == 1)
                        n++;
        }
        ck_assert_int_eq(r, -EBADMSG);
        ck_assert_uint_ge(n * sizeof(*records), DECOMPRESSOR_FREE - SIZE);
        ck_assert_uint_lt(n * sizeof(*records), 2 * DECOMPRESSOR_FREE);
        decompressor_reset(d);
        decompressor_put(d, packed, size);
        ck_assert_int_eq(decompressor_next(d, &record), 1);
}
END_TEST

START_TEST(blocks) {
        _cleanup_(block_compressor_freep) BlockCompressor *c = NULL;
        static uint8_t data[300000], packed[400000], back[300000];
        size_t size = 0;

        ck_assert_ok(block_compressor_new(&c));
        for (size_t i = 0; i < sizeof(data); i++)
                data[i] = (uint8_t) (i * i % 251);
        for (int level = 1; level <= COMPRESS_LEVEL_MAX; level += 7) {
                ck_assert_ok(block_compress(c, level, data, sizeof(data), packed, sizeof(packed), &size));
                ck_assert_uint_lt(size, sizeof(data) / 10);
                memset(back, 0, sizeof(back));
                ck_assert_ok(block_decompress(packed, size, back, sizeof(back)));
                ck_assert_int_eq(memcmp(data, back, sizeof(data)), 0);
        }
        ck_assert_int_eq(block_compress(c, 0, data, sizeof(data), packed, sizeof(packed), &size), -EINVAL);
        ck_assert_int_eq(block_compress(c, 3, data, sizeof(data), packed, 100, &size), -E2BIG);
        ck_assert_ok(block_compress(c, 3, data, sizeof(data), packed, sizeof(packed), &size));
        ck_assert_int_eq(block_decompress(packed, size, back, sizeof(back) - 1), -EBADMSG);
        ck_assert_int_eq(block_decompress(packed, size - 1, back, sizeof(back)), -EBADMSG);
        packed[size / 2] ^= 1;
        ck_assert_int_eq(block_decompress(packed, size, back, sizeof(back)), -EBADMSG);
}
END_TEST

TEST_RUN("compress", what_goes_in_comes_out, mixed, levels, some_is_not_written, broken_streams, pieces_that_explode,
         blocks);
