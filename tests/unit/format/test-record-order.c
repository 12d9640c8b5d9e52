/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record-order.h"

#define LARGE_SIZE 60000u

typedef struct LargeRecord {
        struct perf_event_header header;
        uint64_t number;
        uint8_t bytes[LARGE_SIZE - 16];
} LargeRecord;

static void put(RecordOrder *o, uint64_t time, uint32_t tid) {
        const PerfRecordComm record = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(record) }, .tid = tid };

        ck_assert_ok(record_order_put(o, &(OrderedRecord) { .time = time, .record = &record.header }, false));
}

static void put_large(RecordOrder *o, uint64_t time, uint64_t number) {
        LargeRecord record = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) }, .number = number };

        memset(record.bytes, (int) number, sizeof(record.bytes));
        ck_assert_ok(record_order_put(o, &(OrderedRecord) { .time = time, .record = &record.header }, false));
}

static uint32_t tid_of(const OrderedRecord *r) {
        ck_assert_uint_eq((uintptr_t) r->record % 8, 0);
        ck_assert_uint_eq(r->record->type, PERF_RECORD_COMM);
        return ((const PerfRecordComm *) r->record)->tid;
}

static void assert_next(RecordOrder *o, uint64_t time, uint32_t tid) {
        const OrderedRecord *next = record_order_next(o);

        ck_assert_ptr_nonnull(next);
        ck_assert_uint_eq(next->time, time);
        ck_assert_uint_eq(tid_of(next), tid);
}

/* Takes all large records that are due, which come in the order of time. */
static size_t take_large(RecordOrder *o, uint64_t *time) {
        const OrderedRecord *next;
        size_t n = 0;

        for (; (next = record_order_next(o)); n++) {
                const LargeRecord *record = (const void *) next->record;

                ck_assert_uint_ge(next->time, *time);
                *time = next->time;
                for (size_t i = 0; i < sizeof(record->bytes); i += 997)
                        ck_assert_uint_eq(record->bytes[i], (uint8_t) record->number);
        }
        return n;
}

/* Runs of several CPUs are merged; of one time, the first in the file comes first. */
START_TEST(merges) {
        _cleanup_(record_order_done) RecordOrder o = {};

        put(&o, 10, 1);
        put(&o, 20, 1);
        put(&o, 30, 1);
        put(&o, 15, 2);
        put(&o, 20, 2);
        put(&o, 35, 2);
        put(&o, 25, 3);
        ck_assert_ptr_null(record_order_next(&o));
        ck_assert_ok(record_order_finish(&o));
        assert_next(&o, 10, 1);
        assert_next(&o, 15, 2);
        assert_next(&o, 20, 1);
        assert_next(&o, 20, 2);
        assert_next(&o, 25, 3);
        assert_next(&o, 30, 1);
        assert_next(&o, 35, 2);
        ck_assert_ptr_null(record_order_next(&o));
}
END_TEST

/* At the end of a round all that is not newer than the previous round is due. */
START_TEST(rounds) {
        _cleanup_(record_order_done) RecordOrder o = {};

        put(&o, 10, 1);
        put(&o, 20, 1);
        ck_assert_ok(record_order_finish_round(&o));
        ck_assert_ptr_null(record_order_next(&o));
        put(&o, 15, 2);
        put(&o, 30, 2);
        ck_assert_ok(record_order_finish_round(&o));
        assert_next(&o, 10, 1);
        assert_next(&o, 15, 2);
        assert_next(&o, 20, 1);
        ck_assert_ptr_null(record_order_next(&o));
        put(&o, 25, 1);
        ck_assert_ok(record_order_finish_round(&o));
        assert_next(&o, 25, 1);
        assert_next(&o, 30, 2);
        ck_assert_ptr_null(record_order_next(&o));
}
END_TEST

/* Records are due at once without a time, also before others that wait, and behind others that are due. */
START_TEST(without_time) {
        _cleanup_(record_order_done) RecordOrder o = {};

        put(&o, 0, 1);
        assert_next(&o, 0, 1);
        ck_assert_ptr_null(record_order_next(&o));
        put(&o, 10, 2);
        put(&o, 20, 3);
        put(&o, UINT64_MAX, 4);
        assert_next(&o, UINT64_MAX, 4);
        ck_assert_ptr_null(record_order_next(&o));
        ck_assert_uint_eq(o.newest, 20);
        ck_assert_ok(record_order_finish_until(&o, 10));
        put(&o, 0, 5);
        assert_next(&o, 10, 2);
        put(&o, 0, 6);
        assert_next(&o, 0, 5);
        assert_next(&o, 0, 6);
        ck_assert_ptr_null(record_order_next(&o));
        ck_assert_ok(record_order_finish(&o));
        assert_next(&o, 20, 3);
        ck_assert_ptr_null(record_order_next(&o));
}
END_TEST

/* Records that the caller keeps come back as they are, with the number of their source, among copies. */
START_TEST(kept_records) {
        static const PerfRecordComm kept = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(kept) }, .tid = 7 };
        _cleanup_(record_order_done) RecordOrder o = {};
        const OrderedRecord *next;

        put(&o, 20, 1);
        ck_assert_ok(record_order_put(&o, &(OrderedRecord) { .time = 15, .record = &kept.header, .source = 3 }, true));
        put(&o, 10, 2);
        ck_assert_uint_eq(o.size, 2 * sizeof(kept));
        ck_assert_ok(record_order_finish(&o));
        assert_next(&o, 10, 2);
        next = record_order_next(&o);
        ck_assert(next && next->record == &kept.header && next->source == 3);
        assert_next(&o, 20, 1);
}
END_TEST

/* A record that could not be handled comes again, and all that wait can be looked at. */
START_TEST(put_back_and_looked_at) {
        _cleanup_(record_order_done) RecordOrder o = {};

        for (uint32_t i = 0; i < 10; i++)
                put(&o, 100 - i * 10, i);
        ck_assert_ok(record_order_finish_until(&o, 40));
        assert_next(&o, 10, 9);
        assert_next(&o, 20, 8);
        record_order_put_back(&o);
        record_order_put_back(&o);
        put(&o, 45, 10);
        assert_next(&o, 20, 8);
        ck_assert_ok(record_order_sort(&o));
        ck_assert_uint_eq(tid_of(record_order_at(&o, 0)), 7);
        ck_assert_uint_eq(tid_of(record_order_at(&o, 1)), 6);
        ck_assert_uint_eq(tid_of(record_order_at(&o, 2)), 10);
        ck_assert_uint_eq(tid_of(record_order_at(&o, 8)), 0);
        ck_assert_ptr_null(record_order_at(&o, 9));
        assert_next(&o, 30, 7);
        assert_next(&o, 40, 6);
        ck_assert_ptr_null(record_order_next(&o));
}
END_TEST

START_TEST(keeps_the_order_of_equals) {
        _cleanup_(record_order_done) RecordOrder o = {};
        const OrderedRecord *next;
        uint64_t time = 0;
        uint32_t tid = 0;
        size_t n = 0;

        for (uint32_t round = 0; round < 5; round++) {
                for (uint32_t i = 0; i < 1000; i++)
                        put(&o, 100 + round * 50 - i / 10, round * 1000 + i);
                ck_assert_ok(round < 4 ? record_order_finish_round(&o) : record_order_finish(&o));
                for (; (next = record_order_next(&o)); n++) {
                        ck_assert_uint_ge(next->time, time);
                        if (next->time == time)
                                ck_assert_uint_gt(tid_of(next), tid);
                        time = next->time;
                        tid = tid_of(next);
                }
        }
        ck_assert_uint_eq(n, 5000);
        ck_assert_uint_eq(o.newest, 300);
        ck_assert_uint_eq(o.size, 0);
}
END_TEST

/* Blocks are used again, and records keep their bytes. */
START_TEST(many_rounds) {
        _cleanup_(record_order_done) RecordOrder o = {};
        uint64_t time = 0;
        size_t n = 0;

        for (uint32_t round = 1; round <= 20; round++) {
                for (uint32_t i = 0; i < 40; i++) {
                        uint32_t at = round * 100 + 200 - (i * 7 + round) % 150;

                        put_large(&o, at, at);
                }
                ck_assert_ok(record_order_finish_round(&o));
                n += take_large(&o, &time);
        }
        ck_assert_uint_le(record_order_memory(&o), 120 * 65536);
        ck_assert_ok(record_order_finish(&o));
        ck_assert_uint_eq(n + take_large(&o, &time), 800);
}
END_TEST

/* In a round that is longer than the limit, the older half of what waits is due when there is no more room. */
START_TEST(a_long_round) {
        _cleanup_(record_order_done) RecordOrder o = { .limit = 100 * 65536 };
        uint64_t time = 0;
        size_t n = 0;

        for (uint64_t i = 0; i < 99; i++)
                put_large(&o, 1000 + i * 7 % 100, i);
        ck_assert_uint_eq(take_large(&o, &time), 0);
        put_large(&o, 2000, 100);
        ck_assert_uint_eq(take_large(&o, &time), 50);
        ck_assert_uint_eq(time, 1049);
        for (uint64_t i = 0; i < 10000; i++) {
                put_large(&o, 2000 + i, i);
                n += take_large(&o, &time);
                ck_assert_uint_le(record_order_memory(&o), 101 * 65536);
        }
        ck_assert_ok(record_order_finish(&o));
        ck_assert_uint_eq(n + take_large(&o, &time), 10050);
}
END_TEST

START_TEST(gives_back_what_a_burst_took) {
        _cleanup_(record_order_done) RecordOrder o = {};

        for (uint32_t i = 1; i < 100000; i++)
                put(&o, i, i);
        ck_assert_uint_gt(record_order_memory(&o), 1600000);
        ck_assert_ok(record_order_finish(&o));
        for (uint32_t i = 1; i < 100000; i++)
                assert_next(&o, i, i);
        ck_assert_ptr_null(record_order_next(&o));
        ck_assert_uint_gt(record_order_memory(&o), 1600000);
        record_order_trim(&o);
        ck_assert_uint_eq(record_order_memory(&o), 0);
        ck_assert(o.newest == 99999 && o.newest_before == 99999);
        put(&o, 1, 1);
        ck_assert_ok(record_order_finish_round(&o));
        assert_next(&o, 1, 1);
}
END_TEST

TEST_RUN("record-order", merges, rounds, without_time, kept_records, put_back_and_looked_at, keeps_the_order_of_equals, many_rounds,
         a_long_round, gives_back_what_a_burst_took);
