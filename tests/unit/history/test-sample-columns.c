/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records come back from their columns to the last bit, and damaged columns are refused. */

#include "perfdata-test.h"
#include "sample-columns.h"

/* Words in front of a call chain: the address, the thread, the time, the CPU. */
static const SamplePlaces places = { .time = 2, .chain = 4 };

typedef struct Chain {
        const uint64_t *words;
        size_t n;
} Chain;

static void put_sample(RecordBuffer *b, uint64_t time, uint64_t thread, Chain chain, size_t behind) {
        const uint64_t front[] = { chain.n > 1 ? chain.words[1] : 7, thread, time, time % 3, chain.n };
        const struct perf_event_header h = {
                .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
                .size = (uint16_t) (sizeof(h) + sizeof(front) + (chain.n + behind) * sizeof(uint64_t)),
        };

        byte_buffer_put(b, &h, sizeof(h));
        byte_buffer_put(b, front, sizeof(front));
        byte_buffer_put(b, chain.words, chain.n * sizeof(uint64_t));
        for (size_t i = 0; i < behind; i++)
                byte_buffer_put_u64(b, time * (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Puts samples of processes that have the same program at other addresses. */
static void put_programs(RecordBuffer *b, unsigned n) {
        unsigned seed = 1;

        for (unsigned i = 0; i < n; i++) {
                uint64_t chain[20] = { PERF_CONTEXT_USER }, base = UINT64_C(0x7f0000000000) + i / 100 * UINT64_C(0x1234567000);
                size_t words = 2 + (size_t) rand_r(&seed) % 18;

                for (size_t k = 1; k < words; k++)
                        chain[k] = base + (words - k) * 0x150 + (uint64_t) rand_r(&seed) % 3 * 16;
                put_sample(b, 1000000 + i * UINT64_C(10101010), i / 50 << 8, (Chain) { chain, words }, i % 7 == 0);
        }
}

static void expect_back(const RecordBuffer *records, size_t *ret_size) {
        _cleanup_(sample_columns_freep) SampleColumns *c = NULL, *other = NULL;
        _cleanup_byte_buffer_ ByteBuffer columns = {};
        _cleanup_free_ void *back = malloc(records->size + 8);

        ck_assert_ok(sample_columns_new(&c));
        ck_assert_ok(sample_columns_new(&other));
        for (unsigned again = 0; again < 2; again++) { /* nothing is left of the block before */
                byte_buffer_reset(&columns);
                ck_assert_ok(sample_columns_pack(c, places, records->data, records->size, &columns));
                memset(back, 0xaa, records->size);
                ck_assert_ok(sample_columns_unpack(again ? c : other, places, columns.data, columns.size, back, records->size));
                ck_assert(memcmp(back, records->data, records->size) == 0);
        }
        ck_assert_int_eq(sample_columns_unpack(c, places, columns.data, columns.size, back, records->size + 8), -EBADMSG);
        ck_assert_int_eq(sample_columns_unpack(c, places, columns.data, columns.size - 1, back, records->size), -EBADMSG);
        *ret_size = columns.size;
}

START_TEST(programs) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        size_t size;

        put_programs(&b, 5000);
        expect_back(&b, &size);
        ck_assert_uint_lt(size * 2, b.size);
}
END_TEST

/* Nothing is known of the words: they may be any. */
START_TEST(any_words) {
        static const uint64_t words[] = {
                PERF_CONTEXT_KERNEL, UINT64_C(0xffffffff81000000), PERF_CONTEXT_USER, 0, 1, UINT64_C(0x7fffffffffff), UINT64_MAX, 0,
                PERF_CONTEXT_MAX, PERF_CONTEXT_MAX - 1, 5, 5, 5,
        };
        static const struct perf_event_header lost = { .type = PERF_RECORD_LOST, .size = 24 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        size_t size;

        for (size_t i = 0; i <= ELEMENTSOF(words); i++) {
                put_sample(&b, UINT64_MAX - i, UINT64_MAX, (Chain) { words, i }, i % 3);
                put_sample(&b, i, i, (Chain) { words + i, ELEMENTSOF(words) - i }, 0);
                byte_buffer_put(&b, &lost, sizeof(lost));
                byte_buffer_put_u64(&b, i);
                byte_buffer_put_u64(&b, UINT64_MAX - i);
        }
        for (uint64_t i = 0; i < 300; i++) /* more than are remembered */
                put_sample(&b, i, i * i, (Chain) { (const uint64_t[]) { i << 30, i << 40, i }, 3 }, 0);
        expect_back(&b, &size);
}
END_TEST

START_TEST(refusals) {
        const struct {
                uint64_t header, n;
        } wrong[] = {
                { PERF_RECORD_SAMPLE | UINT64_C(48) << 48, 1 },  /* a chain that is not there */
                { PERF_RECORD_SAMPLE | UINT64_C(48) << 48, UINT64_MAX },
                { PERF_RECORD_SAMPLE | UINT64_C(40) << 48, 0 },  /* too short for one */
                { PERF_RECORD_SAMPLE | UINT64_C(56) << 48, 0 },  /* longer than the block */
                { PERF_RECORD_SAMPLE | UINT64_C(44) << 48, 0 },
                { PERF_RECORD_SAMPLE, 0 },
        };
        _cleanup_(sample_columns_freep) SampleColumns *c = NULL;
        _cleanup_byte_buffer_ ByteBuffer columns = {};
        static const uint64_t far[] = { 5, UINT64_C(0x7000000000000000) };
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(sample_columns_new(&c));
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                const uint64_t record[6] = { wrong[i].header, 0, 0, 0, 0, wrong[i].n };

                ck_assert_int_eq(sample_columns_pack(c, places, record, sizeof(record), &columns), -E2BIG);
        }
        put_sample(&b, 1, 1, (Chain) { far, 2 }, 0); /* no address of any machine */
        ck_assert_int_eq(sample_columns_pack(c, places, b.data, b.size, &columns), -E2BIG);
        ck_assert_int_eq(sample_columns_pack(c, (SamplePlaces) { .chain = SAMPLE_COLUMNS_FRONT_MAX + 1 }, b.data, b.size, &columns), -E2BIG);
}
END_TEST

/* No more than the records is written, whatever the columns have. */
START_TEST(damaged) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(sample_columns_freep) SampleColumns *c = NULL;
        _cleanup_byte_buffer_ ByteBuffer columns = {};
        _cleanup_free_ void *back = NULL;
        unsigned seed = 3, refused = 0;

        put_programs(&b, 300);
        back = malloc(b.size);
        ck_assert_ptr_nonnull(back);
        ck_assert_ok(sample_columns_new(&c));
        ck_assert_ok(sample_columns_pack(c, places, b.data, b.size, &columns));
        for (unsigned i = 0; i < 3000; i++) {
                uint8_t *byte = columns.data + (size_t) rand_r(&seed) % columns.size, before = *byte;
                int r;

                *byte = (uint8_t) rand_r(&seed);
                r = sample_columns_unpack(c, places, columns.data, columns.size, back, b.size);
                ck_assert(r == 0 || r == -EBADMSG);
                refused += r < 0;
                *byte = before;
        }
        ck_assert_uint_gt(refused, 100);
        ck_assert_ok(sample_columns_unpack(c, places, columns.data, columns.size, back, b.size));
        ck_assert(memcmp(back, b.data, b.size) == 0);
}
END_TEST

TEST_RUN("sample-columns", programs, any_words, refusals, damaged);
