/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Arrays of strings, the empty one (NULL) with each call. */

#include "check-main.h"
#include "strv.h"

static char **make(const char *a, const char *b, const char *c) {
        char **l = NULL;

        if (a)
                ck_assert_int_eq(strv_extend(&l, a), 0);
        if (b)
                ck_assert_int_eq(strv_extend(&l, b), 0);
        if (c)
                ck_assert_int_eq(strv_extend(&l, c), 0);
        return l;
}

START_TEST(test_empty) {
        _cleanup_free_ char *joined = strv_join(NULL, ",");

        ck_assert_ptr_null(strv_free(NULL));
        ck_assert_uint_eq(strv_length(NULL), 0);
        ck_assert(!strv_contains(NULL, "a"));
        ck_assert(strv_equal(NULL, NULL));
        ck_assert_ptr_null(strv_copy(NULL));
        ck_assert_str_eq(joined, "");
        strv_sort(NULL);
}
END_TEST

START_TEST(test_extend) {
        _cleanup_strv_free_ char **l = make("a", NULL, NULL), **more = make("x", "y", NULL);

        ck_assert_int_eq(strv_extendf(&l, "%s-%d", "b", 7), 0);
        ck_assert_int_eq(strv_consume(&l, strdup("c")), 0);
        ck_assert_int_eq(strv_consume(&l, NULL), -ENOMEM);
        ck_assert_int_eq(strv_extend_strv(&l, more), 0);
        ck_assert_int_eq(strv_extend_strv(&l, NULL), 0);

        ck_assert_uint_eq(strv_length(l), 5);
        ck_assert_str_eq(l[0], "a");
        ck_assert_str_eq(l[1], "b-7");
        ck_assert_str_eq(l[2], "c");
        ck_assert_str_eq(l[4], "y");
        ck_assert_ptr_null(l[5]);
        ck_assert(strv_contains(l, "x"));
        ck_assert(!strv_contains(l, "z"));
}
END_TEST

START_TEST(test_equal) {
        _cleanup_strv_free_ char **a = make("a", "b", NULL), **same = strv_copy(a), **longer = make("a", "b", "c"),
                                 **other = make("a", "c", NULL);

        ck_assert(strv_equal(a, same));
        ck_assert_ptr_ne(a[0], same[0]);
        ck_assert(!strv_equal(a, longer));
        ck_assert(!strv_equal(longer, a));
        ck_assert(!strv_equal(a, other));
        ck_assert(!strv_equal(a, NULL));
}
END_TEST

START_TEST(test_join) {
        _cleanup_strv_free_ char **l = make("a", "", "c"), **one = make("a", NULL, NULL);
        _cleanup_free_ char *three = strv_join(l, ", "), *alone = strv_join(one, ", ");

        ck_assert_str_eq(three, "a, , c");
        ck_assert_str_eq(alone, "a");
}
END_TEST

START_TEST(test_sort) {
        _cleanup_strv_free_ char **l = make("c", "a", "b");
        _cleanup_free_ char *sorted = NULL;

        strv_sort(l);
        sorted = strv_join(l, " ");
        ck_assert_str_eq(sorted, "a b c");
}
END_TEST

/* A comma behind a backslash is part of its word. */
START_TEST(test_words_of_a_list) {
        char list[] = ",a,,b\\,c\\\\,d\\", *rest = list, empty[] = "";

        ck_assert_str_eq(strv_next_of_list(&rest), "a");
        ck_assert_str_eq(strv_next_of_list(&rest), "b\\,c\\\\");
        ck_assert_str_eq(strv_next_of_list(&rest), "d\\");
        ck_assert_ptr_null(strv_next_of_list(&rest));
        ck_assert_ptr_null(strv_next_of_list(&rest));
        rest = empty;
        ck_assert_ptr_null(strv_next_of_list(&rest));
}
END_TEST

START_TEST(test_foreach) {
        _cleanup_strv_free_ char **l = make("a", "b", NULL);
        char **none = NULL;
        size_t n = 0;

        STRV_FOREACH(s, l)
                ck_assert_str_eq(*s, n++ == 0 ? "a" : "b");
        STRV_FOREACH(s, none)
                n++;
        ck_assert_uint_eq(n, 2);
}
END_TEST

CHECK_MAIN("strv", test_empty, test_extend, test_equal, test_join, test_sort, test_words_of_a_list, test_foreach);
