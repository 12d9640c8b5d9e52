/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts of recordings with holes, as perf record and our recorder leave them. */

#include "perfdata-test.h"
#include "record-layout.h"
#include "recording-counts.h"

static RecordingCounts counts_of(const RecordBuffer *b) {
        _cleanup_free_ char *path = test_path("perf.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = test_recording(path, b, NULL, 0);
        RecordingCounts c, numbers;

        ck_assert_ok(recording_counts_init(&c, reader));
        ck_assert_int_eq(c.error, 0);
        numbers = c;
        recording_counts_done(&c);
        return numbers;
}

static void put_lost(RecordBuffer *b, uint64_t lost) {
        const struct {
                PerfRecordLost lost;
                uint64_t trailer[4]; /* tid, time, cpu, id */
        } r = { { { .type = PERF_RECORD_LOST, .size = sizeof(r) }, 11, lost }, { 0, TEST_LAST_TIME, 0, 11 } };

        byte_buffer_put(b, &r, sizeof(r));
}

static void put_lost_samples(RecordBuffer *b, uint64_t id, uint64_t lost) {
        ck_assert_ok(record_put_lost_samples(b, lost, &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .id = id }));
}

/* The events of ids 11 and 21 count, the first on two CPUs, and the last reading is not complete. */
START_TEST(readings) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *path = test_path("perf.data");
        RecordingCounts c;

        ck_assert_ok(record_put_stat_config(&b, 1, 1000, true));
        for (uint64_t i = 1; i <= 3; i++) {
                ck_assert_ok(record_put_stat(&b, 11, 0, 0, (const uint64_t[]) { 5 * i, 1, 1 }));
                ck_assert_ok(record_put_stat(&b, 12, 1, 0, (const uint64_t[]) { 7 * i, 1, 1 }));
                ck_assert_ok(record_put_stat(&b, 21, 0, 0, (const uint64_t[]) { 100 * i, 1, 1 }));
                if (i < 3)
                        ck_assert_ok(record_put_stat_round(&b, false, 1000 * i));
        }
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(recording_counts_init(&c, reader));
        ck_assert(c.counting);
        ck_assert_uint_eq(c.samples, 2);
        ck_assert_uint_eq(c.of_event[0], 24);
        ck_assert_uint_eq(c.of_event[1], 200);
        ck_assert_uint_eq(c.first, 1000);
        ck_assert_uint_eq(c.last, 2000);
        recording_counts_done(&c);
}
END_TEST

START_TEST(nothing_lost) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordingCounts c;

        test_put_recording(&b, "/bin/true");
        c = counts_of(&b);
        ck_assert_uint_eq(c.samples, 3);
        ck_assert_uint_eq(c.lost, 0);
        ck_assert_uint_eq(c.lost_records, 0);
}
END_TEST

/* The ring's LOST and the events' LOST_SAMPLES have the same records: they count once, and those of the dummy are no samples. */
START_TEST(events_tell_them_apart) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordingCounts c;

        test_put_recording(&b, "/bin/true");
        put_lost(&b, 1007);
        put_lost_samples(&b, 11, 3);
        put_lost_samples(&b, 12, 4);
        put_lost_samples(&b, 21, 1000);
        c = counts_of(&b);
        ck_assert_uint_eq(c.lost, 7);
        ck_assert_uint_eq(c.lost_records, 1000);
}
END_TEST

/* Recorders before Linux 6.0 append no LOST_SAMPLES. */
START_TEST(only_the_ring_tells) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordingCounts c;

        test_put_recording(&b, "/bin/true");
        put_lost(&b, 1007);
        c = counts_of(&b);
        ck_assert_uint_eq(c.lost, 1007);
        ck_assert_uint_eq(c.lost_records, UINT64_MAX);
}
END_TEST

TEST_RUN("recording-counts", readings, nothing_lost, events_tell_them_apart, only_the_ring_tells);
