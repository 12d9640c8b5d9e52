/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "hash-index.h"

#define N 5000u

typedef struct Item {
        uint64_t hash;
        bool there;
} Item;

static uint64_t hash_of_item(const void *owner, uintptr_t entry) {
        const Item *items = owner;

        return items[entry - 1].hash;
}

static bool is_found(const HashIndex *x, const Item *items, uintptr_t number) {
        return HASH_INDEX_FIND(x, items[number - 1].hash, entry, entry == number) == number;
}

static void assert_all(const HashIndex *x, const Item *items, size_t n) {
        size_t n_there = 0;

        for (size_t i = 0; i < n; i++) {
                ck_assert_msg(is_found(x, items, i + 1) == items[i].there, "%zu", i);
                n_there += items[i].there;
        }
        ck_assert_uint_eq(x->n, n_there);
}

static void add(HashIndex *x, Item *items, size_t i) {
        ck_assert_int_eq(hash_index_add(x, items[i].hash, i + 1, hash_of_item, items), 0);
        items[i].there = true;
}

static void add_and_remove(Item *items, size_t n) {
        _cleanup_(hash_index_done) HashIndex x = {};
        size_t memory;

        assert_all(&x, items, n);
        for (size_t i = 0; i < n; i++)
                add(&x, items, i);
        assert_all(&x, items, n);
        for (size_t i = 0; i < n; i += 3) {
                hash_index_remove(&x, items[i].hash, i + 1, hash_of_item, items);
                items[i].there = false;
        }
        assert_all(&x, items, n);
        memory = hash_index_memory(&x);
        for (size_t i = 0; i < n; i += 3)
                add(&x, items, i);
        assert_all(&x, items, n);
        ck_assert_uint_eq(hash_index_memory(&x), memory);
}

START_TEST(test_many) {
        static Item items[N];

        for (size_t i = 0; i < N; i++)
                items[i].hash = hash_mix(7, i);
        add_and_remove(items, N);
}
END_TEST

/* Many entries have one hash, also at the last slots, from which a search continues at the first. */
START_TEST(test_equal_hashes) {
        static Item items[600];

        for (uint64_t of = 0; of < 64; of++) {
                memset(items, 0, sizeof(items));
                for (size_t i = 0; i < ELEMENTSOF(items); i++)
                        items[i].hash = i % 3 == 0 ? of * i : of;
                add_and_remove(items, ELEMENTSOF(items));
        }
}
END_TEST

START_TEST(test_replace) {
        _cleanup_(hash_index_done) HashIndex x = {};
        Item items[] = { { .hash = 1 }, { .hash = 1 }, { .hash = 1 } };

        add(&x, items, 0);
        add(&x, items, 1);
        hash_index_replace(&x, 1, 1, 3);
        ck_assert(!is_found(&x, items, 1) && is_found(&x, items, 2) && is_found(&x, items, 3));
        ck_assert_uint_eq(x.n, 2);
}
END_TEST

/* Entries with the same hash are found by their contents. */
START_TEST(test_pointers) {
        _cleanup_(hash_index_done) HashIndex x = {};
        static const char *const words[] = { "one", "two", "three" };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                ck_assert_int_eq(hash_index_add(&x, 5, (uintptr_t) words[i], NULL, NULL), 0);
        ck_assert_ptr_eq((const char *) HASH_INDEX_FIND(&x, 5, entry, streq((const char *) entry, "two")), words[1]);
        ck_assert_uint_eq(HASH_INDEX_FIND(&x, 5, entry, streq((const char *) entry, "four")), 0);
        ck_assert_uint_eq(HASH_INDEX_FIND(&x, 6, entry, streq((const char *) entry, "six")), 0);
}
END_TEST

START_TEST(test_hashes) {
        static const uint8_t zeros[20];
        uint64_t seen[ELEMENTSOF(zeros)];

        for (size_t i = 0; i < ELEMENTSOF(zeros); i++) {
                seen[i] = hash_bytes(0, zeros, i);
                for (size_t k = 0; k < i; k++)
                        ck_assert_uint_ne(seen[k], seen[i]);
        }
        ck_assert_uint_eq(hash_bytes(3, "abcdefghijk", 11), hash_bytes(3, &"-abcdefghijk"[1], 11));
        ck_assert_uint_ne(hash_bytes(3, "abcdefghijk", 11), hash_bytes(4, "abcdefghijk", 11));
        ck_assert_uint_ne(hash_bytes(3, "abcdefghijk", 11), hash_bytes(3, "abcdefghijl", 11));
        ck_assert_uint_ne(hash_mix(hash_mix(0, 1), 2), hash_mix(hash_mix(0, 2), 1));
}
END_TEST

CHECK_MAIN("hash-index", test_many, test_equal_hashes, test_replace, test_pointers, test_hashes);
