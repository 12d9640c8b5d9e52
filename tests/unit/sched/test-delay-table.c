/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "delay-table.h"

static void add(DelayTable *t, uint32_t row, uint64_t ready, uint64_t came) {
        ck_assert_int_eq(delay_table_add(t, row, &(SchedWait) { .ready = ready, .came = came }), 0);
}

/* The nearest rank: the 95th of 100 delays has five above it. */
START_TEST(quantiles) {
        _cleanup_(delay_table_done) DelayTable t = {};

        for (uint64_t i = 100; i > 0; i--)
                add(&t, 1, 1000, 1000 + i);
        add(&t, 0, 5, 12);
        delay_table_sort(&t);
        ck_assert_uint_eq(t.n_rows, 2);
        ck_assert(t.rows[1].n == 100 && t.rows[1].sum == 5050 && t.rows[1].longest == 100);
        ck_assert(t.rows[1].longest_since == 1000 && t.rows[1].longest_until == 1100);
        ck_assert_uint_eq(delay_table_quantile(&t, 1, 0.5), 50);
        ck_assert_uint_eq(delay_table_quantile(&t, 1, 0.95), 95);
        ck_assert_uint_eq(delay_table_quantile(&t, 1, 0.99), 99);
        ck_assert_uint_eq(delay_table_quantile(&t, 1, 1), 100);
        ck_assert_uint_eq(delay_table_quantile(&t, 0, 0.5), 7);
}
END_TEST

/* A delay is not known if its begin is not, or if records were lost since. */
START_TEST(unknown) {
        _cleanup_(delay_table_done) DelayTable t = {};

        ck_assert_int_eq(delay_table_add(&t, 0, &(SchedWait) { .came = 9 }), 0);
        ck_assert_int_eq(delay_table_add(&t, 0, &(SchedWait) { .ready = 5, .came = 9, .lost = 5 }), 0);
        ck_assert_int_eq(delay_table_add(&t, 0, &(SchedWait) { .ready = 10, .came = 9 }), 0);
        ck_assert_int_eq(delay_table_add(&t, 0, &(SchedWait) { .ready = 5, .came = 9, .lost = 4 }), 0);
        ck_assert(t.rows[0].doubtful == 3 && t.rows[0].n == 1 && t.rows[0].sum == 4);
}
END_TEST

START_TEST(histogram) {
        _cleanup_(delay_table_done) DelayTable t = {};
        uint64_t counts[DELAY_BUCKETS];

        add(&t, 0, 1, 1);
        add(&t, 0, 1, 2);
        add(&t, 0, 1, 4);
        add(&t, 0, 1, 5);
        add(&t, 0, 1, UINT64_MAX);
        delay_table_sort(&t);
        delay_table_histogram(&t, 0, counts);
        ck_assert(counts[0] == 1 && counts[1] == 1 && counts[2] == 1 && counts[3] == 1 && counts[DELAY_BUCKETS - 1] == 1);
        ck_assert_uint_eq(delay_table_quantile(&t, 0, 1), UINT64_MAX - 1);
}
END_TEST

START_TEST(moved) {
        _cleanup_(delay_table_done) DelayTable t = {}, from = {};
        const uint32_t rows[] = { 2, SCHED_NOBODY, 2 }, later[] = { 0 };

        add(&from, 0, 10, 13);
        ck_assert_ptr_nonnull(delay_table_row(&from, 1));
        add(&from, 2, 20, 29);
        from.rows[2].runs = 4;
        ck_assert_int_eq(delay_table_move(&t, &from, rows), 0);
        ck_assert(from.n == 0 && from.n_rows == 0);
        add(&from, 0, 30, 31);
        ck_assert_int_eq(delay_table_move(&t, &from, later), 0);
        delay_table_sort(&t);
        ck_assert(t.n == 3 && t.n_rows == 3 && t.rows[0].n == 1 && t.rows[1].n == 0);
        ck_assert(t.rows[2].n == 2 && t.rows[2].sum == 12 && t.rows[2].longest_until == 29 && t.rows[2].runs == 4);
        ck_assert_uint_eq(delay_table_quantile(&t, 2, 0.5), 3);
}
END_TEST

CHECK_MAIN("delay-table", quantiles, unknown, histogram, moved);
