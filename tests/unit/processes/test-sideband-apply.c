/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

#define SHELL                                 \
        "0 fork 5 1\n"                        \
        "0 comm 5 5 sh\n"                     \
        "0 map 5 1000 2000 0 /bin/sh\n"

START_TEST(fork_inherits) {
        sideband_test_assert_base(SHELL "10 fork 7 5\n", SHELL "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n");
        sideband_test_assert_base(SHELL "10 fork 7 5 alone\n", SHELL "0 fork 7 5\n");
        sideband_test_assert_base(SHELL "0 fork 7 5 inherits\n", SHELL "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n");
        sideband_test_assert_base("10 fork 7 5\n", "0 fork 7 5\n");
}
END_TEST

/* New mappings of either process are its own. */
START_TEST(mappings_are_copied_when_one_side_maps) {
        sideband_test_assert_base(SHELL "10 fork 7 5\n11 map 7 9000 1000 0 /lib/a.so\n12 map 5 a000 1000 0 /lib/b.so\n13 fork 8 7\n",
                    SHELL "0 map 5 a000 1000 0 /lib/b.so\n"
                          "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n0 map 7 9000 1000 0 /lib/a.so\n"
                          "0 fork 8 7\n0 comm 8 8 sh\n0 map 8 1000 2000 0 /bin/sh\n0 map 8 9000 1000 0 /lib/a.so\n");
}
END_TEST

START_TEST(exec_begins_anew) {
        sideband_test_assert_base(SHELL "0 thread 5 6\n10 comm 5 5 ls exec\n11 map 5 7000 1000 0 /bin/ls\n",
                    "0 fork 5 1\n0 comm 5 5 ls\n0 map 5 7000 1000 0 /bin/ls\n");
        sideband_test_assert_base(SHELL "10 comm 5 5 renamed\n", "0 fork 5 1\n0 comm 5 5 renamed\n0 map 5 1000 2000 0 /bin/sh\n");
}
END_TEST

START_TEST(a_mapping_replaces_what_it_covers) {
        sideband_test_assert_base(SHELL "10 map 5 1800 800 5000 /lib/x.so\n",
                    "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 800 0 /bin/sh\n0 map 5 1800 800 5000 /lib/x.so\n"
                    "0 map 5 2000 1000 1000 /bin/sh\n");
        sideband_test_assert_base(SHELL "10 map 5 0 10000 0 /lib/x.so\n", "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 0 10000 0 /lib/x.so\n");
}
END_TEST

START_TEST(threads_come_and_go) {
        sideband_test_assert_base(SHELL "10 thread 5 6\n11 ns 5 5 700\n12 comm 5 6 worker\n13 thread 5 7\n14 thread 5 8\n15 exit 5 7\n",
                    "0 fork 5 1\n0 ns 5 5 700\n0 comm 5 5 sh\n0 map 5 1000 2000 0 /bin/sh\n"
                    "0 thread 5 6\n0 comm 5 6 worker\n0 thread 5 8\n0 ns 5 8 700\n0 comm 5 8 sh\n");
}
END_TEST

START_TEST(a_process_ends_with_its_last_thread) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL "0 thread 5 6\n10 thread 5 7\n20 exit 5 5\n21 exit 5 7\n");

        ck_assert_uint_eq(sideband_test_n_live(t), 1);
        sideband_test_feed(t, "22 exit 5 6\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_eq(sideband_test_n_live(t), 0);
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_ok(sideband_table_forget_before(t, 22));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        SIDEBAND_TEST_ASSERT(t, SHELL "0 thread 5 6\n0 comm 5 6 sh\n22 exit 5 6\n");
        ck_assert_ok(sideband_table_forget_before(t, 23));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        SIDEBAND_TEST_ASSERT(t, "");
}
END_TEST

/* A thread that calls exec becomes the leader, whose exit was recorded before. */
START_TEST(another_thread_calls_exec) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL "10 thread 5 6\n20 exit 5 5\n21 comm 5 5 ls exec\n");

        ck_assert_uint_eq(sideband_test_n_live(t), 1);
        sideband_test_feed(t, "30 exit 5 5\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_eq(sideband_test_n_live(t), 0);
}
END_TEST

/* Threads existed before, without a record of their start. */
START_TEST(who_maps_lives) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("0 comm 5 5 sh\n10 exit 5 5\n");

        ck_assert_uint_eq(sideband_test_n_live(t), 0);
        sideband_test_feed(t, "20 map 5 1000 1000 0 /lib/x.so\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_eq(sideband_test_n_live(t), 1);
        sideband_test_feed(t, "30 exit 5 9\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_eq(sideband_test_n_live(t), 0);
}
END_TEST

START_TEST(pids_come_again) {
        static const char log[] = "10 fork 7 5\n11 comm 7 7 one exec\n12 exit 7 7\n20 fork 7 5\n21 comm 7 7 two exec\n30 fork 7 5\n";
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL);
        _cleanup_free_ char *all = NULL;

        sideband_test_feed(t, log);
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
        ck_assert_uint_eq(sideband_test_n_ended(t), 2); /* one exit was lost */
        ck_assert_int_gt(asprintf(&all, "%s%s", SHELL, log), 0);
        SIDEBAND_TEST_ASSERT(t, all);
        ck_assert_ok(sideband_table_forget_before(t, 22));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        SIDEBAND_TEST_ASSERT(t, SHELL "0 fork 7 5\n0 comm 7 7 two\n30 fork 7 5\n");
        ck_assert_ok(sideband_table_forget_before(t, 31));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        SIDEBAND_TEST_ASSERT(t, SHELL "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n");
}
END_TEST

/* Records were synthesized while others came already. */
START_TEST(the_log_knows_better_than_a_late_base) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("10 fork 7 5\n11 comm 7 7 ls exec\n12 comm 8 8 old\n");

        sideband_test_feed(t, "0 fork 7 5\n0 comm 7 7 ls\n0 map 7 1000 1000 0 /bin/ls\n0 fork 8 1\n0 comm 8 8 older\n");
        SIDEBAND_TEST_ASSERT(t, "0 fork 8 1\n0 comm 8 8 older\n10 fork 7 5\n11 comm 7 7 ls exec\n12 comm 8 8 old\n");
        sideband_test_feed(t, "0 fork 8 1\n0 comm 8 8 oldest\n");
        SIDEBAND_TEST_ASSERT(t, "0 fork 8 1\n0 comm 8 8 oldest\n10 fork 7 5\n11 comm 7 7 ls exec\n12 comm 8 8 old\n");
}
END_TEST

/* Without times in trailers, everything is base at once, and exited processes are swept. */
START_TEST(without_times) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        _cleanup_(record_buffer_done) RecordBuffer in = {}, out = {};
        _cleanup_free_ char *text = NULL;
        struct iovec segment;

        sideband_test_build(&in, 0, "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 1000 0 /bin/sh\n0 fork 7 5 inherits\n0 exit 5 5\n0 fork 7 1\n");
        segment = record_buffer_iovec(&in);
        ck_assert_ok(sideband_table_new(0, &t));
        ck_assert_ok(sideband_table_feed_segments(t, &segment, 1));
        ck_assert_uint_eq(sideband_test_n_live(t), 1);
        ck_assert_uint_eq(sideband_test_n_ended(t), 2);
        ck_assert_ok(sideband_table_put(t, NULL, &out));
        text = sideband_test_describe(&out, 0);
        ck_assert_str_eq(text, "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 1000 0 /bin/sh\n"
                               "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 1000 0 /bin/sh\n0 fork 7 1\n");
        ck_assert_ok(sideband_table_keep_only(t, (uint32_t[]) { 5 }, 1));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        ck_assert_uint_eq(sideband_test_n_live(t), 1);
}
END_TEST

TEST_RUN("sideband-apply", fork_inherits, mappings_are_copied_when_one_side_maps, exec_begins_anew,
         a_mapping_replaces_what_it_covers, threads_come_and_go, a_process_ends_with_its_last_thread, another_thread_calls_exec,
         who_maps_lives, pids_come_again, the_log_knows_better_than_a_late_base, without_times);
