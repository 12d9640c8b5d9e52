/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-parts.h"
#include "sideband-test.h"

#define SHELL                                 \
        "0 fork 5 1\n"                        \
        "0 comm 5 5 sh\n"                     \
        "0 map 5 1000 2000 0 /bin/sh\n"

START_TEST(forget_moves_to_the_base) {
        _cleanup_sideband_table_free_ SidebandTable *t =
                sideband_test_new(SHELL "10 fork 7 5\n11 comm 7 7 ls exec\n12 map 7 1000 1000 0 /bin/ls\n13 exit 7 7\n14 comm 5 5 bash\n");

        ck_assert_ok(sideband_table_forget_before(t, 11));
        SIDEBAND_TEST_ASSERT(t, SHELL "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n"
                                      "11 comm 7 7 ls exec\n12 map 7 1000 1000 0 /bin/ls\n13 exit 7 7\n14 comm 5 5 bash\n");
        ck_assert_ok(sideband_table_forget_before(t, 13));
        SIDEBAND_TEST_ASSERT(t, SHELL "0 fork 7 5\n0 comm 7 7 ls\n0 map 7 1000 1000 0 /bin/ls\n13 exit 7 7\n14 comm 5 5 bash\n");
        ck_assert_ok(sideband_table_forget_before(t, 14));
        SIDEBAND_TEST_ASSERT(t, SHELL "14 comm 5 5 bash\n");
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
}
END_TEST

/* After the record of a process's exit, the kernel still works for it, with samples. */
START_TEST(ends_wait_a_second) {
        static const char log[] = "1000 fork 7 5\n1001 exit 7 7\n1002 comm 5 5 bash\n2000000000 exit 5 5\n";
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;

        ck_assert_ok(sideband_table_new(SIDEBAND_TEST_TYPE, &t));
        sideband_test_feed(t, SHELL);
        sideband_test_feed(t, log);
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_ok(sideband_table_forget_before(t, 1000001001));
        SIDEBAND_TEST_ASSERT(t, "0 fork 5 1\n0 comm 5 5 bash\n0 map 5 1000 2000 0 /bin/sh\n"
                                "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n"
                                "1001 exit 7 7\n2000000000 exit 5 5\n");
        ck_assert_uint_eq(sideband_test_n_ended(t), 2);
        ck_assert_ok(sideband_table_forget_before(t, 1000001002));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_ok(sideband_table_forget_before(t, 2000000001));
        SIDEBAND_TEST_ASSERT(t, "0 fork 5 1\n0 comm 5 5 bash\n0 map 5 1000 2000 0 /bin/sh\n2000000000 exit 5 5\n");
        ck_assert_ok(sideband_table_forget_before(t, 3000000001));
        SIDEBAND_TEST_ASSERT(t, "");
}
END_TEST

START_TEST(unless_the_pid_comes_again) {
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;

        ck_assert_ok(sideband_table_new(SIDEBAND_TEST_TYPE, &t));
        sideband_test_feed(t, SHELL "0 thread 5 6\n10 exit 5 6\n11 exit 5 5\n12 fork 5 1\n13 comm 5 5 new\n14 exit 5 5\n15 comm 9 9 x\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_ok(sideband_table_forget_before(t, 20));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        SIDEBAND_TEST_ASSERT(t, "0 fork 5 1\n0 comm 5 5 new\n0 fork 9 0\n0 comm 9 9 x\n14 exit 5 5\n");
}
END_TEST

#define NINE "0 fork 9 5\n0 comm 9 9 sh\n0 map 9 1000 2000 0 /bin/sh\n"

START_TEST(keeps_those_that_samples_need) {
        _cleanup_sideband_table_free_ SidebandTable *t =
                sideband_test_new(SHELL "10 fork 7 5\n11 fork 8 5\n12 comm 7 7 seven\n13 comm 8 8 eight\n14 exit 7 7\n15 exit 8 8\n16 fork 9 5\n");
        static const uint32_t pids[] = { 3, 8, 100 };

        ck_assert_uint_eq(sideband_test_n_ended(t), 2);
        ck_assert_ok(sideband_table_keep_only(t, pids, ELEMENTSOF(pids)));
        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_uint_eq(sideband_test_n_live(t), 2);
        SIDEBAND_TEST_ASSERT(t, SHELL NINE "11 fork 8 5 alone\n11 comm 8 8 sh\n11 map 8 1000 2000 0 /bin/sh\n"
                                      "13 comm 8 8 eight\n15 exit 8 8\n");
        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        SIDEBAND_TEST_ASSERT(t, SHELL NINE);
        sideband_test_feed(t, "17 exit 9 9\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        SIDEBAND_TEST_ASSERT(t, SHELL);
}
END_TEST

/* 7 has the mapping that 5 had before it, from a log that is not base yet, not the one after it. */
START_TEST(children_keep_what_they_inherited) {
        _cleanup_sideband_table_free_ SidebandTable *t =
                sideband_test_new(SHELL "10 map 5 8000 1000 0 /lib/one.so\n11 fork 7 5\n12 map 5 9000 1000 0 /lib/two.so\n"
                                        "13 map 7 a000 1000 0 /lib/three.so\n14 comm 7 7 middle\n15 fork 8 7\n16 exit 7 7\n"
                                        "17 map 8 b000 1000 0 /lib/four.so\n");
        static const uint32_t pids[] = { 5, 8 };

        ck_assert_ok(sideband_table_keep_only(t, pids, ELEMENTSOF(pids)));
        SIDEBAND_TEST_ASSERT(t, SHELL "10 map 5 8000 1000 0 /lib/one.so\n12 map 5 9000 1000 0 /lib/two.so\n15 fork 8 7 alone\n"
                                      "15 comm 8 8 middle\n15 map 8 1000 2000 0 /bin/sh\n15 map 8 8000 1000 0 /lib/one.so\n"
                                      "15 map 8 a000 1000 0 /lib/three.so\n17 map 8 b000 1000 0 /lib/four.so\n");
        ck_assert_ok(sideband_table_forget_before(t, UINT64_MAX));
        SIDEBAND_TEST_ASSERT(t, SHELL "0 map 5 8000 1000 0 /lib/one.so\n0 map 5 9000 1000 0 /lib/two.so\n0 fork 8 7\n"
                                      "0 comm 8 8 middle\n0 map 8 1000 2000 0 /bin/sh\n0 map 8 8000 1000 0 /lib/one.so\n"
                                      "0 map 8 a000 1000 0 /lib/three.so\n0 map 8 b000 1000 0 /lib/four.so\n");
}
END_TEST

/* First 5 has samples and 7 has none, then the reverse: 7 inherited the mappings that 5 had then. */
START_TEST(lives_without_samples_move_on) {
        static const char log[] = "10 map 5 8000 1000 0 /lib/one.so\n11 fork 7 5\n12 map 5 9000 1000 0 /lib/two.so\n"
                                  "13 thread 7 8\n14 exit 7 8\n15 map 7 a000 1000 0 /lib/three.so\n";
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL), *u = sideband_test_new(SHELL);

        sideband_test_feed(t, log);
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_ok(sideband_table_keep_only(t, (uint32_t[]) { 5 }, 1));
        SIDEBAND_TEST_ASSERT(t, SHELL "0 fork 7 5\n0 comm 7 7 sh\n0 map 7 1000 2000 0 /bin/sh\n0 map 7 8000 1000 0 /lib/one.so\n"
                                      "0 map 7 a000 1000 0 /lib/three.so\n"
                                      "10 map 5 8000 1000 0 /lib/one.so\n12 map 5 9000 1000 0 /lib/two.so\n");
        sideband_test_feed(u, log);
        ck_assert_ok(sideband_table_round(u, true));
        ck_assert_ok(sideband_table_keep_only(u, (uint32_t[]) { 7 }, 1));
        SIDEBAND_TEST_ASSERT(u, SHELL "0 map 5 8000 1000 0 /lib/one.so\n0 map 5 9000 1000 0 /lib/two.so\n"
                                      "11 fork 7 5 alone\n11 comm 7 7 sh\n11 map 7 1000 2000 0 /bin/sh\n"
                                      "11 map 7 8000 1000 0 /lib/one.so\n13 thread 7 8\n14 exit 7 8\n"
                                      "15 map 7 a000 1000 0 /lib/three.so\n");
}
END_TEST

/* Each process forks the next one and exits: the last one needs none of them. */
START_TEST(a_chain_of_forks_does_not_grow) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL);
        size_t memory = 0;

        for (unsigned i = 0; i < 2000; i++) {
                char text[128];

                (void) snprintf(text, sizeof(text), "%u fork %u %u\n%u exit %u %u\n", 10 + i * 2, 6 + i, 5 + i, 11 + i * 2, 5 + i, 5 + i);
                sideband_test_feed(t, text);
                ck_assert_ok(sideband_table_round(t, true));
                if (i % 100 < 99)
                        continue;
                ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
                ck_assert_uint_eq(sideband_test_n_live(t), 1);
                ck_assert_uint_eq(sideband_test_n_ended(t), 0);
                memory = memory ?: sideband_table_memory(t);
                ck_assert_uint_eq(sideband_table_memory(t), memory);
        }
        SIDEBAND_TEST_ASSERT(t, "0 fork 2005 2004\n0 comm 2005 2005 sh\n0 map 2005 1000 2000 0 /bin/sh\n");
}
END_TEST

/* The old process instance of a pid is dropped, the new one stays. */
START_TEST(keeps_the_new_life_of_a_pid) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL "10 exit 5 5\n20 fork 5 1\n21 comm 5 5 new\n");

        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        SIDEBAND_TEST_ASSERT(t, "0 fork 5 1\n0 comm 5 5 new\n");
}
END_TEST

START_TEST(a_lost_end_is_swept_too) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL "20 fork 5 1\n21 comm 5 5 new\n");

        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        SIDEBAND_TEST_ASSERT(t, SHELL "20 fork 5 1\n21 comm 5 5 new\n");
        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        SIDEBAND_TEST_ASSERT(t, "0 fork 5 1\n0 comm 5 5 new\n");
}
END_TEST

/* Above the limit, the oldest records become base early. */
START_TEST(a_full_log_moves_on) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(SHELL);
        size_t most = 0;

        t->limit = 65536;
        for (unsigned i = 0; i < 20000; i++) {
                char text[128];

                (void) snprintf(text, sizeof(text), "%u map 5 %x 1000 0 /lib/lib-%u.so\n", 10 + i, 0x10000 + i % 16 * 0x1000, i);
                sideband_test_feed(t, text);
                if (i % 32 == 0)
                        ck_assert_ok(sideband_table_round(t, false));
                most = MAX_OF(most, sideband_table_memory(t));
        }
        ck_assert_uint_lt(most, 1 << 20);
}
END_TEST

/* The test feeds records and never ends a round. */
START_TEST(what_waits_has_a_limit) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");

        t->limit = 65536;
        for (unsigned i = 0; i < 5000; i++) {
                char text[128];

                (void) snprintf(text, sizeof(text), "%u comm 5 5 sh\n", 100000 - i);
                sideband_test_feed(t, text);
        }
        ck_assert_uint_lt(sideband_table_memory(t), 1 << 20);
        ck_assert_uint_eq(sideband_test_n_live(t), 1);
}
END_TEST

TEST_RUN("sideband-forget", forget_moves_to_the_base, ends_wait_a_second, unless_the_pid_comes_again,
         keeps_those_that_samples_need, children_keep_what_they_inherited, lives_without_samples_move_on,
         a_chain_of_forks_does_not_grow, keeps_the_new_life_of_a_pid, a_lost_end_is_swept_too, a_full_log_moves_on,
         what_waits_has_a_limit);
