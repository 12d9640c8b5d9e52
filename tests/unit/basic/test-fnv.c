/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "fnv.h"

/* The values are those of the algorithm's authors: a later daemon or recorder compares with those that a previous one
 * computed. */
START_TEST(test_values) {
        ck_assert_uint_eq(fnv_text(FNV_BEGIN, NULL), FNV_BEGIN);
        ck_assert_uint_eq(fnv_text(FNV_BEGIN, "a"), UINT64_C(0xaf63dc4c8601ec8c));
        ck_assert_uint_eq(fnv_text(FNV_BEGIN, "foobar"), UINT64_C(0x85944171f73967e8));
}
END_TEST

START_TEST(test_words) {
        ck_assert_uint_ne(fnv_word(fnv_word(FNV_BEGIN, "ab"), "c"), fnv_word(fnv_word(FNV_BEGIN, "a"), "bc"));
        ck_assert_uint_ne(fnv_word(FNV_BEGIN, "a"), fnv_word(fnv_word(FNV_BEGIN, "a"), ""));
}
END_TEST

CHECK_MAIN("fnv", test_values, test_words);
