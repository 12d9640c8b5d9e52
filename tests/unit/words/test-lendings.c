/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The times in which counters were lent, and their text. */

#include "check-main.h"
#include "lendings.h"

START_TEST(test_life) {
        _cleanup_(lendings_done) Lendings l = {};

        ck_assert_ptr_null(lendings_current(&l, COUNTER_HARDWARE));
        lendings_end(&l, COUNTER_HARDWARE, 5);
        ck_assert_int_eq(lendings_begin(&l, COUNTER_HARDWARE, "pmdaperfevent", 10), 0);
        ck_assert_int_eq(lendings_begin(&l, COUNTER_HARDWARE, "another", 11), 0);
        ck_assert_int_eq(lendings_begin(&l, COUNTER_BREAKPOINT, "gdb; or\nso", 12), 0);
        ck_assert_uint_eq(l.n, 2);
        ck_assert_str_eq(lendings_current(&l, COUNTER_HARDWARE)->who, "pmdaperfevent");
        ck_assert_str_eq(lendings_current(&l, COUNTER_BREAKPOINT)->who, "gdb, or so");
        lendings_end(&l, COUNTER_HARDWARE, 20);
        ck_assert_ptr_null(lendings_current(&l, COUNTER_HARDWARE));
        ck_assert_uint_eq(l.all[0].last, 20);
        ck_assert_uint_eq(l.all[1].last, 0);
}
END_TEST

/* The wall clock may be set back in the meantime. */
START_TEST(test_clock_set_back) {
        _cleanup_(lendings_done) Lendings l = {};

        ck_assert_int_eq(lendings_begin(&l, COUNTER_HARDWARE, "x", 10), 0);
        lendings_end(&l, COUNTER_HARDWARE, 3);
        ck_assert_uint_eq(l.all[0].last, 10);
}
END_TEST

START_TEST(test_oldest_forgotten) {
        _cleanup_(lendings_done) Lendings l = {};

        for (uint64_t i = 1; i <= LENDINGS_MAX + 3; i++) {
                ck_assert_int_eq(lendings_begin(&l, COUNTER_HARDWARE, "x", 10 * i), 0);
                lendings_end(&l, COUNTER_HARDWARE, 10 * i + 5);
        }
        ck_assert_uint_eq(l.n, LENDINGS_MAX);
        ck_assert_uint_eq(l.all[0].first, 40);
}
END_TEST

START_TEST(test_text) {
        _cleanup_(lendings_done) Lendings l = {}, again = {};
        _cleanup_free_ char *all = NULL, *none = NULL, *late = NULL;

        ck_assert_int_eq(lendings_begin(&l, COUNTER_HARDWARE, "likwid-perfctr of job 12", 100), 0);
        lendings_end(&l, COUNTER_HARDWARE, 200);
        ck_assert_int_eq(lendings_begin(&l, COUNTER_BREAKPOINT, "gdb", 300), 0);
        all = lendings_format(&l, 200, 400);
        ck_assert_str_eq(all, "100 200 hardware likwid-perfctr of job 12; 300 0 breakpoint gdb");
        late = lendings_format(&l, 201, 299);
        ck_assert_str_eq(late, "");
        none = lendings_format(&again, 0, 1000);
        ck_assert_str_eq(none, "");
        ck_assert_int_eq(lendings_parse(all, &again), 0);
        ck_assert_uint_eq(again.n, 2);
        ck_assert_uint_eq(again.all[0].first, 100);
        ck_assert_uint_eq(again.all[0].last, 200);
        ck_assert_int_eq(again.all[1].kind, COUNTER_BREAKPOINT);
        ck_assert_str_eq(again.all[0].who, "likwid-perfctr of job 12");
}
END_TEST

static void expect_merged(const char *a, const char *b, const char *expected) {
        _cleanup_(lendings_done) Lendings l = {}, other = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(lendings_parse(a, &l), 0);
        ck_assert_int_eq(lendings_parse(b, &other), 0);
        ck_assert_int_eq(lendings_merge(&l, &other), 0);
        text = lendings_format(&l, 0, UINT64_MAX);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_merge) {
        expect_merged("", "", "");
        expect_merged("10 20 hardware a", "", "10 20 hardware a");
        expect_merged("10 0 hardware a", "10 20 hardware a; 30 0 hardware a", "10 20 hardware a; 30 0 hardware a");
        expect_merged("10 20 hardware a", "10 0 hardware a", "10 20 hardware a");
        expect_merged("30 40 hardware a; 50 0 breakpoint b", "10 20 hardware a; 30 40 breakpoint a",
                      "10 20 hardware a; 30 40 hardware a; 30 40 breakpoint a; 50 0 breakpoint b");
}
END_TEST

static void expect_description(const char *text, const char *expected) {
        _cleanup_(lendings_done) Lendings l = {};
        _cleanup_free_ char *phrase = NULL;

        ck_assert_int_eq(lendings_parse(text, &l), 0);
        phrase = lending_describe(l.all);
        ck_assert_str_eq(phrase, expected);
}

START_TEST(test_describe) {
        (void) setenv("TZ", "UTC", 1);
        expect_description("1795258398000000 1795258400000000 hardware likwid", "hardware to likwid, 10:53:18 to 10:53:20");
        expect_description("1795258398000000 0 breakpoint gdb", "breakpoint to gdb, since 10:53:18");
        expect_description("1795258398000000 1795344798000000 hardware x",
                           "hardware to x, 2026-11-21 10:53:18 to 2026-11-22 10:53:18");
        expect_description("18446744073709551615 18446744073709551615 hardware x", "hardware to x, 08:01:49 to 08:01:49");
}
END_TEST

START_TEST(test_wrong_text) {
        static const char *const wrong[] = {
                "1", "1 2", "1 2 hardware", "1 2 software x", "x 2 hardware y", "1 -2 hardware y", "1 2 hardware x;", "; 1 2 hardware x",
        };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                Lendings l = { .n = 42 };

                ck_assert_msg(lendings_parse(wrong[i], &l) == -EBADMSG, "%s", wrong[i]);
                ck_assert_uint_eq(l.n, 42);
        }
}
END_TEST

CHECK_MAIN("lendings", test_life, test_clock_set_back, test_oldest_forgotten, test_text, test_merge, test_describe,
           test_wrong_text);
