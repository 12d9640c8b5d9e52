/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(lays_out_ids_then_attributes) {
        _cleanup_free_ void *front = NULL;
        const PerfDataEvent *events;
        const PerfFileHeader *h;
        const PerfFileAttr *attrs;
        size_t n, size;

        events = test_events(&n);
        ck_assert_ok(perf_data_header_build(events, n, &front, &size));
        h = front;
        ck_assert_uint_eq(sizeof(*h), 104);
        ck_assert_int_eq(memcmp(front, "PERFILE2", 8), 0);
        ck_assert_uint_eq(h->size, 104);
        ck_assert_uint_eq(h->attr_size, sizeof(struct perf_event_attr) + 16);
        ck_assert_uint_eq(h->attrs.offset, 104 + 4 * 8);
        ck_assert_uint_eq(h->attrs.size, 2 * h->attr_size);
        ck_assert_uint_eq(h->data.offset, size);
        ck_assert_uint_eq(h->data.size, 0);
        ck_assert_uint_eq(h->features[0], 0);

        attrs = (const PerfFileAttr *) ((const char *) front + h->attrs.offset);
        ck_assert_uint_eq(attrs[0].ids.offset, 104);
        ck_assert_uint_eq(attrs[0].ids.size, 16);
        ck_assert_uint_eq(attrs[1].ids.offset, 120);
        ck_assert_uint_eq(attrs[1].attr.config, PERF_COUNT_SW_DUMMY);
        ck_assert_uint_eq(attrs[1].attr.size, sizeof(struct perf_event_attr));
        ck_assert_uint_eq(*(const uint64_t *) ((const char *) front + 120), 21);
}
END_TEST

START_TEST(no_event_is_a_file_too) {
        _cleanup_free_ void *front = NULL;
        size_t size;

        ck_assert_ok(perf_data_header_build(NULL, 0, &front, &size));
        ck_assert_uint_eq(size, 104);
}
END_TEST

START_TEST(too_many_ids_are_refused) {
        PerfDataEvent e = { .n_ids = SIZE_MAX };
        void *front = NULL;
        size_t size;

        ck_assert_int_eq(perf_data_header_build(&e, 1, &front, &size), -E2BIG);
        ck_assert_ptr_null(front);
}
END_TEST

START_TEST(feature_bits) {
        PerfFileHeader h = {};

        perf_data_header_set_feature(&h, 1);
        perf_data_header_set_feature(&h, 64);
        ck_assert_uint_eq(h.features[0], 2);
        ck_assert_uint_eq(h.features[1], 1);
        ck_assert(perf_data_header_has_feature(&h, 64));
        ck_assert(!perf_data_header_has_feature(&h, 2));
        ck_assert(!perf_data_header_has_feature(&h, 1000));
}
END_TEST

TEST_RUN("header", lays_out_ids_then_attributes, no_event_is_a_file_too, too_many_ids_are_refused, feature_bits);
