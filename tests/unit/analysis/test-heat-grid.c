/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tree of three groups: "a" with a function, "b", and the idle CPU. Samples of rows 0 to 3 end in its nodes, those of row 4 in none. */

#include "heat-grid.h"
#include "parse-time.h"
#include "perfdata-test.h"

static Frame frames[] = { { .kind = FRAME_GROUP }, { .kind = FRAME_GROUP }, { .kind = FRAME_USER }, { .kind = FRAME_IDLE } };
static FrameNode nodes[] = {
        {}, { .frame = 1, .weight = 2 }, { .frame = 2, .weight = 7 }, { .frame = 3, .parent = 1, .weight = 1 }, { .frame = 4, .weight = 9 },
};
static const FrameTree tree = {
        .plan = { .by = FRAME_BY_COMM }, .frames = { .frames = frames, .n = ELEMENTSOF(frames) }, .nodes = nodes, .n = ELEMENTSOF(nodes),
};
static const uint32_t ends[] = { 1, 2, 3, 4, 0 };

#define BEGIN (UINT64_C(1000) * NSEC_PER_SEC)
#define AT(ms) (BEGIN + (ms) * NSEC_PER_MSEC)

static SampleMoments moments;
static uint64_t latency_of[200];

/* The map of samples; with latencies, their periods are these. */
static HeatMap map_of(const TimelineSample *samples, size_t n, bool with_latencies) {
        HeatMap m = { .tree = &tree, .ends = ends, .moments = &moments, .latencies = with_latencies ? latency_of : NULL, .wall = true };

        sample_moments_done(&moments);
        for (size_t i = 0; i < n; i++) {
                ck_assert_ok(sample_moments_add(&moments, samples[i].time, samples[i].row));
                latency_of[i] = samples[i].period;
        }
        return m;
}

static HeatMap finished_map(const TimelineSample *samples, size_t n, bool with_latencies) {
        HeatMap m = map_of(samples, n, with_latencies);

        ck_assert_ok(heat_map_finish(&m));
        return m;
}

static void expect_counts(const HeatGrid *g, const char *expected) {
        char text[512] = "";
        size_t n = 0;

        for (size_t i = 0; i < g->columns * g->rows; i++)
                n += (size_t) snprintf(text + n, sizeof(text) - n, "%s%u", i == 0 ? "" : i % g->rows == 0 ? "|" : " ", g->counts[i]);
        ck_assert_str_eq(text, expected);
}

/* Seconds, from the bottom up; what is idle or ends nowhere does not count. */
START_TEST(offsets) {
        static const TimelineSample samples[] = {
                { .time = AT(200), .row = 0 }, { .time = AT(250), .row = 3 }, { .time = AT(999), .row = 2 }, { .time = AT(1000), .row = 1 },
                { .time = AT(1000), .row = 4 }, { .time = AT(1499), .row = 1 }, { .time = AT(3500), .row = 0 }, { .time = AT(3501), .row = 0 },
        };
        HeatMap m = finished_map(samples, ELEMENTSOF(samples), false);
        HeatGrid g;

        ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows = 2, .columns = 4 }));
        ck_assert_uint_eq(g.plan.step, NSEC_PER_SEC);
        ck_assert_uint_eq(g.first, BEGIN);
        ck_assert_uint_eq(g.columns, 4);
        ck_assert_uint_eq(g.most, 2);
        expect_counts(&g, "1 1|2 0|0 0|0 2");
        heat_grid_done(&g);
        ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows = 1, .columns = 2, .step = NSEC_PER_SEC }));
        expect_counts(&g, "2|2");
        ck_assert_uint_eq(g.outside, 2);
        heat_grid_done(&g);
        m.wall = false; /* then columns begin with the first sample */
        ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows = 2, .columns = 4 }));
        ck_assert_uint_eq(g.first, AT(200));
        expect_counts(&g, "1 2|1 0|0 0|2 0");
        heat_grid_done(&g);
        heat_map_done(&m);
}
END_TEST

/* Idle CPUs count where nothing else does, and where they begin a latency. */
START_TEST(idle) {
        static const TimelineSample samples[] = { { .time = AT(1), .row = 3 }, { .time = AT(2), .row = 3 }, { .time = AT(3), .row = 0 } };
        static const struct {
                size_t n;
                bool latencies;
                unsigned expected;
        } table[] = { { 2, false, 2 }, { 3, false, 1 }, { 3, true, 3 } };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                HeatMap m = finished_map(samples, table[i].n, table[i].latencies);
                HeatGrid g;

                ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows = 1, .columns = 1 }));
                ck_assert_uint_eq(g.counts[0], table[i].expected);
                heat_grid_done(&g);
                heat_map_done(&m);
        }
}
END_TEST

/* By weight; those for which there is no row are in the last one. */
START_TEST(groups) {
        static const TimelineSample samples[] = {
                { .time = AT(0), .row = 2 }, { .time = AT(1), .row = 1 }, { .time = AT(2), .row = 1 }, { .time = AT(3), .row = 0 },
        };
        static const struct {
                unsigned rows;
                const char *expected;
                uint32_t groups[3];
        } table[] = { { 3, "0 2 2", { 4, 2, 1 } }, { 2, "0 4", { 4, 0, 0 } } };
        HeatMap m = finished_map(samples, ELEMENTSOF(samples), false);

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                HeatGrid g;

                ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows_of = HEAT_GROUPS, .rows = table[i].rows, .columns = 1 }));
                expect_counts(&g, table[i].expected);
                for (size_t row = 0; row < g.rows; row++)
                        ck_assert_uint_eq(g.groups[row], table[i].groups[row]);
                heat_grid_done(&g);
        }
        heat_map_done(&m);
}
END_TEST

START_TEST(latencies) {
        TimelineSample samples[100];
        HeatMap m;
        HeatGrid g;

        for (uint64_t i = 0; i < ELEMENTSOF(samples); i++)
                samples[i] = (TimelineSample) { .time = AT(i), .row = 0, .period = i < 98 ? 1000 * (i + 1) : 1000000 };
        m = finished_map(samples, ELEMENTSOF(samples), true);
        ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows_of = HEAT_LATENCIES, .rows = 3, .columns = 1 }));
        expect_counts(&g, "9 89 2"); /* 1 to 10 µs, to 100 µs, to 1 ms */
        ck_assert_uint_eq(heat_grid_row_latency(&g, 1), 10000);
        ck_assert_uint_eq(g.percentiles[0][HEAT_MEDIAN], 50000);
        ck_assert_uint_eq(g.percentiles[0][HEAT_P90], 90000);
        ck_assert_uint_eq(g.percentiles[0][HEAT_P99], 1000000);
        heat_grid_done(&g);
        ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) {
                .rows_of = HEAT_LATENCIES, .rows = 50, .columns = 1, .linear = true, .row_step = 50000, .most = 100000 }));
        expect_counts(&g, "49 49");
        ck_assert_uint_eq(g.outside, 2);
        heat_grid_done(&g);
        heat_map_done(&m);
}
END_TEST

START_TEST(steps) {
        static const struct {
                uint64_t span, columns, expected;
        } table[] = {
                { 30 * NSEC_PER_SEC, 140, 500 * NSEC_PER_MSEC }, { 3600 * NSEC_PER_SEC, 140, 30 * NSEC_PER_SEC },
                { 90000 * NSEC_PER_SEC, 10, 10800 * NSEC_PER_SEC }, { 5 * NSEC_PER_MSEC, 100, 100 * NSEC_PER_USEC },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                const TimelineSample samples[] = { { .time = BEGIN }, { .time = BEGIN + table[i].span } };
                HeatMap m = finished_map(samples, ELEMENTSOF(samples), false);
                HeatGrid g;

                ck_assert_ok(heat_grid_init(&g, &m, &(HeatGridPlan) { .rows = 1, .columns = (unsigned) table[i].columns }));
                ck_assert_uint_eq(g.plan.step, table[i].expected);
                ck_assert_uint_le(g.columns, table[i].columns);
                heat_grid_done(&g);
                heat_map_done(&m);
        }
        ck_assert_uint_eq(heat_grid_steps_of(100 * NSEC_PER_MSEC, 12), 20);
        ck_assert_uint_eq(heat_grid_steps_of(30 * NSEC_PER_SEC, 12), 20); /* ten minutes; five are 10 columns */
}
END_TEST

/* A span of throttling ends when the kernel says so; without that, a tick later. Spans are cut to the samples' time. */
START_TEST(gaps) {
        static const TimelineSample samples[] = { { .time = AT(0) }, { .time = AT(5000) } };
        TimelineMark marks[] = {
                { TIMELINE_THROTTLED, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(100), 0 },
                { TIMELINE_UNTHROTTLED, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(104), 0 },
                { TIMELINE_LOST, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(200), 17 },
                { TIMELINE_THROTTLED, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(300), 0 },
                { TIMELINE_UNTHROTTLED, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(4000), 0 },
                { TIMELINE_LOST, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, AT(6000), 1 },
        };
        static const HeatGap expected[] = {
                { HEAT_THROTTLED, AT(100), AT(104), 0 }, { HEAT_LOST, AT(200), AT(200), 17 }, { HEAT_THROTTLED, AT(300), AT(310), 0 },
                { HEAT_LENT, AT(4000), AT(5000), 0 },
        };
        Timeline t = { .marks = marks, .n_marks = ELEMENTSOF(marks) };
        HeatMap m = map_of(samples, ELEMENTSOF(samples), false);

        ck_assert_ok(heat_map_add_gap(&m, (HeatGap) { HEAT_LENT, AT(4000), UINT64_MAX, 0 }));
        ck_assert_ok(heat_map_add_losses(&m, &t));
        ck_assert_ok(heat_map_finish(&m));
        ck_assert_uint_eq(m.n_gaps, ELEMENTSOF(expected));
        for (size_t i = 0; i < m.n_gaps; i++) {
                ck_assert_uint_eq(m.gaps[i].kind, expected[i].kind);
                ck_assert_uint_eq(m.gaps[i].since, expected[i].since);
                ck_assert_uint_eq(m.gaps[i].until, expected[i].until);
                ck_assert_uint_eq(m.gaps[i].lost, expected[i].lost);
        }
        heat_map_done(&m);
}
END_TEST

TEST_RUN("heat-grid", offsets, idle, groups, latencies, steps, gaps);
