/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "event-index.h"
#include "perfdata-test.h"

static const struct perf_event_header *first(const RecordBuffer *b) {
        return (const struct perf_event_header *) b->data;
}

START_TEST(by_identifier) {
        _cleanup_(record_buffer_done) RecordBuffer sample = {}, comm = {}, round = {};
        RecordTrailer t = { .sample_type = TEST_SAMPLE_TYPE, .id = 22 };
        _cleanup_event_index_free_ EventIndex *x = NULL;
        const PerfDataEvent *events;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(event_index_new(events, n, &x));
        test_put_sample(&sample, 12, 0, 1, 2, 3);
        ck_assert_ptr_eq(event_index_find(x, first(&sample)), events);
        ck_assert_ok(record_put_comm(&comm, 1, 2, "x", 0, &t));
        ck_assert_ptr_eq(event_index_find(x, first(&comm)), events + 1);
        ck_assert_ok(record_put_finished_round(&round));
        ck_assert_ptr_null(event_index_find(x, first(&round)));
        ck_assert_ptr_eq(event_index_find_id(x, 21), events + 1);
        ck_assert_ptr_null(event_index_find_id(x, 13));
}
END_TEST

START_TEST(by_id_within) {
        static const uint64_t one[] = { 1 }, two[] = { 2 };
        struct perf_event_attr a = {
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU, .sample_id_all = 1,
        };
        PerfDataEvent events[] = { { .attr = a, .ids = one, .n_ids = 1 }, { .attr = a, .ids = two, .n_ids = 1 } };
        struct {
                struct perf_event_header h;
                uint64_t words[4];
        } r = { .h = { .type = PERF_RECORD_SAMPLE, .size = 40 }, .words = { 0, 0, 2, 1 } };
        _cleanup_event_index_free_ EventIndex *x = NULL;

        ck_assert_ok(event_index_new(events, 2, &x));
        ck_assert_ptr_eq(event_index_find(x, &r.h), events + 1);
        r.h.type = PERF_RECORD_COMM;
        ck_assert_ptr_eq(event_index_find(x, &r.h), events + 1);
        r.h.size = 16;
        ck_assert_ptr_null(event_index_find(x, &r.h)); /* too short for an id */
        r.h.size = 8;
        ck_assert_ptr_null(event_index_find(x, &r.h));
}
END_TEST

START_TEST(places_that_differ) {
        static const uint64_t one[] = { 0 }, two[] = { 2 };
        PerfDataEvent events[] = {
                { .attr = { .sample_type = PERF_SAMPLE_ID }, .ids = one, .n_ids = 1 },
                { .attr = { .sample_type = PERF_SAMPLE_ID | PERF_SAMPLE_IP }, .ids = two, .n_ids = 1 },
        };
        struct {
                struct perf_event_header h;
                uint64_t words[4];
        } r = { .h = { .type = PERF_RECORD_SAMPLE, .size = 40 } };
        _cleanup_event_index_free_ EventIndex *x = NULL, *single = NULL, *none = NULL;

        ck_assert_ok(event_index_new(events, 2, &x));
        ck_assert_ptr_null(event_index_find(x, &r.h));
        ck_assert_ok(event_index_new(events, 1, &single));
        ck_assert_ptr_eq(event_index_find(single, &r.h), events);
        ck_assert_ok(event_index_new(NULL, 0, &none));
        ck_assert_ptr_null(event_index_find(none, &r.h));
}
END_TEST

TEST_RUN("event-index", by_identifier, by_id_within, places_that_differ);
