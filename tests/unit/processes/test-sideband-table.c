/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

#define BASE                             \
        "0 kernel ffff0000 1000 [kernel.kallsyms]_text\n" \
        "0 fork 1 0\n"                   \
        "0 comm 1 1 init\n"              \
        "0 map 1 1000 2000 0 /sbin/init\n" \
        "0 fork 5 1\n"                   \
        "0 ns 5 5 700\n"                 \
        "0 comm 5 5 sh\n"                \
        "0 map 5 1000 2000 0 /bin/sh\n"  \
        "0 map 5 8000 1000 3000 /lib/libc.so\n" \
        "0 thread 5 6\n"                 \
        "0 ns 5 6 700\n"                 \
        "0 comm 5 6 worker\n"

START_TEST(base_is_as_it_was_fed) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(BASE);

        SIDEBAND_TEST_ASSERT(t, BASE);
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        ck_assert_ok(sideband_table_forget_before(t, UINT64_MAX));
        SIDEBAND_TEST_ASSERT(t, BASE);
}
END_TEST

START_TEST(records_since_stay_as_they_came) {
        static const char since[] = "100 fork 7 5\n"
                                    "101 comm 7 7 ls exec\n"
                                    "102 map 7 1000 2000 0 /bin/ls\n"
                                    "103 comm 5 6 renamed\n"
                                    "104 ksymbol ffff9000 bpf_prog_1\n"
                                    "105 bpf 9\n"
                                    "106 bpf 10\n"
                                    "107 poke ffff0010 cc\n"
                                    "108 ns 7 7 800\n"
                                    "109 thread 7 8\n"
                                    "110 exit 7 8\n"
                                    "111 exit 7 7\n";
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(BASE);
        char *all;

        sideband_test_feed(t, since);
        ck_assert_int_gt(asprintf(&all, "%s%s", BASE, since), 0);
        SIDEBAND_TEST_ASSERT(t, all); /* records that wait for their round are put too */
        ck_assert_ok(sideband_table_round(t, true));
        SIDEBAND_TEST_ASSERT(t, all);
        free(all);
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
}
END_TEST

/* In a container, all processes of the host have the same pid. */
START_TEST(who_is_outside_is_left_out) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(BASE);

        sideband_test_feed(t, "100 fork 0 0\n101 comm 0 0 ls exec\n102 map 0 1000 2000 0 /bin/ls\n"
                              "103 ns 0 0 800\n104 exit 0 0\n");
        SIDEBAND_TEST_ASSERT(t, BASE);
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
}
END_TEST

/* The records of another CPU come later, at the latest in the next round. */
START_TEST(rounds_put_records_in_order) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");

        sideband_test_feed(t, "20 comm 7 7 ls\n40 exit 7 7\n");
        ck_assert_ok(sideband_table_round(t, false));
        sideband_test_feed(t, "10 fork 7 1\n60 fork 9 1\n30 map 7 1000 1000 0 /bin/ls\n");
        ck_assert_ok(sideband_table_round(t, false));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_uint_eq(sideband_test_n_live(t), 0);
        SIDEBAND_TEST_ASSERT(t, "10 fork 7 1\n20 comm 7 7 ls\n30 map 7 1000 1000 0 /bin/ls\n40 exit 7 7\n60 fork 9 1\n");
        sideband_test_feed(t, "50 fork 8 1\n");
        ck_assert_ok(sideband_table_round(t, false));
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
        SIDEBAND_TEST_ASSERT(t, "10 fork 7 1\n20 comm 7 7 ls\n30 map 7 1000 1000 0 /bin/ls\n40 exit 7 7\n50 fork 8 1\n60 fork 9 1\n");
}
END_TEST

#define SHELL "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 2000 0 /bin/sh\n"

static SidebandSeen look(const char *records, uint32_t pid, const char *name, uint64_t since) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(records);
        SidebandSeen seen[] = { { .pid = 1, .name = "init" }, { .pid = pid, .name = name } };

        sideband_table_find_stale(t, since, seen, 2);
        ck_assert(seen[0].stale && !seen[0].known);
        return seen[1];
}

START_TEST(those_that_changed_before_are_right) {
        ck_assert(!look(SHELL, 5, "sh", 100).stale);
        ck_assert(!look(SHELL "10 fork 7 5\n", 7, "sh", 100).stale);
        ck_assert(!look(SHELL "10 fork 7 5\n11 comm 7 7 ls exec\n", 7, "ls", 100).stale);
        ck_assert(!look(SHELL "10 comm 5 5 renamed\n", 5, "renamed", 100).stale);
        ck_assert(!look(SHELL "10 fork 7 5\n11 comm 5 5 renamed\n12 thread 7 8\n13 comm 7 8 worker\n", 7, "sh", 100).stale);
}
END_TEST

/* Since the records before are not in doubt, their time limits what is replaced. */
START_TEST(those_that_began_since_are_stale) {
        SidebandSeen s = look(SHELL "110 fork 7 5\n", 7, "sh", 100);

        ck_assert(s.stale && s.known);
        ck_assert_uint_eq(s.since, 110);
        s = look(SHELL "10 fork 7 5\n120 comm 7 7 ls exec\n", 7, "ls", 100);
        ck_assert(s.stale && s.known);
        ck_assert_uint_eq(s.since, 120);
}
END_TEST

START_TEST(those_with_another_name_are_stale) {
        SidebandSeen s = look(SHELL "10 fork 7 5\n", 7, "ls", 100);

        ck_assert(s.stale && s.known);
        ck_assert_uint_eq(s.since, 100);
        ck_assert(look(SHELL "10 fork 7 5\n11 comm 7 7 ls exec\n", 7, "sh", 100).stale);
}
END_TEST

START_TEST(those_that_are_not_known_are_stale) {
        SidebandSeen s = look(SHELL, 7, "ls", 100);

        ck_assert(s.stale && !s.known);
        ck_assert_uint_eq(s.since, 100);
        s = look(SHELL "10 exit 5 5\n", 5, "sh", 100); /* the number is another's now */
        ck_assert(s.stale && !s.known);
}
END_TEST

/* The records that are made of /proc replace the state, from that time on. */
START_TEST(records_with_a_time_replace_a_process) {
        sideband_test_assert_base(SHELL "10 fork 7 5\n100 fork 7 5 alone\n100 comm 7 7 ls\n100 map 7 7000 1000 0 /bin/ls\n",
                                  SHELL "0 fork 7 5\n0 comm 7 7 ls\n0 map 7 7000 1000 0 /bin/ls\n");
}
END_TEST

TEST_RUN("sideband-table", base_is_as_it_was_fed, records_since_stay_as_they_came, who_is_outside_is_left_out,
         rounds_put_records_in_order, those_that_changed_before_are_right, those_that_began_since_are_stale,
         those_with_another_name_are_stale, those_that_are_not_known_are_stale, records_with_a_time_replace_a_process);
