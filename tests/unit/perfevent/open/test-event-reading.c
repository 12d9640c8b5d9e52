/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Readings of an event: every layout from made-up words, and one from the kernel. */

#include "check-main.h"
#include "event-reading.h"
#include "skip.h"

#define BOTH_TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

START_TEST(test_single) {
        static const uint64_t words[] = { 10, 20, 30, 40, 50 };
        EventReading r = {};

        ck_assert_int_eq(event_reading_parse(words, 5, BOTH_TIMES | PERF_FORMAT_ID | PERF_FORMAT_LOST, 0, &r), 0);
        ck_assert(r.value == 10 && r.enabled == 20 && r.running == 30 && r.id == 40 && r.lost == 50);
        ck_assert_int_eq(event_reading_parse(words, 3, PERF_FORMAT_ID | PERF_FORMAT_LOST, 0, &r), 0);
        ck_assert(r.value == 10 && r.enabled == 0 && r.running == 0 && r.id == 20 && r.lost == 30);
        ck_assert_int_eq(event_reading_parse(words, 1, 0, 0, &r), 0);
        ck_assert(r.value == 10 && r.lost == 0);
        ck_assert_int_eq(event_reading_parse(words, 0, 0, 0, &r), -ENODATA);
        ck_assert_int_eq(event_reading_parse(words, 4, BOTH_TIMES | PERF_FORMAT_ID | PERF_FORMAT_LOST, 0, &r), -EBADMSG);
}
END_TEST

START_TEST(test_group) {
        static const uint64_t words[] = { 2, 20, 30, /* members */ 10, 1, 5, 11, 2, 6 }, huge[] = { UINT64_MAX / 2, 20, 30, 1, 2 };
        uint64_t format = PERF_FORMAT_GROUP | BOTH_TIMES | PERF_FORMAT_ID | PERF_FORMAT_LOST;
        EventReading r = {};

        ck_assert_int_eq(event_reading_parse(words, 9, format, 2, &r), 0);
        ck_assert(r.value == 11 && r.enabled == 20 && r.running == 30 && r.lost == 6);
        ck_assert_int_eq(event_reading_parse(words, 9, format, 1, &r), 0);
        ck_assert(r.value == 10 && r.lost == 5);
        ck_assert_int_eq(event_reading_parse(words, 9, format, 3, &r), -ENODATA);
        ck_assert_int_eq(event_reading_parse(words, 8, format, 2, &r), -EBADMSG);
        ck_assert_int_eq(event_reading_parse(huge, 5, format, 2, &r), -EBADMSG);
        ck_assert_int_eq(event_reading_parse(words, 9, format & ~(uint64_t) PERF_FORMAT_ID, 2, &r), -ENODATA);
}
END_TEST

START_TEST(test_kernel) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_TASK_CLOCK,
                .read_format = BOTH_TIMES | PERF_FORMAT_ID, .exclude_kernel = true, .exclude_hv = true,
        };
        _cleanup_(event_done) Event e = EVENT_EMPTY;
        EventReading r = {};

        if (event_open(&e, &event_ops_kernel, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) < 0)
                SKIP("events are not allowed here");
        ck_assert_int_eq(event_read(&e, attr.read_format, &r), 0);
        ck_assert_uint_eq(r.id, e.id);
        ck_assert_uint_gt(r.enabled, 0);
        ck_assert_uint_eq(r.enabled, r.running);
}
END_TEST

CHECK_MAIN("event-reading", test_single, test_group, test_kernel);
