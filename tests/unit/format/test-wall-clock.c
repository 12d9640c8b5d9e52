/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "wall-clock.h"

static PerfDataReader *reader_with(const void *feature, size_t size) {
        _cleanup_free_ char *path = test_path("clock.data");
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        PerfDataReader *reader = NULL;
        const PerfDataEvent *events;
        size_t n;

        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_put(features, PERF_FEATURE_CLOCK_DATA, feature, size));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

START_TEST(reads) {
        const struct {
                uint32_t version, clock;
                uint64_t wall, time;
        } good = { 1, 1, 5000, 3000 }, newer = { 2, 1, 5000, 3000 };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = reader_with(&good, sizeof(good));
        _cleanup_perf_data_reader_free_ PerfDataReader *cut = reader_with(&good, sizeof(good) - 1);
        _cleanup_perf_data_reader_free_ PerfDataReader *unknown = reader_with(&newer, sizeof(newer));
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *without = NULL;
        WallClock clock;

        ck_assert_ok(wall_clock_read(reader, &clock));
        ck_assert_uint_eq(clock.wall, 5000);
        ck_assert_uint_eq(clock.time, 3000);
        ck_assert_int_eq(wall_clock_read(cut, &clock), -ENODATA);
        ck_assert_int_eq(wall_clock_read(unknown, &clock), -ENODATA);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &without));
        ck_assert_int_eq(wall_clock_read(without, &clock), -ENODATA);
}
END_TEST

START_TEST(converts) {
        const WallClock clock = { .wall = 5000, .time = 3000 }, late = { .wall = 10, .time = UINT64_MAX - 5 };

        ck_assert_uint_eq(wall_clock_to_time(&clock, 5000), 3000);
        ck_assert_uint_eq(wall_clock_to_time(&clock, 5100), 3100);
        ck_assert_uint_eq(wall_clock_to_time(&clock, 4900), 2900);
        ck_assert_uint_eq(wall_clock_to_time(&clock, 1000), 0);
        ck_assert_uint_eq(wall_clock_from_time(&clock, 2000), 4000);
        ck_assert_uint_eq(wall_clock_to_time(&late, 15), UINT64_MAX);
        ck_assert_uint_eq(wall_clock_to_time(&late, 16), UINT64_MAX);
        ck_assert_uint_eq(wall_clock_from_time(&late, 0), 0);
}
END_TEST

TEST_RUN("wall-clock", reads, converts);
