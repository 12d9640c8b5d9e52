/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "byte-pool.h"
#include "perfdata-test.h"

START_TEST(same_bytes_same_number) {
        _cleanup_(byte_pool_done) BytePool p = {};
        uint32_t a, b, c, empty;

        ck_assert_ok(byte_pool_intern(&p, "abc", 3, &a));
        ck_assert_ok(byte_pool_intern(&p, "abd", 3, &b));
        ck_assert_ok(byte_pool_intern(&p, "abc", 3, &c));
        ck_assert_ok(byte_pool_intern(&p, "", 0, &empty));
        ck_assert_uint_eq(a, 1);
        ck_assert_uint_eq(b, 2);
        ck_assert_uint_eq(c, a);
        ck_assert_uint_eq(empty, 3);
        ck_assert_uint_eq(byte_pool_get(&p, b)->size, 3);
        ck_assert_mem_eq(byte_pool_get(&p, b)->data, "abd", 3);
}
END_TEST

START_TEST(sweeps_what_is_not_marked) {
        _cleanup_(byte_pool_done) BytePool p = {};
        size_t bytes = 0;

        for (unsigned round = 0; round < 4; round++) {
                for (uint64_t i = 0; i < 5000; i++) {
                        uint64_t word = round * UINT64_C(5000) + i;
                        uint32_t number;

                        ck_assert_ok(byte_pool_intern(&p, &word, sizeof(word), &number));
                        ck_assert_mem_eq(byte_pool_get(&p, number)->data, &word, sizeof(word));
                        if (word % 5000 == 17)
                                byte_pool_mark(&p, number);
                }
                byte_pool_mark(&p, 0);
                byte_pool_sweep(&p);
                ck_assert_uint_eq(p.n - p.n_spare, 1);
                bytes = bytes ?: byte_pool_memory(&p);
                ck_assert_uint_eq(byte_pool_memory(&p), bytes);
        }
}
END_TEST

/* Blocks of any size, larger than a chunk, too. */
START_TEST(in_chunks) {
        _cleanup_(byte_pool_done) BytePool p = { .chunks.used = true };
        _cleanup_free_ uint8_t *bytes = malloc(600000);
        uint32_t numbers[300], again;

        for (size_t i = 0; i < 600000; i++)
                bytes[i] = (uint8_t) (i * 7 % 251);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                ck_assert_ok(byte_pool_intern(&p, bytes + i, i % 40 == 39 ? 300000 + i : i * 5, numbers + i));
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++) {
                size_t size = i % 40 == 39 ? 300000 + i : i * 5;
                const ByteBlock *b = byte_pool_get(&p, numbers[i]);

                ck_assert_uint_eq(b->size, size);
                ck_assert_int_eq(memcmp(b->data, bytes + i, size), 0);
                ck_assert_uint_eq((uintptr_t) b % _Alignof(ByteBlock), 0);
                ck_assert_ok(byte_pool_intern(&p, bytes + i, size, &again));
                ck_assert_uint_eq(again, numbers[i]);
        }
}
END_TEST

TEST_RUN("byte-pool", same_bytes_same_number, sweeps_what_is_not_marked, in_chunks);
