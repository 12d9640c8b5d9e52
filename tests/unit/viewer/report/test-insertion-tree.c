/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "insertion-tree.h"

static bool is_smaller(const void *userdata, size_t a, size_t b) {
        const unsigned *values = userdata;

        return values[a] < values[b];
}

/* With an order, it is a stable sort. */
START_TEST(test_order) {
        enum { N = 2000 };
        unsigned values[N], x = 1;
        size_t numbers[N];

        for (size_t i = 0; i < N; i++) {
                x = x * 1103515245 + 12345;
                values[i] = x >> 16 & 255;
                numbers[i] = i;
        }
        ck_assert_int_eq(insertion_tree_sort(numbers, N, is_smaller, values), 0);
        for (size_t i = 1; i < N; i++) {
                ck_assert_uint_le(values[numbers[i - 1]], values[numbers[i]]);
                if (values[numbers[i - 1]] == values[numbers[i]])
                        ck_assert_uint_lt(numbers[i - 1], numbers[i]);
        }
}
END_TEST

static bool beats(const void *userdata, size_t a, size_t b) {
        return (a + 1) % 3 == b;
}

/* 0 beats 1, 1 beats 2, and 2 beats 0: 2 is compared with the root, which is 0, and comes first. */
START_TEST(test_no_order) {
        size_t numbers[] = { 0, 1, 2 };

        ck_assert_int_eq(insertion_tree_sort(numbers, 3, beats, NULL), 0);
        ck_assert_uint_eq(numbers[0], 2);
        ck_assert_uint_eq(numbers[1], 0);
        ck_assert_uint_eq(numbers[2], 1);
}
END_TEST

START_TEST(test_small) {
        unsigned values[] = { 2, 1 };
        size_t numbers[] = { 0, 1 };

        ck_assert_int_eq(insertion_tree_sort(numbers, 0, is_smaller, values), 0);
        ck_assert_int_eq(insertion_tree_sort(numbers, 2, is_smaller, values), 0);
        ck_assert_uint_eq(numbers[0], 1);
}
END_TEST

CHECK_MAIN("insertion-tree", test_order, test_no_order, test_small);
