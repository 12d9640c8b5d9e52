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

/* Processes with too many maps, few and many, beside ordinary ones. */

#define OLD_SHELL "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 1000 1000 0 /bin/sh\n"

static char long_path[4001];

static void feed_map(SidebandTable *t, uint32_t pid, uint64_t start, const char *path, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = SIDEBAND_TEST_TYPE, .pid = time > 0 ? pid : 0, .tid = pid, .time = time };
        static RecordBuffer b;
        const struct perf_event_header *h;

        record_buffer_reset(&b);
        ck_assert_ok(record_put_mmap2(&b,
                                      &(RecordMap) {
                                              .pid = pid, .tid = pid, .start = start, .length = 4096,
                                              .misc = PERF_RECORD_MISC_USER, .path = path,
                                      },
                                      &trailer));
        h = (const void *) b.data;
        ck_assert_ok(sideband_table_feed(t, h, h->size));
}

static void feed_honest(SidebandTable *t, uint32_t pid, uint32_t n) {
        char path[64];

        for (uint32_t i = 0; i < n; i++) {
                (void) snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/libhonest-%u.so", i);
                feed_map(t, pid, (uint64_t) (i + 1) << 20, path, 0);
        }
}

static size_t count_maps(const SidebandTable *t, uint32_t pid) {
        const SidebandProcess *p = sideband_process_find(t, pid);

        return p && p->maps ? p->maps->list.n : 0;
}

static int discard(void *userdata, const struct iovec *records) {
        *(size_t *) userdata += records->iov_len;
        return 0;
}

static size_t put_all(SidebandTable *t) {
        size_t bytes = 0;
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = discard, .userdata = &bytes };

        ck_assert_ok(sideband_table_put(t, NULL, &b));
        ck_assert_ok(byte_buffer_flush(&b));
        ck_assert_uint_le(b.allocated, 2 * BYTE_BUFFER_PIECE + 256);
        return bytes;
}

/* Feeds hostile processes with 16,000 mappings each. */
static void map_much(SidebandTable *t, uint32_t n_hostile, uint32_t n_maps) {
        for (uint32_t i = 0; i < 300; i++)
                feed_honest(t, 1000 + i, 30);
        feed_honest(t, 1300, 3000); /* as large as honest ones */
        for (uint32_t k = 0; k < n_maps; k++)
                for (uint32_t i = 0; i < n_hostile; i++)
                        feed_map(t, 5000 + i, (uint64_t) (k + 1) << 13, long_path, 0);
}

START_TEST(five_that_map_much) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
        uint64_t mappings;
        size_t processes;

        map_much(t, 5, 16000);
        for (uint32_t i = 0; i < 300; i++)
                ck_assert_uint_eq(count_maps(t, 1000 + i), 30);
        ck_assert_uint_eq(count_maps(t, 1300), 3000);
        ck_assert_uint_lt(put_all(t), 5 * (SIDEBAND_TABLE_SHARE + 4096) + 3 * 1024 * 1024);
        ck_assert_uint_lt(sideband_table_memory(t), 4 * 1024 * 1024);
        sideband_table_left_out(t, &mappings, &processes);
        ck_assert_uint_eq(processes, 5);
        ck_assert_uint_eq(mappings, 5 * (16000 - count_maps(t, 5000)));
}
END_TEST

/* Their shares exceed the total limit, yet those of the others are not reduced. */
START_TEST(hundreds_that_map_much) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");

        t->total = 16 * 1024 * 1024;
        map_much(t, 500, 100);
        for (uint32_t i = 0; i < 300; i++)
                ck_assert_uint_eq(count_maps(t, 1000 + i), 30);
        ck_assert_uint_gt(count_maps(t, 5000), 2);
        ck_assert_uint_le(t->base_records, 16 * 1024 * 1024);
        ck_assert_uint_lt(put_all(t), 17 * 1024 * 1024);
}
END_TEST

/* On a machine with very many processes, no process with few maps loses any. */
START_TEST(thousands_that_map_little) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");

        t->total = 4 * 1024 * 1024;
        for (uint32_t i = 0; i < 1500; i++)
                feed_honest(t, 1000 + i, 40);
        for (uint64_t k = 0; k < 500; k++)
                feed_map(t, 5000, k << 13, long_path, 0);
        for (uint32_t i = 0; i < 1500; i++)
                ck_assert_uint_eq(count_maps(t, 1000 + i), 40);
        ck_assert_uint_gt(t->base_records, 4 * 1024 * 1024);
        for (uint32_t i = 0; i < 5000; i++) /* up to a limit */
                feed_honest(t, 10000 + i, 40);
        ck_assert_uint_le(t->base_records, SIDEBAND_TABLE_TOTAL_FACTOR * 4 * 1024 * 1024);
}
END_TEST

/* Children share inherited maps in memory, but not in the records that are put. */
START_TEST(many_children) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");

        t->total = 32 * 1024 * 1024;
        feed_honest(t, 1000, 30);
        for (uint32_t k = 0; k < 400; k++)
                feed_map(t, 5000, (uint64_t) (k + 1) << 13, long_path, 0);
        for (uint32_t i = 1; i < 3000; i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                const struct perf_event_header *h;

                ck_assert_ok(record_put_fork(&b, 5000 + i, 5000, 5000 + i, 5000, i, 0, &(RecordTrailer) {
                        .sample_type = SIDEBAND_TEST_TYPE, .time = i, .pid = 5000, .tid = 5000 }));
                h = (const void *) b.data;
                ck_assert_ok(sideband_table_feed(t, h, h->size));
                if (i % 100 == 0) {
                        ck_assert_ok(sideband_table_round(t, true));
                        ck_assert_ok(sideband_table_forget_before(t, i));
                        ck_assert_ok(sideband_table_round(t, true));
                        ck_assert_uint_le(t->base_records, 32 * 1024 * 1024);
                }
        }
        ck_assert_uint_eq(count_maps(t, 1000), 30);
        ck_assert_uint_lt(put_all(t), 33 * 1024 * 1024);
}
END_TEST

/* A process maps all the time, for a minute: its log becomes base, the others' stays. */
START_TEST(a_storm) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(OLD_SHELL);
        size_t most = 0;

        sideband_test_feed(t, "10 comm 5 5 old\n11 map 5 1000 1000 0 /bin/old\n12 comm 5 5 new exec\n13 map 5 1000 1000 0 /bin/new\n");
        for (uint64_t i = 0; i < 60000; i++) {
                feed_map(t, 66, i % 16000 << 13, long_path, 100 + i);
                if (i % 50 == 0)
                        ck_assert_ok(sideband_table_round(t, false));
                most = MAX_OF(most, t->log.records);
        }
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_lt(most, 8 * 1024 * 1024);
        ck_assert_uint_lt(put_all(t), 8 * 1024 * 1024);
        sideband_test_assert(t, (const uint32_t[]) { 5 }, 1,
                             OLD_SHELL "10 comm 5 5 old\n11 map 5 1000 1000 0 /bin/old\n12 comm 5 5 new exec\n"
                                   "13 map 5 1000 1000 0 /bin/new\n");
        ck_assert_ok(sideband_table_forget_before(t, UINT64_C(5000000000)));
        ck_assert(map_list_find(&sideband_process_find(t, 66)->maps->list, 59999 % 16000 << 13));
}
END_TEST

/* Hundreds of logs are below their share, but too large together: these are reduced, not the oldest. */
START_TEST(many_storms) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(OLD_SHELL);

        t->limit = 16 * 1024 * 1024;
        sideband_test_feed(t, "10 comm 5 5 old\n12 comm 5 5 new exec\n");
        for (uint64_t i = 0; i < 30000; i++) {
                feed_map(t, 1000 + (uint32_t) (i % 100), i / 100 << 13, long_path, 100 + i);
                if (i % 50 == 0)
                        ck_assert_ok(sideband_table_round(t, false));
        }
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_uint_le(t->log.records, 16 * 1024 * 1024);
        sideband_test_assert(t, (const uint32_t[]) { 5 }, 1, OLD_SHELL "10 comm 5 5 old\n12 comm 5 5 new exec\n");
}
END_TEST

#define MUCH "map 9 1000 1000 0 /m\n"

/* A process whose log becomes base keeps its exit, and the maps that its child inherited. */
START_TEST(what_becomes_base) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(
                OLD_SHELL "10 fork 9 5\n11 " MUCH "12 fork 8 9\n13 map 9 2000 1000 0 /later\n14 comm 8 8 child\n15 exit 9 9\n");

        ck_assert_ok(sideband_fold_log(t, sideband_process_find(t, 8)->log_records));
        SIDEBAND_TEST_ASSERT(t, OLD_SHELL "0 fork 9 5\n0 comm 9 9 sh\n0 map 9 1000 1000 0 /m\n0 map 9 2000 1000 0 /later\n"
                                      "12 fork 8 9 alone\n12 comm 8 8 sh\n12 map 8 1000 1000 0 /m\n14 comm 8 8 child\n15 exit 9 9\n");
        ck_assert_ok(sideband_table_forget_before(t, UINT64_C(5000000000)));
        SIDEBAND_TEST_ASSERT(t, OLD_SHELL "0 fork 8 9\n0 comm 8 8 child\n0 map 8 1000 1000 0 /m\n");
}
END_TEST

START_TEST(an_older_life_of_the_pid) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(
                OLD_SHELL "10 fork 9 5\n11 exit 9 9\n12 fork 9 5\n13 " MUCH "14 " MUCH "15 " MUCH);

        ck_assert_uint_eq(sideband_test_n_ended(t), 1);
        ck_assert_ok(sideband_fold_log(t, sideband_process_find(t, 9)->older->log_records));
        ck_assert_uint_eq(sideband_test_n_ended(t), 0);
        SIDEBAND_TEST_ASSERT(t, OLD_SHELL "0 fork 9 5\n0 comm 9 9 sh\n0 map 9 1000 1000 0 /m\n");
}
END_TEST

/* Control groups that come and go belong to no process. */
START_TEST(a_storm_of_control_groups) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(OLD_SHELL "1 comm 5 5 old\n2 comm 5 5 new\n");
        static char text[4200];

        for (unsigned i = 0; i < 20000; i++) {
                (void) snprintf(text, sizeof(text), "%u cgroup %u /%s%u\n", 10 + i, i, long_path + 200, i);
                sideband_test_feed(t, text);
                if (i % 100 == 0)
                        ck_assert_ok(sideband_table_round(t, true));
        }
        ck_assert_uint_lt(t->log.records, 8 * 1024 * 1024);
        ck_assert_uint_lt(put_all(t), 20 * 1024 * 1024);
        ck_assert_uint_lt(sideband_table_memory(t), 40 * 1024 * 1024);
}
END_TEST

START_TEST(each_is_told_once) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(OLD_SHELL);
        SidebandLeftOut l = {};
        uint64_t mappings;
        size_t processes;

        ck_assert(!sideband_table_take_left_out(t, &l));
        for (unsigned round = 0; round < 2; round++) {
                for (uint64_t k = 0; k < 1000; k++)
                        feed_map(t, 5, (k + 10) << 13, long_path, 0);
                ck_assert_int_eq(sideband_table_take_left_out(t, &l), round == 0);
                ck_assert(!sideband_table_take_left_out(t, &l));
        }
        ck_assert_uint_eq(l.pid, 5);
        ck_assert_str_eq(l.name, "sh");
        ck_assert_uint_gt(l.left_out, 100);

        feed_honest(t, 6, 1);
        sideband_table_leave_out(t, 6, 77);
        sideband_table_leave_out(t, 7, 88); /* a process that does not exist */
        ck_assert(sideband_table_take_left_out(t, &l));
        ck_assert_uint_eq(l.pid, 6);
        ck_assert_str_eq(l.name, "");
        ck_assert_uint_eq(l.left_out, 77);
        ck_assert(!sideband_table_take_left_out(t, &l));
        sideband_test_assert(t, (const uint32_t[]) { 6 }, 1, "0 fork 6 0\n0 map 6 100000 1000 0 /usr/lib/x86_64-linux-gnu/libhonest-0.so\n");
        sideband_table_left_out(t, &mappings, &processes); /* of the records that were put */
        ck_assert_uint_eq(mappings, 77);
        ck_assert_uint_eq(processes, 1);
        sideband_test_feed(t, "10 comm 6 6 other exec\n");
        ck_assert_ok(sideband_table_round(t, true));
        ck_assert_ok(sideband_table_forget_before(t, UINT64_C(5000000000)));
        sideband_test_assert(t, (const uint32_t[]) { 6 }, 1, "0 fork 6 0\n0 comm 6 6 other\n");
        sideband_table_left_out(t, &mappings, &processes); /* another program has its own */
        ck_assert_uint_eq(mappings, 0);
}
END_TEST

static void __attribute__((constructor)) make_path(void) {
        memset(long_path, 'd', sizeof(long_path) - 1);
        long_path[0] = '/';
}

TEST_RUN("sideband-forget", forget_moves_to_the_base, ends_wait_a_second, unless_the_pid_comes_again,
         keeps_those_that_samples_need, children_keep_what_they_inherited, lives_without_samples_move_on,
         a_chain_of_forks_does_not_grow, keeps_the_new_life_of_a_pid, a_lost_end_is_swept_too, a_full_log_moves_on,
         what_waits_has_a_limit, five_that_map_much, hundreds_that_map_much, thousands_that_map_little, many_children, a_storm,
         many_storms, what_becomes_base, an_older_life_of_the_pid, a_storm_of_control_groups, each_is_told_once);
