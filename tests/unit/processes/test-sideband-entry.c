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

TEST_RUN("sideband-entry", records_come_out_as_they_went_in, all_kinds, broken_records_are_ignored,
         what_says_too_much_is_ignored, others_are_ignored);
