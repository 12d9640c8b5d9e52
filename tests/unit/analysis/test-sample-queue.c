/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample-queue.h"

typedef struct Seen {
        uint64_t times[16];
        bool records[16];
        size_t n, n_restarts, n_late;
} Seen;

static int see_sample(void *userdata, const QueuedSample *s) {
        Seen *seen = userdata;

        seen->times[seen->n++] = s->time;
        return 0;
}

static int see_record(void *userdata, const struct perf_event_header *record) {
        Seen *seen = userdata;

        seen->records[seen->n++] = true;
        return 0;
}

static void see_restart(void *userdata) {
        Seen *seen = userdata;

        seen->n_restarts++;
}

static SampleQueue *new_queue(Seen *seen) {
        SampleQueue *q = NULL;

        ck_assert_ok(sample_queue_new(&(SampleQueueUser) { .sample = see_sample, .record = see_record, .restart = see_restart, .userdata = seen }, &q));
        return q;
}

static void put(SampleQueue *q, uint64_t time) {
        ck_assert_ok(sample_queue_put_sample(q, &(QueuedSample) { .time = time }));
}

START_TEST(records_only) {
        const struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        ck_assert_ok(sample_queue_put_record(q, 20, &record));
        ck_assert_ok(sample_queue_finish(q));
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

/* A record comes between the samples before and after it. */
START_TEST(records_have_their_turn) {
        const struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        put(q, 30);
        put(q, 10);
        ck_assert_ok(sample_queue_put_record(q, 20, &record));
        ck_assert_ok(sample_queue_finish(q));
        ck_assert_uint_eq(seen.n, 3);
        ck_assert_uint_eq(seen.times[0], 10);
        ck_assert(seen.records[1]);
        ck_assert_uint_eq(seen.times[2], 30);
}
END_TEST

/* The end of a round hands on what the previous round has, and no more. */
START_TEST(rounds) {
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        put(q, 10);
        put(q, 20);
        ck_assert_ok(sample_queue_finish_round(q));
        ck_assert_uint_eq(seen.n, 0);
        put(q, 15);
        put(q, 40);
        ck_assert_ok(sample_queue_finish_round(q));
        ck_assert_uint_eq(seen.n, 3);
        ck_assert_ok(sample_queue_finish(q));
        ck_assert_uint_eq(seen.n, 4);
        ck_assert_uint_eq(seen.times[3], 40);
}
END_TEST

/* A record without a time counts from its place in the file. */
START_TEST(without_time) {
        const struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        Seen seen = {};

        q = new_queue(&seen);
        put(q, 10);
        ck_assert_ok(sample_queue_put_record(q, 0, &record));
        ck_assert_uint_eq(seen.n, 1);
        ck_assert(seen.records[0]);
}
END_TEST

static int count_sample(void *userdata, const QueuedSample *s) {
        Seen *seen = userdata;

        seen->n++;
        seen->n_late += seen->records[0] != (s->time > 1000);
        return 0;
}

static int note_record(void *userdata, const struct perf_event_header *record) {
        Seen *seen = userdata;

        seen->records[0] = true;
        return 0;
}

static void forget_record(void *userdata) {
        Seen *seen = userdata;

        seen->records[0] = false;
        seen->n_restarts++;
}

/* A round with more samples than are kept: each part sees all records. */
START_TEST(a_long_round) {
        const SampleQueueUser user = { .sample = count_sample, .record = note_record, .restart = forget_record };
        const struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        SampleQueueUser with_userdata = user;
        Seen seen = {};

        with_userdata.userdata = &seen;
        ck_assert_ok(sample_queue_new(&with_userdata, &q));
        ck_assert_ok(sample_queue_put_record(q, 1000, &record));
        for (uint64_t i = 0; i < (5u << 18); i++)
                put(q, i % 2 ? 10 : 2000);
        ck_assert_ok(sample_queue_finish(q));
        ck_assert_uint_eq(seen.n, 5u << 18);
        ck_assert_uint_gt(seen.n_restarts, 1);
        ck_assert_uint_eq(seen.n_late, 0);
}
END_TEST

TEST_RUN("sample-queue", records_only, a_long_round, records_have_their_turn, rounds, without_time);
