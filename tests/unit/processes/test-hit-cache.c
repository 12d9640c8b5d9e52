/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hit-cache.h"
#include "perfdata-test.h"

START_TEST(a_page_and_its_process) {
        static HitCache c;
        uint64_t key = hit_cache_page_key(&c, 7, 0x1234);

        ck_assert(!hit_cache_has(&c, key));
        hit_cache_put(&c, key);
        ck_assert(hit_cache_has(&c, hit_cache_page_key(&c, 7, 0x1fff)));
        ck_assert(!hit_cache_has(&c, hit_cache_page_key(&c, 7, 0x2000)));
        ck_assert(!hit_cache_has(&c, hit_cache_page_key(&c, 8, 0x1234)));
        ck_assert(!hit_cache_has(&c, hit_cache_page_key(&c, 7 + HIT_CACHE_GENERATIONS, 0x1234)));
        hit_cache_forget(&c, 8);
        ck_assert(hit_cache_has(&c, hit_cache_page_key(&c, 7, 0x1000)));
        hit_cache_forget(&c, 7);
        ck_assert(!hit_cache_has(&c, hit_cache_page_key(&c, 7, 0x1000)));
}
END_TEST

/* Every address counts, and its position, in a chain of any length. */
START_TEST(chains_differ) {
        static HitCache c;
        uint64_t chain[13];

        for (size_t n = 1; n <= ELEMENTSOF(chain); n++) {
                uint64_t key;

                for (size_t i = 0; i < n; i++)
                        chain[i] = 0x1000 * (i + 1);
                key = hit_cache_chain_key(&c, 7, 1, chain, n);
                ck_assert(key == hit_cache_chain_key(&c, 7, 1, chain, n));
                ck_assert(key != hit_cache_chain_key(&c, 8, 1, chain, n));
                ck_assert(key != hit_cache_chain_key(&c, 7, 1, chain, n - 1));
                for (size_t i = 0; i < n; i++) {
                        chain[i] ^= 1;
                        ck_assert(key != hit_cache_chain_key(&c, 7, 1, chain, n));
                        chain[i] ^= 1;
                }
                if (n > 1) {
                        uint64_t first = chain[0];

                        chain[0] = chain[n - 1];
                        chain[n - 1] = first;
                        ck_assert(key != hit_cache_chain_key(&c, 7, 1, chain, n));
                }
        }
}
END_TEST

START_TEST(the_kernels_maps_count_too) {
        static HitCache c;
        uint64_t chain[] = { 1, 2, 3 }, key = hit_cache_chain_key(&c, 7, 1, chain, 3);

        hit_cache_forget(&c, 1);
        ck_assert(key != hit_cache_chain_key(&c, 7, 1, chain, 3));
}
END_TEST

TEST_RUN("hit-cache", a_page_and_its_process, chains_differ, the_kernels_maps_count_too);
