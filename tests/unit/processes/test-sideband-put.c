/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

#define KERNEL "0 kernel ffff0000 9000 [kernel.kallsyms]_text\n"
#define ONE    "0 fork 1 0\n0 comm 1 1 init\n"
#define FIVE   "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 2000 0 /bin/sh\n"
#define NINE   "0 fork 9 1\n0 comm 9 9 cron\n"
#define LOG                                        \
        "10 fork 20 5\n"                           \
        "11 fork 30 9\n"                           \
        "12 bpf 4\n"                         \
        "13 fork 21 20\n"                          \
        "14 comm 21 21 ls exec\n"                  \
        "15 exit 20 20\n"                          \
        "16 exit 30 30\n"

/* Selected processes are put with those that they inherited from, and the kernel. */
START_TEST(puts_a_selection) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(KERNEL ONE FIVE NINE LOG);

        SIDEBAND_TEST_ASSERT(t, KERNEL ONE FIVE NINE LOG);
        sideband_test_assert(t, (uint32_t[]) { 9 }, 1, KERNEL NINE "12 bpf 4\n");
        sideband_test_assert(t, (uint32_t[]) { 21 }, 1,
                             KERNEL FIVE "10 fork 20 5\n12 bpf 4\n13 fork 21 20\n14 comm 21 21 ls exec\n15 exit 20 20\n");
        sideband_test_assert(t, (uint32_t[]) { 2, 30, 77 }, 3, KERNEL NINE "11 fork 30 9\n12 bpf 4\n16 exit 30 30\n");
        sideband_test_assert(t, (uint32_t[]) { 0 }, 0, KERNEL "12 bpf 4\n");
}
END_TEST

/* Records that wait for their round are put unchanged, and processes that are forked in it. */
START_TEST(puts_what_waits) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(KERNEL FIVE NINE);

        sideband_test_feed(t, "12 comm 40 40 late exec\n11 fork 40 5\n");
        sideband_test_assert(t, (uint32_t[]) { 40 }, 1, KERNEL FIVE "11 fork 40 5\n12 comm 40 40 late exec\n");
        ck_assert_ok(sideband_table_round(t, true));
        sideband_test_assert(t, (uint32_t[]) { 40 }, 1, KERNEL FIVE "11 fork 40 5\n12 comm 40 40 late exec\n");
}
END_TEST

START_TEST(appends_and_may_be_called_again) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(KERNEL FIVE NINE LOG);
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        size_t size;

        ck_assert_ok(sideband_table_put(t, NULL, &b));
        size = b.size;
        ck_assert_ok(sideband_table_put(t, NULL, &b));
        ck_assert_uint_eq(b.size, size * 2);
        ck_assert_mem_eq(b.data, b.data + size, size);
}
END_TEST

static char *round_trip(const char *records, uint64_t forget, const uint32_t *keep, size_t n_keep, char **ret_second) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(records), *u = NULL;
        _cleanup_(record_buffer_done) RecordBuffer a = {}, b = {};

        ck_assert_ok(sideband_table_forget_before(t, forget));
        ck_assert_ok(sideband_table_keep_only(t, keep, n_keep));
        ck_assert_ok(sideband_table_put(t, NULL, &a));
        ck_assert_ok(sideband_table_new(SIDEBAND_TEST_TYPE, &u));
        ck_assert_ok(sideband_table_feed_segments(u, &(struct iovec) { a.data, a.size }, 1));
        ck_assert_ok(sideband_table_round(u, true));
        ck_assert_uint_eq(sideband_test_n_live(u), sideband_test_n_live(t));
        ck_assert_uint_eq(sideband_test_n_ended(u), sideband_test_n_ended(t));
        ck_assert_ok(sideband_table_put(u, NULL, &b));
        *ret_second = sideband_test_describe(&b, SIDEBAND_TEST_TYPE);
        ck_assert_uint_eq(a.size, b.size);
        ck_assert_mem_eq(a.data, b.data, a.size);
        return sideband_test_describe(&a, SIDEBAND_TEST_TYPE);
}

START_TEST(feeding_it_gives_the_same_table) {
        for (uint64_t forget = 9; forget < 18; forget++)
                for (size_t n = 0; n < 3; n++) {
                        static const uint32_t keep[] = { 20, 30 };
                        _cleanup_free_ char *a = NULL, *b = NULL;

                        a = round_trip(KERNEL ONE FIVE "0 thread 5 6\n0 ns 5 6 44\n" NINE LOG, forget, keep, n, &b);
                        ck_assert_str_eq(a, b);
                }
}
END_TEST

static void assert_time(SidebandTable *t, uint64_t since, uint64_t until, const char *expected) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_ok(sideband_table_put(t, &(SidebandSamples) { .since = since, .until = until }, &b));
        text = sideband_test_describe(&b, SIDEBAND_TEST_TYPE);
        ck_assert_str_eq(text, expected);
}

/* For somebody who knows what was before, only what is newer is put, of the log and of the queue. */
START_TEST(puts_what_is_new) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(KERNEL ONE FIVE NINE LOG);

        sideband_test_feed(t, "17 comm 40 40 late exec\n18 fork 41 5\n");
        assert_time(t, 14, 17, "15 exit 20 20\n16 exit 30 30\n17 comm 40 40 late exec\n");
        assert_time(t, 17, 0, "18 fork 41 5\n");
        assert_time(t, 18, 30, "");
        assert_time(t, 0, 10, KERNEL ONE FIVE NINE "10 fork 20 5\n");
}
END_TEST

TEST_RUN("sideband-put", puts_a_selection, puts_what_waits, puts_what_is_new, appends_and_may_be_called_again, feeding_it_gives_the_same_table);
