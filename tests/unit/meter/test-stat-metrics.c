/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each metric, what it is of, and when it has no value. */

#include "stat-metrics.h"
#include "stat-samples.h"

/* The metrics of the last event, at a place. */
static size_t find(const Sample *s, size_t place, StatMetric ret[static STAT_METRICS_MAX]) {
        size_t event = s->table.n_events - 1;
        double value = s->values[event * s->table.n_places + place].value * s->events[event].scale;

        return stat_metrics(&s->table, event, place, value, ret);
}

static void assert_metric(const StatMetric *m, const char *unit, double value, int digits, const char *suffix) {
        ck_assert_pstr_eq(m->unit, unit);
        ck_assert(m->known);
        ck_assert_double_eq_tol(m->value, value, 1e-6);
        ck_assert_int_eq(m->digits, digits);
        ck_assert_str_eq(m->suffix, suffix);
}

static void assert_unknown(const Sample *s, const char *unit) {
        StatMetric metrics[STAT_METRICS_MAX];

        ck_assert_uint_eq(find(s, 0, metrics), 1);
        ck_assert(!metrics[0].known);
        ck_assert_pstr_eq(metrics[0].unit, unit);
}

START_TEST(shares) {
        static const struct {
                const char *events, *unit;
                double value;
                int digits;
                const char *suffix;
        } cases[] = {
                { "branches branch-misses", "of all branches", 10.848218, 2, "%" },
                { "L1-dcache-loads L1-dcache-load-misses", "of all L1-dcache accesses", 0.854485, 2, "%" },
                { "LLC-loads LLC-load-misses", "of all LL-cache accesses", 0.854485, 2, "%" },
                { "cycles stalled-cycles-frontend", "frontend cycles idle", 14.736838, 2, "%" },
                { "cycles stalled-cycles-backend", "backend cycles idle", 27.526312, 2, "%" },
                { "cache-references cache-misses", "of all cache refs", 0, 3, " %" },
                { "task-clock cycles", "GHz", 4.481132, 3, "" },
                { "cycles instructions", "insn per cycle", 0.829474, 2, " " },
                { "cycles task-clock", "CPUs utilized", 0.724007, 3, "" },
                { "task-clock context-switches", "K/sec", 2.357406, 3, "" },
                { "task-clock branches", "M/sec", 660.377147, 3, "" },
                { "task-clock power/energy-pkg/", "/sec", 237.772799, 3, "" },
        };
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                sample_init(&s, STAT_BY_CPU, cases[i].events);
                ck_assert_uint_eq(find(&s, 0, metrics), 1);
                assert_metric(&metrics[0], cases[i].unit, cases[i].value, cases[i].digits, cases[i].suffix);
        }
}
END_TEST

/* The caches that have no sample: the numbers are those of perf_event_open(2). */
START_TEST(caches) {
        static const char *const units[] = {
                "of all L1-dcache accesses", "of all L1-icache accesses", "of all LL-cache accesses", "of all dTLB cache accesses",
                "of all iTLB cache accesses",
        };
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        for (uint64_t cache = 0; cache < ELEMENTSOF(units); cache++) {
                const struct perf_event_attr reads = { .type = PERF_TYPE_HW_CACHE, .config = cache };
                const struct perf_event_attr misses = { .type = PERF_TYPE_HW_CACHE, .config = cache | 1 << 16 };

                sample_init(&s, STAT_ALL, "LLC-loads LLC-load-misses");
                s.events[0].attr = &reads;
                s.events[1].attr = &misses;
                ck_assert_uint_eq(find(&s, 0, metrics), 1);
                assert_metric(&metrics[0], units[cache], 0.948552, 2, "%");
        }
}
END_TEST

START_TEST(stalled_instructions) {
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        sample_init(&s, STAT_BY_CPU, "cycles stalled-cycles-frontend stalled-cycles-backend instructions");
        ck_assert_uint_eq(find(&s, 1, metrics), 2);
        assert_metric(&metrics[0], "insn per cycle", 0.702752, 2, " ");
        assert_metric(&metrics[1], "stalled cycles per insn", 0.577023, 2, " "); /* the larger of both */
        s.values[7].value = 0;
        ck_assert_uint_eq(find(&s, 1, metrics), 1);
}
END_TEST

START_TEST(transactions) {
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        sample_init(&s, STAT_ALL, "cycles bus-cycles bus-cycles");
        s.values[1].value = 91357802;
        s.events[1].name = s.events[2].name = "cpu/cycles-t/";
        s.values[2].value = 91357802;
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "transactional cycles", 2.474910, 2, "%");
        s.events[2].name = "cpu/cycles-ct/";
        s.values[2].value = 71357802;
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "aborted cycles", 0.541806, 2, "%");
        s.events[2].name = "cpu/tx-start/";
        s.values[2].value = 1357802;
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "cycles / transaction", 67.283597, 0, "");
        s.events[2].name = "cpu/el-start/";
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "cycles / elision", 67.283597, 0, "");
}
END_TEST

/* perf names the unit even where it has no value, and of "GHz" another one. */
START_TEST(without_the_other) {
        static const struct {
                const char *events, *unit;
        } cases[] = {
                { "branch-misses", "of all branches" },
                { "!branches branch-misses", "of all branches" },
                { "cache-misses", "of all cache refs" },
                { "stalled-cycles-frontend", "frontend cycles idle" },
                { "instructions", "insn per cycle" },
                { "cycles", "Ghz" },
                { "context-switches", NULL },
                { "!task-clock context-switches", NULL },
        };
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                sample_init(&s, STAT_ALL, cases[i].events);
                assert_unknown(&s, cases[i].unit);
        }
        sample_init(&s, STAT_ALL, "stalled-cycles-backend");
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "backend cycles idle", 0, 2, "%");
        sample_init(&s, STAT_ALL, "task-clock");
        s.table.elapsed = 0;
        assert_unknown(&s, "CPUs utilized");
}
END_TEST

/* Two clocks are averaged. A count is compared with those of the same control group and modes, times with those of all modes. */
START_TEST(others_of_the_same_kind) {
        const struct perf_event_attr user_cycles = { .config = PERF_COUNT_HW_CPU_CYCLES, .exclude_kernel = 1 };
        StatMetric metrics[STAT_METRICS_MAX];
        Sample s;

        sample_init(&s, STAT_BY_CPU, "task-clock task-clock cycles");
        s.values[2].value *= 3;
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "GHz", 4.481132 / 2, 3, "");
        s.events[2].attr = &user_cycles;
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "GHz", 4.481132 / 2, 3, "");
        s.events[1].cgroup = "/a";
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "GHz", 4.481132, 3, "");
        sample_init(&s, STAT_BY_CPU, "cycles instructions");
        s.events[0].attr = &user_cycles;
        assert_unknown(&s, "insn per cycle");
        sample_init(&s, STAT_BY_CPU, "cycles instructions");
        s.events[0].cgroup = "/a";
        assert_unknown(&s, "insn per cycle");
        s.events[1].cgroup = (char[]) { "/a" };
        ck_assert_uint_eq(find(&s, 0, metrics), 1);
        assert_metric(&metrics[0], "insn per cycle", 0.829474, 2, " ");
}
END_TEST

CHECK_MAIN("stat-metrics", shares, caches, stalled_instructions, transactions, without_the_other, others_of_the_same_kind);
