/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "quote.h"
#include "ring-estimate.h"
#include "strv.h"

static uint64_t estimate(const char *line) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 100, &words), 0);
        return ring_estimate(words);
}

START_TEST(test_estimate) {
        uint64_t n = (uint64_t) sysconf(_SC_NPROCESSORS_ONLN), page = (uint64_t) sysconf(_SC_PAGESIZE);

        ck_assert_uint_eq(estimate(""), n * 512 * 1024);
        ck_assert_uint_eq(estimate("-e cpu-clock -a"), n * 512 * 1024);
        ck_assert_uint_eq(estimate("-m 1M -C 0"), 1024 * 1024);
        ck_assert_uint_eq(estimate("-m1M -C0-3"), 4 * 1024 * 1024);
        ck_assert_uint_eq(estimate("-m 4096B -C 0"), 4096);
        ck_assert_uint_eq(estimate("--mmap-pages=16 --cpu=0,2"), 2 * 16 * page);
        ck_assert_uint_eq(estimate("--mmap-pages 16,8 --cpu 1"), 16 * page);
        ck_assert_uint_eq(estimate("-C 0 -- prog -m 1G"), 512 * 1024);
        ck_assert_uint_eq(estimate("-m 1G -m 8K -C 0"), 8192);
}
END_TEST

START_TEST(test_strange_words) {
        ck_assert_uint_eq(estimate("-C 0 -m"), 512 * 1024);
        ck_assert_uint_eq(estimate("-C 0 -m lots"), 512 * 1024);
        ck_assert_uint_eq(estimate("-C 0 -m 18446744073709551615"), UINT64_MAX);
        ck_assert_uint_eq(estimate("-C 0-1 -m 15E"), UINT64_MAX);
}
END_TEST

CHECK_MAIN("ring-estimate", test_estimate, test_strange_words);
