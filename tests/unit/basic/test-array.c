/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "array.h"
#include "check-main.h"

typedef struct Triple {
        uint64_t a, b, c;
} Triple;

START_TEST(test_room) {
        ck_assert_uint_eq(array_room(0, 1, 1), 64);
        ck_assert_uint_eq(array_room(0, 1, 24), 2);
        ck_assert_uint_eq(array_room(0, 1, 1000), 1);
        ck_assert_uint_eq(array_room(8, 9, 24), 16);
        ck_assert_uint_eq(array_room(8, 100, 24), 100);
}
END_TEST

START_TEST(test_reserve) {
        _cleanup_free_ Triple *l = NULL;
        size_t n = 0, allocated = 0, moved = 0;

        for (uint64_t i = 0; i < 1000; i++) {
                size_t before = allocated;

                ck_assert_int_eq(ARRAY_RESERVE(l, allocated, n + 1), 0);
                ck_assert_uint_gt(allocated, n);
                moved += allocated != before;
                l[n++] = (Triple){ .a = i };
        }
        for (uint64_t i = 0; i < n; i++)
                ck_assert_uint_eq(l[i].a, i);
        ck_assert_uint_le(moved, 10);
        ck_assert_int_eq(ARRAY_RESERVE(l, allocated, 1), 0); /* it is large enough */
        ck_assert_uint_ge(allocated, n);
}
END_TEST

START_TEST(test_any_of) {
        static const int l[] = { 3, 5, 8 };

        ck_assert(ANY_OF(ELEMENTSOF(l), i, l[i] == 8));
        ck_assert(!ANY_OF(ELEMENTSOF(l), i, l[i] == 4));
        ck_assert(!ANY_OF(0, i, l[i] == 3));
}
END_TEST

START_TEST(test_reserve_next) {
        _cleanup_free_ uint16_t *l = NULL;

        for (uint16_t n = 0; n < 100; n++) {
                ck_assert_int_eq(ARRAY_RESERVE_NEXT(l, n), 0);
                l[n] = n;
        }
        for (uint16_t i = 0; i < 100; i++)
                ck_assert_uint_eq(l[i], i);
}
END_TEST

static bool no_memory;

void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size) {
        return no_memory ? NULL : __real_reallocarray(p, n, size);
}

/* The array does not change. */
START_TEST(test_no_memory) {
        _cleanup_free_ Triple *l = NULL;
        size_t allocated = 0;
        Triple *before;

        ck_assert_int_eq(ARRAY_RESERVE(l, allocated, 3), 0);
        before = l;
        l[2].c = 7;
        no_memory = true;
        ck_assert_int_eq(ARRAY_RESERVE(l, allocated, 100), -ENOMEM);
        ck_assert_uint_eq(allocated, 3);
        ck_assert_ptr_eq(l, before);
        ck_assert_uint_eq(l[2].c, 7);
        ck_assert_int_eq(ARRAY_RESIZE(l, 100), -ENOMEM);
        ck_assert_ptr_eq(l, before);
        no_memory = false;
        ck_assert_int_eq(ARRAY_RESIZE(l, 1), 0);
}
END_TEST

START_TEST(test_lower_bound) {
        const int sorted[] = { 1, 3, 3, 3, 8 };

        ck_assert_uint_eq(LOWER_BOUND(ELEMENTSOF(sorted), i, sorted[i] < 0), 0);
        ck_assert_uint_eq(LOWER_BOUND(ELEMENTSOF(sorted), i, sorted[i] < 3), 1);
        ck_assert_uint_eq(LOWER_BOUND(ELEMENTSOF(sorted), i, sorted[i] <= 3), 4);
        ck_assert_uint_eq(LOWER_BOUND(ELEMENTSOF(sorted), i, sorted[i] < 4), 4);
        ck_assert_uint_eq(LOWER_BOUND(ELEMENTSOF(sorted), i, sorted[i] < 9), 5);
        ck_assert_uint_eq(LOWER_BOUND(0, i, sorted[i] < 9), 0);
}
END_TEST

CHECK_MAIN("array", test_room, test_reserve, test_any_of, test_reserve_next, test_no_memory, test_lower_bound);
