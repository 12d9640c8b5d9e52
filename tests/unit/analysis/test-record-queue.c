/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record-queue.h"

typedef struct Seen {
        uint64_t times[32];
        uint32_t tids[32];
        size_t n, stop;
} Seen;

static int see(void *userdata, const struct perf_event_header *record, uint64_t time) {
        Seen *seen = userdata;

        ck_assert_uint_eq((uintptr_t) record % 8, 0);
        seen->times[seen->n] = time;
        seen->tids[seen->n++] = ((const PerfRecordComm *) record)->tid;
        return seen->n == seen->stop ? -ECANCELED : 0;
}

static void put(RecordQueue *q, uint64_t time, uint32_t tid) {
        PerfRecordComm record = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(record) }, .tid = tid };

        ck_assert_ok(record_queue_put(q, time, &record.header));
}

static RecordQueue *new_queue(Seen *seen) {
        RecordQueue *q = NULL;

        ck_assert_ok(record_queue_new(see, seen, &q));
        return q;
}

/* Runs of several CPUs are merged; of one time, the first in the file comes first. */
START_TEST(merges) {
        static const uint64_t expected[] = { 10, 15, 20, 20, 25, 30, 35 };
        _cleanup_(record_queue_freep) RecordQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        put(q, 10, 1);
        put(q, 20, 1);
        put(q, 30, 1);
        put(q, 15, 2);
        put(q, 20, 2);
        put(q, 35, 2);
        put(q, 25, 3);
        ck_assert_uint_eq(seen.n, 0);
        ck_assert_ok(record_queue_finish(q));
        ck_assert_uint_eq(seen.n, ELEMENTSOF(expected));
        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                ck_assert_uint_eq(seen.times[i], expected[i]);
        ck_assert(seen.tids[2] == 1 && seen.tids[3] == 2);
}
END_TEST

/* The end of a round hands on what is not newer than the previous round. */
START_TEST(rounds) {
        _cleanup_(record_queue_freep) RecordQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        put(q, 0, 9);
        ck_assert_uint_eq(seen.n, 1); /* without a time, at once */
        put(q, 10, 1);
        put(q, 20, 1);
        ck_assert_ok(record_queue_finish_round(q));
        ck_assert_uint_eq(seen.n, 1);
        put(q, 15, 2);
        put(q, 30, 2);
        ck_assert_ok(record_queue_finish_round(q));
        ck_assert_uint_eq(seen.n, 4);
        ck_assert(seen.times[1] == 10 && seen.times[2] == 15 && seen.times[3] == 20);
        put(q, 25, 1);
        ck_assert_ok(record_queue_finish_round(q));
        ck_assert_uint_eq(seen.n, 6);
        ck_assert(seen.times[4] == 25 && seen.tids[4] == 1 && seen.times[5] == 30 && seen.tids[5] == 2);
}
END_TEST

START_TEST(errors_end_it) {
        _cleanup_(record_queue_freep) RecordQueue *q = NULL;
        Seen seen = { .stop = 2 };

        q = new_queue(&seen);
        for (uint32_t i = 1; i < 5; i++)
                put(q, i, i);
        ck_assert_int_eq(record_queue_finish(q), -ECANCELED);
        ck_assert_uint_eq(seen.n, 2);
}
END_TEST

typedef struct Last {
        uint64_t time, n;
} Last;

static int see_order(void *userdata, const struct perf_event_header *record, uint64_t time) {
        Last *last = userdata;

        ck_assert_uint_ge(time, last->time);
        ck_assert_uint_eq(((const PerfRecordComm *) record)->tid, time);
        last->time = time;
        last->n++;
        return 0;
}

/* Blocks of the store are used again, and records keep their bytes. */
START_TEST(many_rounds) {
        _cleanup_(record_queue_freep) RecordQueue *q = NULL;
        union {
                PerfRecordComm comm;
                uint8_t bytes[60000];
        } record = { .comm = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(record) } } };
        Last last = {};

        ck_assert_ok(record_queue_new(see_order, &last, &q));
        for (uint32_t round = 1; round <= 6; round++) {
                for (uint32_t i = 0; i < 40; i++) {
                        record.comm.tid = round * 100 + 200 - (i * 7 + round) % 150;
                        ck_assert_ok(record_queue_put(q, record.comm.tid, &record.comm.header));
                }
                ck_assert_ok(record_queue_finish_round(q));
        }
        ck_assert_ok(record_queue_finish(q));
        ck_assert_uint_eq(last.n, 240);
}
END_TEST

TEST_RUN("record-queue", merges, rounds, errors_end_it, many_rounds);
