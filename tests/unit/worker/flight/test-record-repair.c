/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records that kernels write wrongly, repaired in a copy. */

#include "check-main.h"
#include "made-recording.h"
#include "record-counts.h"
#include "record-repair.h"

typedef struct Records {
        struct perf_event_header sample;
        uint64_t ip, time;
        struct perf_event_header map;
        uint64_t rest[9];
} Records;

static Records records = {
        .sample = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = 24 },
        .map = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, .size = 80 },
};

/* This also holds if the end of the ring splits the record behind its header. */
static unsigned split(struct iovec segments[static 2], RecordCounts *counts) {
        segments[0] = (struct iovec) { .iov_base = &records, .iov_len = offsetof(Records, rest) };
        segments[1] = (struct iovec) { .iov_base = records.rest, .iov_len = sizeof(records.rest) };
        *counts = (RecordCounts) {};
        record_counts_add_segments(counts, segments, 2);
        ck_assert_uint_eq(counts->build_ids, 1);
        return 2;
}

START_TEST(test_marks) {
        _cleanup_free_ void *copy = NULL;
        RecordRepair x = record_repair_of(&made.set);
        struct iovec segments[2];
        RecordCounts counts;
        unsigned n = split(segments, &counts);

        ck_assert(record_repair_is_due(&x, &counts));
        ck_assert_int_eq(record_repair_segments(&x, &counts, segments, &n, &copy), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_ptr_eq(segments[0].iov_base, copy);
        ck_assert_uint_eq(segments[0].iov_len, sizeof(records));
        ck_assert_uint_eq(((const Records *) copy)->map.misc, PERF_RECORD_MISC_USER);
        ck_assert_uint_ne(records.map.misc, PERF_RECORD_MISC_USER); /* the ring is unchanged */
}
END_TEST

START_TEST(test_marks_that_were_asked_for) {
        _cleanup_free_ void *copy = NULL;
        struct iovec segments[2];
        RecordRepair x;
        RecordCounts counts;
        unsigned n = split(segments, &counts);

        made.members[1].attr.build_id = true;
        x = record_repair_of(&made.set);
        ck_assert(!record_repair_is_due(&x, &counts));
        ck_assert_int_eq(record_repair_segments(&x, &counts, segments, &n, &copy), 0);
        ck_assert_uint_eq(n, 2);
        ck_assert_ptr_null(copy);
}
END_TEST

START_TEST(test_too_long) {
        struct {
                struct perf_event_header header;
                uint64_t address;
                uint32_t length;
                uint16_t type, flags;
                char name[8];
                uint64_t trailer[3]; /* tid, time, id */
                uint64_t garbage[3];
        } symbol = {
                .header = { .type = PERF_RECORD_KSYMBOL, .size = sizeof(symbol) },
                .name = "symbol",
                .trailer = { 1, 2, 3 },
                .garbage = { 7, 7, 7 },
        };
        RecordRepair x;

        made.members[1].attr.ksymbol = true;
        x = record_repair_of(&made.set);
        ck_assert_uint_eq(x.trailer_size, 24);
        ck_assert(record_repair_is_due(&x, &(RecordCounts) { .symbols = 1 }));
        record_repair(&x, &symbol, sizeof(symbol));
        ck_assert(symbol.garbage[0] == 1 && symbol.garbage[1] == 2 && symbol.garbage[2] == 3);
        ck_assert(symbol.trailer[0] == 0 && symbol.trailer[2] == 0);
        ck_assert_str_eq(symbol.name, "symbol");
}
END_TEST

CHECK_MAIN_WITH("record-repair", made_setup, made_teardown, test_marks, test_marks_that_were_asked_for, test_too_long);
