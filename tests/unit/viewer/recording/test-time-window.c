/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Windows of a recording whose clock began 1,000 s after the epoch, with samples at 10 s, 20 s and 30 s. */

#include "perfdata-test.h"
#include "time-window.h"

#define SECOND NSEC_PER_SEC

static RecordingInput input_with(bool clock) {
        _cleanup_free_ char *path = test_path("window.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        RecordingInput in = { .name = strdup("web-1"), .fd = -EBADF, .triggered = 1025 * USEC_PER_SEC };
        const PerfDataEvent *events;
        size_t n;

        for (uint64_t i = 1; i <= 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, i * 10 * SECOND);
        ck_assert_ok(feature_table_new(&features));
        if (clock)
                ck_assert_ok(feature_table_add_clock_data(features, 1, 1005 * SECOND, 5 * SECOND));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &in.reader));
        return in;
}

static void expect(TimeWindow w, uint64_t since, uint64_t until) {
        _cleanup_(recording_input_done) RecordingInput in = input_with(true);
        SampleSpan span;

        ck_assert_ok(time_window_find(&w, &in, &span));
        ck_assert_uint_eq(span.since, since);
        ck_assert_uint_eq(span.until, until);
}

START_TEST(finds) {
        expect((TimeWindow) { .last = 5 * USEC_PER_SEC }, 25 * SECOND, 30 * SECOND);
        expect((TimeWindow) { .last = 500 * USEC_PER_SEC }, 0, 30 * SECOND);
        expect((TimeWindow) { .since = 1015 * USEC_PER_SEC }, 15 * SECOND, UINT64_MAX);
        expect((TimeWindow) { .until = 1015 * USEC_PER_SEC }, 0, 15 * SECOND);
        expect((TimeWindow) { .since = 1012 * USEC_PER_SEC, .until = 1018 * USEC_PER_SEC }, 12 * SECOND, 18 * SECOND);
        expect((TimeWindow) { .before_trigger = 5 * USEC_PER_SEC }, 20 * SECOND, 25 * SECOND);
        expect((TimeWindow) { .around_trigger = USEC_PER_SEC }, 24 * SECOND, 26 * SECOND);
        expect((TimeWindow) { .last = 8 * USEC_PER_SEC, .before_trigger = 5 * USEC_PER_SEC }, 22 * SECOND, 25 * SECOND);
        expect((TimeWindow) { .until = 1 }, 0, 1); /* before the clock began: no sample, not no limit */
}
END_TEST

START_TEST(refuses) {
        _cleanup_(recording_input_done) RecordingInput in = input_with(false), copy = input_with(true);
        SampleSpan span;

        copy.triggered = 0;
        ck_assert_int_eq(time_window_find(&(TimeWindow) { .since = 1015 * USEC_PER_SEC }, &in, &span), -ENODATA);
        ck_assert_int_eq(time_window_find(&(TimeWindow) { .before_trigger = 1 }, &in, &span), -ENODATA);
        ck_assert_int_eq(time_window_find(&(TimeWindow) { .before_trigger = 1 }, &copy, &span), -ENODATA);
        ck_assert_ok(time_window_find(&(TimeWindow) { .last = 1 }, &in, &span));
}
END_TEST

START_TEST(cuts) {
        SampleSpan spans[] = { { 10, 20 }, { 5, 12 }, { 0, 0 }, { 30, 40 } };

        time_window_cut(spans, ELEMENTSOF(spans), (SampleSpan) { 11, 25 });
        ck_assert(spans[0].since == 11 && spans[0].until == 20);
        ck_assert(spans[1].since == 11 && spans[1].until == 12);
        ck_assert(spans[2].since == 11 && spans[2].until == 25);
        ck_assert(spans[3].since > spans[3].until); /* nothing */
}
END_TEST

START_TEST(takes) {
        usec_t t = 0;

        ck_assert_ok(time_window_take_span(&t, "last", "1.5s"));
        ck_assert_uint_eq(t, 1500000);
        ck_assert_int_eq(time_window_take_span(&t, "last", "0"), -EINVAL);
        ck_assert_int_eq(time_window_take_span(&t, "last", "infinity"), -EINVAL);
        ck_assert_int_eq(time_window_take_span(&t, "last", "soon"), -EINVAL);
        ck_assert_ok(time_window_take_point(&t, "since", "@17"));
        ck_assert_uint_eq(t, 17 * USEC_PER_SEC);
        ck_assert_ok(time_window_take_point(&t, "since", "1970-01-01T02:00:17+02:00"));
        ck_assert_uint_eq(t, 17 * USEC_PER_SEC);
        ck_assert_int_eq(time_window_take_point(&t, "since", "1795258398"), -EINVAL);
        ck_assert_int_eq(time_window_take_point(&t, "since", "@0"), -EINVAL);
        ck_assert_int_eq(time_window_take_point(&t, "since", "14 o'clock"), -EINVAL);
}
END_TEST

TEST_RUN("time-window", finds, refuses, cuts, takes);
