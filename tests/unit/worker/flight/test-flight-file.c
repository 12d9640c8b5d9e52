/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One dump's file, and the remaining files if it can't be made. */

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "flight-file.h"
#include "made-flight.h"
#include "xattr.h"

static const DumpOrder order = { .trigger = "request", .detail = "me", .timestamp = 123, .n_triggers = 2 };
static const DumpResult facts = { .samples = 2, .lost = 3, .lost_records = 7, .throttled = 4, .first = 5, .last = 6 };
static RecordBuffer preamble;

static FlightFile file_of(bool timestamp) {
        ck_assert_int_eq(record_put_finished_init(&preamble), 0);
        made_flight_sample(7, 20);
        made_flight_sample(7, 10);
        made.files.session = "web";
        return (FlightFile) {
                .files = &made.files, .order = &order, .facts = &facts,
                .samples = &flying.samples, .preamble = &preamble, .timestamp = timestamp,
        };
}

static void write_one(bool shared) {
        _cleanup_free_ char *path = NULL;
        OutputFinished w = {};
        FlightFile f = file_of(true);

        f.left_out = (LeftOut) { .mappings = 12, .processes = 3 };
        flying.samples.shared = shared;
        ck_assert_int_eq(flight_file_write(&f, &w), 0);
        ck_assert_ptr_nonnull(startswith(w.name, "perf.data.2"));
        ck_assert_str_eq(flying.announced, w.name);
        ck_assert_int_eq(flying.settled, 1);
        path = path_join(made.dir, w.name);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_SAMPLE), 2);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_FINISHED_ROUND), 1);
        ck_assert_uint_eq(made_count_files(), 1);
        if (getxattr(path, PR_DUMP_XATTR_TRIGGER, NULL, 0) >= 0) { /* otherwise the file system has no attributes */
                assert_xattr(path, PR_DUMP_XATTR_SESSION, "web");
                assert_xattr(path, PR_DUMP_XATTR_TRIGGER, "request");
                assert_xattr(path, PR_DUMP_XATTR_DETAIL, "me");
                assert_xattr(path, PR_DUMP_XATTR_TIMESTAMP, "123");
                assert_xattr(path, PR_DUMP_XATTR_TRIGGERS, "2");
                assert_xattr(path, PR_DUMP_XATTR_SAMPLES, "2");
                assert_xattr(path, PR_DUMP_XATTR_LOST, "3");
                assert_xattr(path, PR_DUMP_XATTR_LOST_RECORDS, "7");
                assert_xattr(path, PR_DUMP_XATTR_THROTTLED, "4");
                assert_xattr(path, PR_DUMP_XATTR_FIRST, "5");
                assert_xattr(path, PR_DUMP_XATTR_LAST, "6");
                assert_xattr(path, PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, "12");
                assert_xattr(path, PR_DUMP_XATTR_LEFT_OUT_PROCESSES, "3");
                ck_assert_int_eq(getxattr(path, PR_DUMP_XATTR_BOOT, NULL, 0), 32);
        }
        free(w.name);
        record_buffer_done(&preamble);
}

START_TEST(test_dump) {
        write_one(false);
}
END_TEST

/* A second thread reads its records. */
START_TEST(test_two_threads) {
        write_one(true);
}
END_TEST

START_TEST(test_own_name) {
        OutputFinished w = {};
        FlightFile f = file_of(false);

        f.order = NULL;
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_int_eq(flight_file_write(&f, &w), 0);
                ck_assert_str_eq(w.name, "perf.data");
                free(w.name);
        }
        ck_assert_uint_eq(made_count_files(), 2); /* the older one is perf.data.old */
        ck_assert_int_lt(getxattr(made.path, PR_DUMP_XATTR_TRIGGER, NULL, 0), 0);
        ck_assert_int_lt(getxattr(made.path, PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, NULL, 0), 0); /* nothing was left out */
        record_buffer_done(&preamble);
}
END_TEST

static void begin_with_comm(FlightFile *f, const char *name) {
        const RecordTrailer trailer = { .sample_type = MADE_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct iovec piece;

        ck_assert_int_eq(record_put_comm(&b, 7, 7, name, 0, &trailer), 0);
        piece = record_buffer_iovec(&b);
        ck_assert_int_eq(flight_file_begin(f, &piece), 0);
}

static void write_in_pieces(bool vanishes) {
        _cleanup_free_ char *path = NULL;
        OutputFinished w = {};
        FlightFile f = file_of(true);

        begin_with_comm(&f, "one");
        begin_with_comm(&f, "two");
        ck_assert_uint_eq(made_count_files(), 0); /* it gets its name at the end */
        if (vanishes)
                scratch_remove(made.dir);
        ck_assert_int_eq(flight_file_write(&f, &w), 0);
        ck_assert_ptr_null(f.writer);
        ck_assert_uint_eq(made_count_files(), 1);
        path = path_join(made.dir, w.name);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_COMM), 2);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_FINISHED_INIT), 1);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_SAMPLE), 2);
        free(w.name);
        record_buffer_done(&preamble);
}

START_TEST(test_pieces) {
        write_in_pieces(false);
}
END_TEST

START_TEST(test_directory_vanishes_between_pieces) {
        write_in_pieces(true);
}
END_TEST

START_TEST(test_begun_and_given_up) {
        FlightFile f = file_of(true);

        begin_with_comm(&f, "one");
        flight_file_done(&f);
        flight_file_done(&f);
        ck_assert_uint_eq(made_count_files(), 0);
        record_buffer_done(&preamble);
}
END_TEST

static int refuse(void *userdata, FlightRecords each, void *records_userdata) {
        return -EIO;
}

START_TEST(test_failure) {
        OutputFinished w = {};
        FlightFile f = file_of(true);

        flying.samples.each = refuse;
        ck_assert_int_eq(flight_file_write(&f, &w), -EIO);
        ck_assert_int_eq(flying.settled, -1); /* there is no name to report */
        ck_assert_uint_eq(made_count_files(), 0);
        flying.samples.each = made_each;
        ck_assert_int_eq(flight_file_write(&f, &w), 0);
        ck_assert_uint_eq(made_count_files(), 1);
        free(w.name);
        record_buffer_done(&preamble);
}
END_TEST

CHECK_MAIN_WITH("flight-file", made_flight_setup, made_teardown, test_dump, test_two_threads, test_own_name, test_pieces,
                test_directory_vanishes_between_pieces, test_begun_and_given_up, test_failure);
