/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(walks_whole_records) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct perf_event_header *r;
        size_t cursor = 0;

        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_comm(&b, 1, 2, "name", 0, NULL));
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_FINISHED_ROUND);
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_COMM);
        ck_assert_uint_eq(r->size, 24);
        ck_assert_str_eq((const char *) r + 16, "name");
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
}
END_TEST

START_TEST(refuses_what_does_not_fit) {
        struct perf_event_header records[4] = { { .size = 8 }, { .size = 8 } };
        static const uint16_t bad[] = { 0, 4, 7, 9, 12, 32, 0xfff8, 0xffff };
        const struct perf_event_header *r = NULL;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                size_t cursor = 8;

                records[1].size = bad[i];
                ck_assert_int_eq(record_next(records, sizeof(records), &cursor, &r), -EBADMSG);
                ck_assert_uint_eq(cursor, 8);
                ck_assert_ptr_null(r);
        }
        ck_assert_int_eq(record_next(records, 12, &(size_t) { 8 }, &r), -EBADMSG);
}
END_TEST

START_TEST(a_failed_record_is_taken_back) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordThread *threads = calloc(5000, sizeof(*threads));

        ck_assert_ptr_nonnull(threads);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_int_eq(record_put_thread_map(&b, threads, 5000), -E2BIG);
        ck_assert_uint_eq(b.size, 8);
        ck_assert_ok(record_put_thread_map(&b, threads, 2));
        ck_assert_uint_eq(b.size, 8 + 16 + 48);
        free(threads);
}
END_TEST

TEST_RUN("record", walks_whole_records, refuses_what_does_not_fit, a_failed_record_is_taken_back);
