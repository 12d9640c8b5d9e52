/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "recorded-chains.h"

#define CHAINS 200000u

static _Atomic uint32_t known; /* chains from 1 to this one are there */

static uint64_t word_of(uint32_t number, size_t i) {
        return (uint64_t) number << 32 | i;
}

static void *look_at_all(void *userdata) {
        RecordedChains *c = userdata;
        uintptr_t wrong = 0;

        for (uint32_t number = 1, i = 0; i < CHAINS; i++) {
                size_t n;
                const uint8_t *words = recorded_chains_get(c, number, &n);
                uint64_t word;

                memcpy(&word, words + (n - 1) * sizeof(word), sizeof(word));
                wrong += n != 1 + number % 30 || word != word_of(number, n - 1);
                number = number % known + 1;
        }
        return (void *) wrong;
}

/* One thread adds, another one looks at what it knows of. */
START_TEST(beside_each_other) {
        RecordedChains c;
        uint64_t words[30];
        pthread_t thread;
        void *wrong;

        recorded_chains_init(&c);
        known = 0;
        for (uint32_t i = 1; i <= CHAINS; i++) {
                size_t n = 1 + i % 30;
                uint32_t number, again;

                for (size_t k = 0; k < n; k++)
                        words[k] = word_of(i, k);
                ck_assert_ok(recorded_chains_intern(&c, words, n, &number));
                ck_assert_ok(recorded_chains_intern(&c, words, n, &again));
                ck_assert_uint_eq(number, i);
                ck_assert_uint_eq(again, i);
                known = i;
                if (i == 1)
                        ck_assert_int_eq(pthread_create(&thread, NULL, look_at_all, &c), 0);
        }
        ck_assert_int_eq(pthread_join(thread, &wrong), 0);
        ck_assert_ptr_null(wrong);
        ck_assert(recorded_chains_has_room(&c));
        recorded_chains_clear(&c);
        ck_assert_ok(recorded_chains_intern(&c, words, 1, &(uint32_t) { 0 }));
        recorded_chains_done(&c);
}
END_TEST

START_TEST(no_chain) {
        RecordedChains c;
        size_t n = 1;

        recorded_chains_init(&c);
        ck_assert_ptr_null(recorded_chains_get(&c, 0, &n));
        ck_assert_uint_eq(n, 0);
        recorded_chains_done(&c);
}
END_TEST

TEST_RUN("recorded-chains", beside_each_other, no_chain);
