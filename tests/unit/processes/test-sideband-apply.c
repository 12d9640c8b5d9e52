/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

/* One record of each kind. */
#define RECORDS                                \
        "0 cgroup 3 /x\n"                      \
        "10 fork 7 5\n"                        \
        "11 thread 7 8\n"                      \
        "12 comm 7 7 a-rather-long-name exec\n" \
        "13 map 7 1000 1000 0 /bin/a\n"        \
        "14 ns 7 7 3\n"                        \
        "15 ksymbol ffff0000 x\n"              \
        "16 bpf 3\n"                           \
        "18 poke ffff0000 aa\n"                \
        "19 kernel ffff0000 1000 [a]\n"        \
        "20 exit 7 8\n"

/* Records are the same byte for byte, with trailers of any layout that has a time. */
START_TEST(records_come_out_as_they_went_in) {
        static const uint64_t fields[] = { PERF_SAMPLE_TID, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };

        for (unsigned bits = 0; bits < 1u << ELEMENTSOF(fields); bits++) {
                _cleanup_(record_buffer_done) RecordBuffer in = {}, out = {};
                _cleanup_sideband_table_free_ SidebandTable *t = NULL;
                uint64_t type = PERF_SAMPLE_TIME;

                for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                        type |= bits >> i & 1 ? fields[i] : 0;
                for (unsigned i = 0; i < 3; i++) {
                        const RecordTrailer trailer = {
                                .sample_type = type, .pid = 7, .tid = 8 + i, .time = 50 + i, .id = 90 + i, .stream_id = 80, .cpu = i,
                        };

                        ck_assert_ok(record_put_comm(&in, 7, 7, "some", PERF_RECORD_MISC_COMM_EXEC, &trailer));
                        ck_assert_ok(record_put_fork(&in, 9 + i, 7, 9 + i, 7, 50 + i, 0, &trailer));
                }
                ck_assert_ok(sideband_table_new(type, &t));
                ck_assert_ok(sideband_table_feed_segments(t, &(struct iovec) { in.data, in.size }, 1));
                ck_assert_ok(sideband_table_round(t, true));
                ck_assert_ok(sideband_table_put(t, NULL, &out));
                ck_assert_uint_eq(in.size, out.size);
                ck_assert_mem_eq(in.data, out.data, in.size);
        }
}
END_TEST

START_TEST(all_kinds) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(RECORDS);

        SIDEBAND_TEST_ASSERT(t, RECORDS);
}
END_TEST

/* A record of any size and contents is taken as a whole or not at all. */
START_TEST(broken_records_are_ignored) {
        _cleanup_(record_buffer_done) RecordBuffer good = {};
        const struct perf_event_header *h;
        size_t cursor = 0;

        sideband_test_build(&good, SIDEBAND_TEST_TYPE, RECORDS);
        while (record_next(good.data, good.size, &cursor, &h) == 1)
                for (uint16_t size = 0; size <= h->size; size++) {
                        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
                        _cleanup_(record_buffer_done) RecordBuffer out = {};
                        struct perf_event_header *copy = malloc(h->size);

                        ck_assert_ptr_nonnull(copy);
                        memcpy(copy, h, h->size);
                        copy->size = size;
                        ck_assert_ok(sideband_table_feed(t, copy, size));
                        ck_assert_ok(sideband_table_feed(t, copy, h->size));
                        ck_assert_ok(sideband_table_round(t, true));
                        ck_assert_ok(sideband_table_forget_before(t, UINT64_MAX));
                        ck_assert_ok(sideband_table_put(t, NULL, &out));
                        free(copy);
                }
}
END_TEST

START_TEST(what_says_too_much_is_ignored) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint64_t many = UINT64_MAX / 16 + 1;

        sideband_test_build(&b, SIDEBAND_TEST_TYPE, "10 ns 7 7 3\n");
        memcpy(b.data + 16, &many, sizeof(many));
        ck_assert_ok(sideband_table_feed(t, (const void *) b.data, b.size));
        record_buffer_reset(&b);
        sideband_test_build(&b, SIDEBAND_TEST_TYPE, "10 poke ffff0000 aa\n");
        memset(b.data + 16, 0xff, 4);
        ck_assert_ok(sideband_table_feed(t, (const void *) b.data, b.size));
        record_buffer_reset(&b);
        sideband_test_build(&b, SIDEBAND_TEST_TYPE, "10 map 7 fffffffffffff000 2000 0 /x\n11 map 7 1000 0 0 /x\n");
        ck_assert_ok(sideband_table_feed_segments(t, &(struct iovec) { b.data, b.size }, 1));
        ck_assert_ok(sideband_table_round(t, true));
        SIDEBAND_TEST_ASSERT(t, "");
        ck_assert_uint_eq(sideband_test_n_live(t), 0);
}
END_TEST

START_TEST(others_are_ignored) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_finished_init(&b));
        ck_assert_ok(record_put_lost_samples(&b, 3, &(RecordTrailer) { .sample_type = SIDEBAND_TEST_TYPE }));
        ck_assert_ok(sideband_table_feed_segments(t, &(struct iovec) { b.data, b.size }, 1));
        ck_assert_int_eq(sideband_table_feed_segments(t, &(struct iovec) { b.data, b.size - 8 }, 1), -EBADMSG);
        SIDEBAND_TEST_ASSERT(t, "");
}
END_TEST

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

TEST_RUN("sideband-apply", records_come_out_as_they_went_in, all_kinds, broken_records_are_ignored,
         what_says_too_much_is_ignored, others_are_ignored, fork_inherits, mappings_are_copied_when_one_side_maps,
         exec_begins_anew, a_mapping_replaces_what_it_covers, threads_come_and_go, a_process_ends_with_its_last_thread,
         another_thread_calls_exec, who_maps_lives, pids_come_again, the_log_knows_better_than_a_late_base, without_times);
