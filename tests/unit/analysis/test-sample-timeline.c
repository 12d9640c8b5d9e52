/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>

#include "made-samples.h"
#include "parse-time.h"
#include "sample-timeline.h"
#include "writer.h"

/* A recording of a sample at 7 s; wall: it knows that its clock was at 5 s when the time of day was 1005 s. */
static PerfDataReader *put_recording(const char *name, bool wall) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_free_ char *path = test_path(name);
        PerfDataReader *reader;
        const PerfDataEvent *events;
        size_t n;

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 7 * NSEC_PER_SEC);
        ck_assert_ok(feature_table_new(&features));
        if (wall)
                ck_assert_ok(feature_table_add_clock_data(features, 1, 1005 * NSEC_PER_SEC, 5 * NSEC_PER_SEC));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

static int take_all(Timeline *timeline, SampleTable *t, PerfDataReader *reader) {
        Replay *replay;
        uint32_t row = SAMPLE_NO_ROW;
        Moment m;
        int r = timeline_begin_recording(timeline, reader);

        if (r < 0)
                return r;
        ck_assert_ok(sample_table_begin(t, reader, &(SampleReading) { .records = TIMELINE_RECORDS }, &replay));
        while (replay_next(replay, &m) == 1) {
                if (moment_is_sample(&m))
                        ck_assert_ok(sample_table_count(t, &m, NULL, &row));
                ck_assert_ok(timeline_take(timeline, &m, row));
        }
        (void) sample_table_end(t);
        return 0;
}

START_TEST(one_axis) {
        _cleanup_perf_data_reader_free_ PerfDataReader *wall = put_recording("wall.data", true), *other = put_recording("other.data", false);
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_(timeline_done) Timeline timeline = {};

        ck_assert_ok(sample_table_new(&(SampleTablePlan) { .dimensions = SAMPLE_BY_THREAD }, &t));
        ck_assert_ok(take_all(&timeline, t, wall));
        ck_assert_ok(take_all(&timeline, t, wall));
        ck_assert_uint_eq(timeline.n, 2);
        ck_assert_uint_eq(timeline_first(&timeline), 1007 * NSEC_PER_SEC);
        ck_assert_int_eq(take_all(&timeline, t, other), -EOPNOTSUPP);
        ck_assert_uint_eq(timeline.n, 2);
}
END_TEST

TEST_RUN("sample-timeline", one_axis);
