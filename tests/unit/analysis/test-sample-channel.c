/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample-channel.h"

typedef struct Seen {
        uint64_t next;       /* the time that comes next */
        uint64_t samples, records, wrong;
        uint64_t fails_at;   /* 0: never */
} Seen;

static int see_time(Seen *seen, uint64_t time) {
        seen->wrong += time != seen->next;
        return seen->next++ == seen->fails_at && seen->fails_at > 0 ? -ENOSPC : 0;
}

static int see_sample(void *userdata, const QueuedSample *s) {
        Seen *seen = userdata;

        seen->samples++;
        seen->wrong += s->chain != (uint32_t) s->time * 7;
        return see_time(seen, s->time);
}

static int see_record(void *userdata, const struct perf_event_header *record) {
        const PerfRecordComm *comm = (const void *) record;
        Seen *seen = userdata;

        seen->records++;
        return see_time(seen, comm->tid);
}

static void see_restart(void *userdata) {
        ((Seen *) userdata)->wrong++;
}

static SampleQueue *new_queue(Seen *seen) {
        const SampleQueueUser user = { .sample = see_sample, .record = see_record, .restart = see_restart, .userdata = seen };
        SampleQueue *q = NULL;

        ck_assert_ok(sample_queue_new(&user, &q));
        return q;
}

/* Each tenth one is a record, of any size; each 1,000th time is the end of a round. Returns the first error. */
static int put_all(SampleChannel *c, uint64_t n) {
        static _Alignas(PerfRecordComm) uint8_t room[UINT16_MAX + 1];
        int r = 0;

        for (uint64_t time = 1; r >= 0 && time <= n; time++) {
                PerfRecordComm *record = (PerfRecordComm *) room;
                size_t size = sizeof(*record) + time * 80 % (time % 100 == 0 ? sizeof(room) - sizeof(*record) - 8 : 64);

                *record = (PerfRecordComm) {
                        .header = { .type = PERF_RECORD_COMM, .size = (uint16_t) (size & ~(size_t) 7) }, .tid = (uint32_t) time,
                };
                r = time % 10 == 0 ? sample_channel_put_record(c, time, &record->header) :
                                     sample_channel_put_sample(c, &(QueuedSample) { .time = time, .chain = (uint32_t) time * 7 });
                if (r >= 0 && time % 1000 == 0)
                        r = sample_channel_finish_round(c);
        }
        return r;
}

/* The queue has everything in order, and rounds end where they were put. */
START_TEST(order_is_kept) {
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        _cleanup_(sample_channel_freep) SampleChannel *c = NULL;
        Seen seen = { .next = 1 };
        const uint64_t n = 100500;

        q = new_queue(&seen);
        ck_assert_ok(sample_channel_new(q, &c));
        ck_assert_ok(put_all(c, n));
        ck_assert_ok(sample_channel_finish(c));
        ck_assert_uint_eq(seen.next, n - 1500 + 1); /* the last round that ended shows up to the one before it */
        ck_assert_ok(sample_queue_finish(q));
        ck_assert_uint_eq(seen.samples, n - n / 10);
        ck_assert_uint_eq(seen.records, n / 10);
        ck_assert_uint_eq(seen.wrong, 0);
}
END_TEST

/* The error of the queue's user reaches the thread that puts, which would wait for ever otherwise. */
START_TEST(errors_come_back) {
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        _cleanup_(sample_channel_freep) SampleChannel *c = NULL;
        Seen seen = { .next = 1, .fails_at = 1500 };

        q = new_queue(&seen);
        ck_assert_ok(sample_channel_new(q, &c));
        ck_assert_int_eq(put_all(c, 1000000), -ENOSPC);
        ck_assert_uint_eq(seen.next, 1501);
        ck_assert_int_eq(sample_channel_finish(c), -ENOSPC);
}
END_TEST

START_TEST(nothing_is_put) {
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        _cleanup_(sample_channel_freep) SampleChannel *c = NULL;
        Seen seen = { .next = 1 };

        q = new_queue(&seen);
        ck_assert_ok(sample_channel_new(q, &c));
        ck_assert_ok(sample_channel_finish(c));
        ck_assert_uint_eq(seen.next, 1);
}
END_TEST

/* A channel that is freed early ends its thread, and gives memory back. */
START_TEST(freed_early) {
        _cleanup_(sample_queue_freep) SampleQueue *q = NULL;
        _cleanup_(sample_channel_freep) SampleChannel *c = NULL;
        Seen seen = { .next = 1 };

        q = new_queue(&seen);
        ck_assert_ok(sample_channel_new(q, &c));
        ck_assert_ok(put_all(c, 30000));
}
END_TEST

TEST_RUN("sample-channel", errors_come_back, freed_early, nothing_is_put, order_is_kept);
