/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <math.h>

#include "check-main.h"
#include "stat-sums.h"

/* Counts of two events on two CPUs. */
typedef struct Made {
        CountEvent events[2];
        Count counts[4];
        CountLayout layout;
} Made;

static void make_layout(Made *m, size_t n_cpus) {
        static const int cpus[] = { 0, 1 };
        static const RecordThread all = { -1, NULL };

        *m = (Made) {
                .events = { { .name = "task-clock", .unit = "msec", .scale = 1e-6, .supported = true }, { .name = "cycles", .scale = 1 } },
        };
        m->layout = (CountLayout) {
                .events = m->events, .n_events = 2, .cpus = cpus, .n_cpus = n_cpus, .threads = &all, .n_threads = 1,
        };
}

/* An event that was counted half of the time counts twice; without scaling it does not. */
START_TEST(places_add_up) {
        Made m;

        make_layout(&m, 2);
        m.counts[0] = (Count) { 10, 100, 100 };
        m.counts[1] = (Count) { 30, 100, 0 };
        for (int no_scale = 0; no_scale < 2; no_scale++) {
                _cleanup_(stat_sums_done) StatSums s = { .no_scale = no_scale };
                StatTable t;

                ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
                stat_sums_add(&s, &m.layout, m.counts);
                t = stat_sums_table(&s);
                ck_assert(t.n_places == 1 && t.n_events == 2 && t.places->n_cpus == 2);
                ck_assert(t.values[0].value == (no_scale ? 40 : 80) && t.values[0].enabled == 200 && t.values[0].running == 100);
                ck_assert(t.values[1].running == 0 && !t.events[1].supported && t.events[0].supported);
                ck_assert_str_eq(t.events[0].unit, "msec");
                ck_assert_str_eq(t.events[1].unit, "");
        }
}
END_TEST

START_TEST(cpus_apart) {
        _cleanup_(stat_sums_done) StatSums s = { .placing = STAT_BY_CPU };
        StatTable t;
        Made m;

        make_layout(&m, 2);
        m.counts[0] = (Count) { 10, 100, 100 };
        m.counts[1] = (Count) { 30, 100, 50 };
        ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
        stat_sums_add(&s, &m.layout, m.counts);
        t = stat_sums_table(&s);
        ck_assert(t.n_places == 2 && t.places[0].cpu == 0 && t.places[1].cpu == 1);
        ck_assert(t.values[0].value == 10 && t.values[1].value == 60);
}
END_TEST

/* CPUs are where their machine has them, which may be another one. */
START_TEST(cores_of_another_machine) {
        static const CpuPlace places[] = { { .core = 3, .die = 0, .socket = 1, .node = 0 }, { .core = 3, .die = 0, .socket = 2, .node = 0 } };
        _cleanup_(stat_sums_done) StatSums s = { .placing = STAT_BY_CORE, .cpu_places = places }, sockets = s;
        StatTable t;
        Made m;

        make_layout(&m, 2);
        ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
        t = stat_sums_table(&s);
        ck_assert(t.n_places == 2 && t.places[0].socket == 1 && t.places[1].socket == 2 && t.places[1].core == 3);
        sockets.placing = STAT_BY_NODE;
        ck_assert_int_eq(stat_sums_begin(&sockets, &m.layout), 0);
        t = stat_sums_table(&sockets);
        ck_assert(t.n_places == 1 && t.places[0].node == 0 && t.places[0].n_cpus == 2);
}
END_TEST

START_TEST(threads_apart) {
        static const RecordThread threads[] = { { 17, "bash" }, { 4711, "cat" } };
        _cleanup_(stat_sums_done) StatSums s = { .placing = STAT_BY_THREAD };
        StatTable t;
        Made m;

        make_layout(&m, 1);
        m.layout.threads = threads;
        m.layout.n_threads = 2;
        m.counts[1] = (Count) { 30, 100, 100 };
        ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
        stat_sums_add(&s, &m.layout, m.counts);
        t = stat_sums_table(&s);
        ck_assert(t.n_places == 2 && t.places[0].tid == 17 && t.values[1].value == 30);
        ck_assert_str_eq(t.places[1].comm, "cat");
}
END_TEST

/* The deviation of the mean of 1, 2 and 3 is 1 divided by the root of 3. */
START_TEST(runs) {
        _cleanup_(stat_sums_done) StatSums s = {};
        StatTable t;
        Made m;

        make_layout(&m, 1);
        ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
        for (uint64_t value = 1; value <= 3; value++) {
                m.counts[0] = (Count) { value, 10 * value, 10 * value };
                stat_sums_add(&s, &m.layout, m.counts);
        }
        t = stat_sums_table(&s);
        ck_assert(t.values[0].value == 2 && t.values[0].enabled == 20);
        ck_assert(fabs(t.values[0].deviation - 1 / sqrt(3)) < 1e-9);
}
END_TEST

/* An interval has what came since the one before; the sum behind them has all. */
START_TEST(intervals) {
        _cleanup_(stat_sums_done) StatSums s = {};
        Made m;

        make_layout(&m, 1);
        ck_assert_int_eq(stat_sums_begin(&s, &m.layout), 0);
        m.counts[0] = (Count) { 10, 100, 100 };
        stat_sums_take(&s, &m.layout, m.counts, true);
        ck_assert(stat_sums_table(&s).values[0].value == 10);
        m.counts[0] = (Count) { 25, 200, 150 };
        stat_sums_take(&s, &m.layout, m.counts, true);
        ck_assert(stat_sums_table(&s).values[0].value == 30 && stat_sums_table(&s).values[0].running == 50);
        stat_sums_take(&s, &m.layout, m.counts, false);
        ck_assert(stat_sums_table(&s).values[0].enabled == 200);
}
END_TEST

CHECK_MAIN("stat-sums", places_add_up, cpus_apart, cores_of_another_machine, threads_apart, runs, intervals);
