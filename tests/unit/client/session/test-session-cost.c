/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Estimates of a session's cost, on one CPU, so that they are the same everywhere. */

#include "check-main.h"
#include "session-cost.h"

static SessionCost cost_of(const char *const (*keys)[2], uint64_t default_size) {
        _cleanup_(session_settings_freep) SessionSettings *s = NULL;
        SessionCost c;

        ck_assert_int_eq(session_settings_new(&s), 0);
        for (; (*keys)[0]; keys++)
                ck_assert_int_eq(session_settings_set(s, startswith((*keys)[0], "Ru") ? "Session" : "Record", (*keys)[0], (*keys)[1], NULL),
                                 0);
        session_cost_estimate(s, default_size, &c);
        return c;
}

#define COST(default_size, ...) cost_of((const char *const[][2]) { { "CPU", "0" }, __VA_ARGS__, { NULL, NULL } }, default_size)

START_TEST(test_memory) {
        SessionCost c = COST(0, { "BufferSize", "3M" }), d = COST(64 * 1024, { "Mode", "overwrite" }), run;

        ck_assert_uint_eq(c.n_cpus, 1);
        ck_assert_uint_eq(c.ring_size, 4 << 20);
        ck_assert_uint_eq(c.sideband_size, 0);
        ck_assert_uint_eq(c.locked, 4 << 20);
        ck_assert_uint_eq(d.ring_size, 64 * 1024);
        ck_assert_uint_eq(d.locked, (64 + 512) * 1024);

        run = cost_of((const char *const[][2]) { { "Run", "-m 1G" }, { NULL, NULL } }, 0);
        ck_assert_uint_eq(run.ring_size, 0);
        ck_assert_uint_eq(run.locked, 0);
}
END_TEST

START_TEST(test_rate) {
        SessionCost c = COST(0, { "Event", "cpu-clock,task-clock" }, { "Frequency", "100" });
        SessionCost deep = COST(0, { "Event", "cpu-clock" }, { "Frequency", "100" }, { "CallGraph", "dwarf:4096" });
        SessionCost term = COST(0, { "Event", "cpu-clock/freq=50/" }, { "Frequency", "100" });

        ck_assert_uint_eq((uint64_t) c.samples_per_sec, 200);
        ck_assert_uint_eq((uint64_t) c.bytes_per_hour, 200 * c.sample_size * 3600);
        ck_assert_uint_eq(c.reach, USEC_INFINITY);
        ck_assert_uint_ge(deep.sample_size, c.sample_size + 4096);
        ck_assert_uint_eq((uint64_t) term.samples_per_sec, 50);
        ck_assert_uint_eq((uint64_t) COST(0, { "Frequency", "max" }).samples_per_sec > 0, 1);
}
END_TEST

START_TEST(test_unknown_rate) {
        SessionCost period = COST(0, { "Event", "cpu-clock" }, { "Period", "100" }, { "Mode", "overwrite" });
        SessionCost wrong = COST(0, { "Event", "no-such-event" }, { "Mode", "overwrite" });

        ck_assert_uint_eq((uint64_t) period.samples_per_sec, 0);
        ck_assert_uint_eq(period.reach, USEC_INFINITY);
        ck_assert_uint_eq((uint64_t) wrong.samples_per_sec, 0);
        ck_assert_uint_gt(wrong.locked, 0);
}
END_TEST

START_TEST(test_reach) {
        SessionCost o = COST(0, { "Event", "cpu-clock" }, { "Frequency", "100" }, { "BufferSize", "1M" }, { "Mode", "overwrite" });
        SessionCost h = COST(0, { "Event", "cpu-clock" }, { "Frequency", "100" }, { "HistorySize", "1M" }, { "Mode", "history" });
        SessionCost s = COST(0, { "Event", "cpu-clock" }, { "Frequency", "100" }, { "HistorySize", "1M" }, { "Mode", "history" },
                             { "HistorySec", "10s" });

        ck_assert_uint_eq(o.reach / USEC_PER_SEC, (1 << 20) / (100 * o.sample_size));
        ck_assert_uint_gt(h.reach, 3 * o.reach);
        ck_assert_uint_eq(s.reach, 10 * USEC_PER_SEC);
}
END_TEST

CHECK_MAIN("session-cost", test_memory, test_rate, test_unknown_rate, test_reach);
