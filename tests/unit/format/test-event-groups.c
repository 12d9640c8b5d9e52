/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "event-groups.h"
#include "perfdata-test.h"

static void put_group(ByteBuffer *b, const char *name, uint32_t leader, uint32_t n) {
        byte_buffer_put_string(b, name);
        byte_buffer_put_u32(b, leader);
        byte_buffer_put_u32(b, n);
}

static PerfDataReader *reader_with(ByteBuffer *groups) {
        _cleanup_free_ char *path = test_path("groups.data");
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        PerfDataReader *reader = NULL;
        const PerfDataEvent *events;
        size_t n;

        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_GROUP_DESC, groups));
        events = test_events(&n);
        ck_assert_uint_eq(n, 2);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *plain = test_golden("perf-6.1-plain.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL, *without = NULL;
        _cleanup_free_ EventGroup *groups = NULL, *none = NULL;
        size_t n;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(event_groups_read(reader, &groups, &n));
        ck_assert_uint_eq(n, 1);
        ck_assert_ptr_null(groups[0].name);
        ck_assert_uint_eq(groups[0].leader, 0);
        ck_assert_uint_eq(groups[0].n, 2);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, plain, &without));
        ck_assert_ok(event_groups_read(without, &none, &n));
        ck_assert_uint_eq(n, 0);
}
END_TEST

/* Groups are in the order of the events, have some, and share none. */
START_TEST(broken) {
        static const struct {
                uint32_t leader, n;
                size_t good;
        } second[] = { { 1, 1, 2 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 }, { 1, UINT32_MAX, 1 } };

        for (size_t i = 0; i < ELEMENTSOF(second); i++) {
                _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
                _cleanup_free_ EventGroup *groups = NULL;
                ByteBuffer b = {};
                size_t n;

                byte_buffer_put_u32(&b, UINT32_MAX);
                put_group(&b, "web", 0, 1);
                put_group(&b, "db", second[i].leader, second[i].n);
                reader = reader_with(&b);
                ck_assert_ok(event_groups_read(reader, &groups, &n));
                ck_assert_uint_eq(n, second[i].good);
                ck_assert_str_eq(groups[0].name, "web");
        }
}
END_TEST

TEST_RUN("event-groups", golden, broken);
