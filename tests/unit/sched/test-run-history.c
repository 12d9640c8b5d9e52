/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "run-history.h"

static void run(RunHistory *h, uint32_t cpu, uint32_t thread, uint64_t since, uint64_t until) {
        ck_assert_int_eq(run_history_take(h, &(SchedStep) { .cpu = cpu, .out = thread, .time = until, .stay.came = since }), 0);
}

static uint64_t share_of(const RunShares *shares, uint32_t thread) {
        uint64_t nsec = 0;

        for (size_t i = 0; i < shares->n; i++)
                nsec += shares->shares[i].thread == thread ? shares->shares[i].nsec : 0;
        return nsec;
}

/* All of the wait is somebody's, or of nobody who is known. */
START_TEST(shares) {
        _cleanup_(run_history_done) RunHistory h = {};
        RunShares all = {};

        run(&h, 1, 7, 100, 200);
        run(&h, 1, 8, 200, 250);
        run(&h, 1, 9, 0, 300); /* since when is not known */
        run(&h, 1, 7, 300, 400);
        run_history_share(&h, 1, 5, 150, 420, &all);
        ck_assert_uint_eq(share_of(&all, 7), 150);
        ck_assert_uint_eq(share_of(&all, 8), 50);
        ck_assert_uint_eq(share_of(&all, SCHED_NOBODY), 50);
        ck_assert_uint_eq(share_of(&all, 5), 20); /* it runs since the last switch */
        run_history_share(&h, 3, 5, 10, 20, &all);
        ck_assert_uint_eq(share_of(&all, SCHED_NOBODY), 60); /* a CPU that never switched */
        all.n = 0;
        run_history_share(&h, 1, 5, 50, 120, &all);
        ck_assert(share_of(&all, SCHED_NOBODY) == 50 && share_of(&all, 7) == 20);
}
END_TEST

/* The oldest runs are forgotten. */
START_TEST(ring) {
        _cleanup_(run_history_done) RunHistory h = {};
        RunShares all = {};

        for (uint64_t i = 0; i < RUN_HISTORY_MAX + 10; i++)
                run(&h, 0, (uint32_t) (i % 2), 100 + i, 101 + i);
        run_history_share(&h, 0, 0, 100, 110 + RUN_HISTORY_MAX, &all);
        ck_assert_uint_eq(share_of(&all, SCHED_NOBODY), 10);
        ck_assert_uint_eq(share_of(&all, 0), RUN_HISTORY_MAX / 2);
        ck_assert_uint_eq(share_of(&all, 1), RUN_HISTORY_MAX / 2);
}
END_TEST

/* Too many to name: the rest is nobody's. */
START_TEST(many) {
        _cleanup_(run_history_done) RunHistory h = {};
        RunShares all = {};

        for (uint32_t i = 0; i < 100; i++)
                run(&h, 0, i, 100 + i, 101 + i);
        run_history_share(&h, 0, 0, 100, 200, &all);
        ck_assert_uint_eq(all.n, RUN_SHARES_MAX);
        ck_assert_uint_eq(share_of(&all, SCHED_NOBODY), 100 - (RUN_SHARES_MAX - 1));
}
END_TEST

CHECK_MAIN("run-history", shares, ring, many);
