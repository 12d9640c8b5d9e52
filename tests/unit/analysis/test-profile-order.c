/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "profile-order.h"

typedef struct Seen {
        uint64_t times[16];
        size_t n;
        int answer;
} Seen;

static int take(void *userdata, uint64_t time, const OrderedSample *sample, const struct perf_event_header *record) {
        Seen *s = userdata;

        ck_assert(!sample != !record);
        s->times[s->n++] = time;
        return s->answer;
}

static ProfileOrder *made(Seen *s) {
        ProfileOrder *o = NULL;

        ck_assert_ok(profile_order_new(take, s, &o));
        return o;
}

static void expect(const Seen *s, const uint64_t *times, size_t n) {
        ck_assert_uint_eq(s->n, n);
        for (size_t i = 0; i < n; i++)
                ck_assert_uint_eq(s->times[i], times[i]);
}

static const struct perf_event_header record = { .type = PERF_RECORD_COMM, .size = sizeof(record) };

START_TEST(by_time) {
        Seen s = {};
        _cleanup_(profile_order_freep) ProfileOrder *o = made(&s);

        ck_assert_ok(profile_order_put_sample(o, 30, &(OrderedSample) {}));
        ck_assert_ok(profile_order_put_record(o, 10, &record));
        ck_assert_ok(profile_order_put_sample(o, 20, &(OrderedSample) {}));
        ck_assert_uint_eq(s.n, 0);
        ck_assert_ok(profile_order_finish(o));
        expect(&s, (uint64_t[]) { 10, 20, 30 }, 3);
}
END_TEST

START_TEST(by_round) {
        Seen s = {};
        _cleanup_(profile_order_freep) ProfileOrder *o = made(&s);

        ck_assert_ok(profile_order_finish_round(o));
        ck_assert_ok(profile_order_put_sample(o, 20, &(OrderedSample) {}));
        ck_assert_ok(profile_order_finish_round(o));
        ck_assert_uint_eq(s.n, 0);
        ck_assert_ok(profile_order_put_sample(o, 30, &(OrderedSample) {}));
        ck_assert_ok(profile_order_put_record(o, 15, &record)); /* of another CPU */
        ck_assert_ok(profile_order_finish_round(o));
        expect(&s, (uint64_t[]) { 15, 20 }, 2);
        ck_assert_ok(profile_order_finish(o));
        ck_assert_ok(profile_order_finish(o));
        expect(&s, (uint64_t[]) { 15, 20, 30 }, 3);
}
END_TEST

START_TEST(who_has_enough) {
        Seen s = { .answer = -E2BIG };
        _cleanup_(profile_order_freep) ProfileOrder *o = made(&s);

        ck_assert_ok(profile_order_put_record(o, 1, &record));
        ck_assert_ok(profile_order_put_record(o, 2, &record));
        ck_assert_int_eq(profile_order_finish(o), -E2BIG);
        ck_assert_uint_eq(s.n, 1);
        ck_assert_ptr_null(profile_order_free(NULL));
}
END_TEST

TEST_RUN("profile-order", by_time, by_round, who_has_enough);
