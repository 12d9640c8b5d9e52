/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sideband-queue.h"

typedef struct Record {
        struct perf_event_header header;
        uint64_t word;
} Record;

static void add(SidebandQueue *q, uint64_t time, uint64_t word) {
        const Record r = { .header.size = sizeof(r), .word = word };

        ck_assert_ok(sideband_queue_add(q, &r.header, time));
}

static uint64_t word_at(const SidebandQueue *q, size_t i) {
        return ((const Record *) sideband_queue_record(q, i))->word;
}

START_TEST(sorts_and_keeps_the_order_of_equals) {
        _cleanup_(sideband_queue_done) SidebandQueue q = {};

        for (uint64_t i = 0; i < 1000; i++)
                add(&q, 100 - i / 10, i);
        for (unsigned round = 0; round < 5; round++) {
                sideband_queue_sort(&q);
                for (size_t i = 1; i < q.n; i++) {
                        ck_assert_uint_le(q.items[i - 1].time, q.items[i].time);
                        if (q.items[i - 1].time == q.items[i].time)
                                ck_assert_uint_lt(word_at(&q, i - 1), word_at(&q, i));
                }
                sideband_queue_drop(&q, 15);
                for (uint64_t i = 0; i < 15; i++)
                        add(&q, 50, 1000 + round * 100 + i);
        }
        ck_assert_uint_eq(q.n, 1000);
        ck_assert_uint_eq(q.size, q.n * sizeof(Record));
        ck_assert_uint_eq(q.newest, 100);
}
END_TEST

START_TEST(gives_back_what_a_burst_took) {
        _cleanup_(sideband_queue_done) SidebandQueue q = {};

        for (uint64_t i = 0; i < 100000; i++)
                add(&q, i, i);
        ck_assert_uint_gt(sideband_queue_bytes(&q), 1600000);
        sideband_queue_drop(&q, q.n);
        ck_assert_uint_eq(sideband_queue_bytes(&q), 0);
        ck_assert_uint_eq(q.newest, 99999);
        add(&q, 1, 1);
        ck_assert_uint_eq(word_at(&q, 0), 1);
}
END_TEST

TEST_RUN("sideband-queue", sorts_and_keeps_the_order_of_equals, gives_back_what_a_burst_took);
