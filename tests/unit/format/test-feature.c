/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"

START_TEST(put_get_replace_remove) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        size_t size;

        ck_assert_ok(feature_table_new(&t));
        ck_assert(!feature_table_get(t, PERF_FEATURE_HOSTNAME, &data, &size));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_HOSTNAME, "abc", 3));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_HOSTNAME, "defg", 4));
        ck_assert(feature_table_get(t, PERF_FEATURE_HOSTNAME, &data, &size));
        ck_assert_uint_eq(size, 4);
        ck_assert_mem_eq(data, "defg", 4);
        ck_assert_uint_eq(feature_table_size(t), 16 + 4);
}
END_TEST

START_TEST(empty_is_not_absent) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        size_t size;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_BRANCH_STACK, NULL, 0));
        ck_assert(feature_table_get(t, PERF_FEATURE_BRANCH_STACK, &data, &size));
        ck_assert_uint_eq(size, 0);
        ck_assert_uint_eq(feature_table_size(t), 16);
}
END_TEST

START_TEST(refuses_what_is_no_feature) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        ByteBuffer b = {};

        ck_assert_ok(feature_table_new(&t));
        ck_assert_int_eq(feature_table_put(t, 0, "x", 1), -EINVAL);
        ck_assert_int_eq(feature_table_put(t, 64, "x", 1), -EINVAL);
        (void) byte_buffer_extend(&b, SIZE_MAX);
        ck_assert_int_eq(feature_table_take(t, PERF_FEATURE_ARCH, &b), -E2BIG);
        ck_assert_uint_eq(feature_table_size(t), 0);
}
END_TEST

static uint32_t u32(const void *data, size_t offset) {
        uint32_t v;

        memcpy(&v, (const char *) data + offset, sizeof(v));
        return v;
}

static const void *get(const FeatureTable *t, unsigned feature, size_t expected_size) {
        const void *data;
        size_t size;

        ck_assert(feature_table_get(t, feature, &data, &size));
        ck_assert_uint_eq(size, expected_size);
        return data;
}

START_TEST(command_line) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        char first[] = "perf-recorder-worker", second[] = "-a";
        const void *data;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_command_line(t, (char *[]) { first, second, NULL }));
        data = get(t, PERF_FEATURE_CMDLINE, 4 + 2 * 68);
        ck_assert_uint_eq(u32(data, 0), 2);
        ck_assert_uint_eq(u32(data, 4), 64);
        ck_assert_str_eq((const char *) data + 8, first);
        ck_assert_str_eq((const char *) data + 4 + 68 + 4, second);
}
END_TEST

START_TEST(event_descriptions) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const PerfDataEvent *events;
        const void *data, *none;
        size_t n, size;

        events = test_events(&n);
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_events(t, events, n));
        data = get(t, PERF_FEATURE_EVENT_DESC, 8 + 2 * (sizeof(struct perf_event_attr) + 4 + 68 + 16));
        ck_assert_uint_eq(u32(data, 0), 2);
        ck_assert_uint_eq(u32(data, 4), sizeof(struct perf_event_attr));
        ck_assert_uint_eq(u32(data, 8 + sizeof(struct perf_event_attr)), 2);
        ck_assert_str_eq((const char *) data + 8 + sizeof(struct perf_event_attr) + 8, "cpu-clock");
        ck_assert(!feature_table_get(t, PERF_FEATURE_GROUP_DESC, &none, &size));
        ck_assert(!feature_table_get(t, PERF_FEATURE_BRANCH_STACK, &none, &size));
}
END_TEST

START_TEST(groups_and_branches) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        PerfDataEvent events[3] = {
                { .name = "a" },
                { .name = "b", .group_members = 2, .group_name = "pair" },
                { .name = "c", .attr.sample_type = PERF_SAMPLE_BRANCH_STACK },
        };
        const void *data;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_events(t, events, 3));
        data = get(t, PERF_FEATURE_GROUP_DESC, 4 + 68 + 8);
        ck_assert_uint_eq(u32(data, 0), 1);
        ck_assert_str_eq((const char *) data + 8, "pair");
        ck_assert_uint_eq(u32(data, 72), 1);
        ck_assert_uint_eq(u32(data, 76), 2);
        get(t, PERF_FEATURE_BRANCH_STACK, 0);
}
END_TEST

START_TEST(times_and_clock) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data;
        uint64_t v[2];

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_sample_time(t, 5, 7));
        memcpy(v, get(t, PERF_FEATURE_SAMPLE_TIME, 16), 16);
        ck_assert_uint_eq(v[0], 5);
        ck_assert_uint_eq(v[1], 7);

        ck_assert_ok(feature_table_add_clock(t, CLOCK_MONOTONIC));
        memcpy(v, get(t, PERF_FEATURE_CLOCKID, 8), 8);
        ck_assert_uint_ge(v[0], 1);
        data = get(t, PERF_FEATURE_CLOCK_DATA, 24);
        ck_assert_uint_eq(u32(data, 0), 1);
        ck_assert_uint_eq(u32(data, 4), CLOCK_MONOTONIC);
        ck_assert_int_eq(feature_table_add_clock(t, 9999), -EINVAL);
        ck_assert_ok(feature_table_add_clock_data(t, PERF_CLOCK_UNNAMED, 123, 45));
        data = get(t, PERF_FEATURE_CLOCK_DATA, 24);
        ck_assert_uint_eq(u32(data, 4), UINT32_MAX);
        ck_assert(u32(data, 8) == 123 && u32(data, 16) == 45);
}
END_TEST

TEST_RUN("feature", put_get_replace_remove, empty_is_not_absent, refuses_what_is_no_feature, command_line,
         event_descriptions, groups_and_branches, times_and_clock);
