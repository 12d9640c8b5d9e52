/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table knows which processes it may be wrong about after the kernel dropped records. */

#include "check-main.h"
#include "sideband-test.h"

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

CHECK_MAIN("sideband-stale", those_that_changed_before_are_right, those_that_began_since_are_stale, those_with_another_name_are_stale,
           those_that_are_not_known_are_stale, records_with_a_time_replace_a_process);
