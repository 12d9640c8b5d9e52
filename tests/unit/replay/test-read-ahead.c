/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "read-ahead.h"

#define N 20500u

/* Records of many sizes, the largest too; each hundredth is none. */
typedef struct Source {
        _Alignas(uint64_t) uint8_t room[UINT16_MAX + 1];
        uint32_t n, end;
        int result;
} Source;

static uint16_t size_of(uint32_t number) {
        return (uint16_t) (8 + (number % 1000 == 999 ? UINT16_MAX - 15 : number * 80 % 512) / 8 * 8);
}

static int next_record(void *userdata, OrderedRecord *ret) {
        Source *s = userdata;
        struct perf_event_header *h = (struct perf_event_header *) s->room;

        if (s->n == s->end)
                return s->result;
        *h = (struct perf_event_header) { .type = s->n, .size = size_of(s->n) };
        s->room[h->size - 1] = h->size > sizeof(*h) ? (uint8_t) s->n : s->room[h->size - 1];
        *ret = (OrderedRecord) { .time = s->n + 1, .source = s->n * 7, .record = s->n % 100 == 50 ? NULL : h };
        s->n++;
        return 1;
}

static void take(ReadAhead *a, uint32_t number) {
        OrderedRecord r;

        ck_assert_int_eq(read_ahead_next(a, &r), 1);
        ck_assert_uint_eq(r.time, number + 1);
        ck_assert_uint_eq(r.source, number * 7);
        ck_assert_int_eq(r.record == NULL, number % 100 == 50);
        if (!r.record)
                return;
        ck_assert_uint_eq(r.record->type, number);
        ck_assert_uint_eq(r.record->size, size_of(number));
        if (r.record->size > sizeof(*r.record))
                ck_assert_uint_eq(((const uint8_t *) r.record)[r.record->size - 1], (uint8_t) number);
}

/* All come in order, and the end is how the reading ended, however often it is asked for. */
START_TEST(order_is_kept) {
        static const int results[] = { 0, -EBADMSG };

        for (size_t i = 0; i < ELEMENTSOF(results); i++) {
                _cleanup_(read_ahead_freep) ReadAhead *a = NULL;
                static Source s;
                OrderedRecord r;

                s = (Source) { .end = N, .result = results[i] };
                ck_assert_ok(read_ahead_new(next_record, &s, &a));
                for (uint32_t number = 0; number < N; number++)
                        take(a, number);
                ck_assert_int_eq(read_ahead_next(a, &r), results[i]);
                ck_assert_int_eq(read_ahead_next(a, &r), results[i]);
        }
}
END_TEST

START_TEST(nothing_to_read) {
        _cleanup_(read_ahead_freep) ReadAhead *a = NULL;
        static Source s;
        OrderedRecord r;

        ck_assert_ok(read_ahead_new(next_record, &s, &a));
        ck_assert_int_eq(read_ahead_next(a, &r), 0);
}
END_TEST

/* It is freed while its thread waits for room, or reads. */
START_TEST(freed_early) {
        for (uint32_t n = 0; n < 3000; n += 1000) {
                _cleanup_(read_ahead_freep) ReadAhead *a = NULL;
                static Source s;

                s = (Source) { .end = N };
                ck_assert_ok(read_ahead_new(next_record, &s, &a));
                for (uint32_t number = 0; number < n; number++)
                        take(a, number);
        }
}
END_TEST

TEST_RUN("read-ahead", freed_early, nothing_to_read, order_is_kept);
