/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The metrics of perf stat 6.1 that need no description of the processor. A metric compares a count with the mean of all events of
 * another kind that were counted at the same place, for the same control group, and in the same modes (user, kernel, …). */

#include "stat-metrics.h"

#include <math.h>

typedef enum StatKind {
        KIND_CLOCK,
        KIND_CYCLES,
        KIND_INSTRUCTIONS,
        KIND_CACHE_REFERENCES,
        KIND_CACHE_MISSES,
        KIND_BRANCHES,
        KIND_BRANCH_MISSES,
        KIND_STALLED_FRONTEND,
        KIND_STALLED_BACKEND,
        KIND_L1D,
        KIND_L1D_MISSES,
        KIND_L1I,
        KIND_L1I_MISSES,
        KIND_LL,
        KIND_LL_MISSES,
        KIND_DTLB,
        KIND_DTLB_MISSES,
        KIND_ITLB,
        KIND_ITLB_MISSES,
        KIND_TRANSACTIONAL,
        KIND_COMMITTED,
        KIND_TRANSACTION_START,
        KIND_ELISION_START,
        KIND_OTHER,
} StatKind;

#define HARDWARE(what) { PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what, NULL }
#define READS(cache) { PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache, NULL }
#define READ_MISSES(cache) { PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_RESULT_MISS << 16, NULL }

static const struct {
        uint32_t type;
        uint64_t config;
        const char *name; /* of an event that the processor's PMU names */
} kinds[] = {
        [KIND_CYCLES] = HARDWARE(CPU_CYCLES),
        [KIND_INSTRUCTIONS] = HARDWARE(INSTRUCTIONS),
        [KIND_CACHE_REFERENCES] = HARDWARE(CACHE_REFERENCES),
        [KIND_CACHE_MISSES] = HARDWARE(CACHE_MISSES),
        [KIND_BRANCHES] = HARDWARE(BRANCH_INSTRUCTIONS),
        [KIND_BRANCH_MISSES] = HARDWARE(BRANCH_MISSES),
        [KIND_STALLED_FRONTEND] = HARDWARE(STALLED_CYCLES_FRONTEND),
        [KIND_STALLED_BACKEND] = HARDWARE(STALLED_CYCLES_BACKEND),
        [KIND_L1D] = READS(L1D),
        [KIND_L1D_MISSES] = READ_MISSES(L1D),
        [KIND_L1I] = READS(L1I),
        [KIND_L1I_MISSES] = READ_MISSES(L1I),
        [KIND_LL] = READS(LL),
        [KIND_LL_MISSES] = READ_MISSES(LL),
        [KIND_DTLB] = READS(DTLB),
        [KIND_DTLB_MISSES] = READ_MISSES(DTLB),
        [KIND_ITLB] = READS(ITLB),
        [KIND_ITLB_MISSES] = READ_MISSES(ITLB),
        [KIND_TRANSACTIONAL] = { 0, 0, "cpu/cycles-t/" },
        [KIND_COMMITTED] = { 0, 0, "cpu/cycles-ct/" },
        [KIND_TRANSACTION_START] = { 0, 0, "cpu/tx-start/" },
        [KIND_ELISION_START] = { 0, 0, "cpu/el-start/" },
};

/* Shares of another count, in percent. */
static const struct {
        StatKind kind, whole;
        const char *unit;
        double limits[3]; /* above them a share is red, magenta, yellow; 0: it has no colour */
} shares[] = {
        { KIND_BRANCH_MISSES, KIND_BRANCHES, "of all branches", { 20, 10, 5 } },
        { KIND_L1D_MISSES, KIND_L1D, "of all L1-dcache accesses", { 20, 10, 5 } },
        { KIND_L1I_MISSES, KIND_L1I, "of all L1-icache accesses", { 20, 10, 5 } },
        { KIND_DTLB_MISSES, KIND_DTLB, "of all dTLB cache accesses", { 20, 10, 5 } },
        { KIND_ITLB_MISSES, KIND_ITLB, "of all iTLB cache accesses", { 20, 10, 5 } },
        { KIND_LL_MISSES, KIND_LL, "of all LL-cache accesses", { 20, 10, 5 } },
        { KIND_CACHE_MISSES, KIND_CACHE_REFERENCES, "of all cache refs", { 0, 0, 0 } },
        { KIND_STALLED_FRONTEND, KIND_CYCLES, "frontend cycles idle", { 50, 30, 10 } },
        { KIND_STALLED_BACKEND, KIND_CYCLES, "backend cycles idle", { 75, 50, 20 } },
};

/* An event at a place, whose metrics are looked for. */
typedef struct StatSpot {
        const StatTable *table;
        const StatEvent *event;
        size_t place;
} StatSpot;

static bool event_is(const StatEvent *e, StatKind kind) {
        const struct perf_event_attr *attr = e->attr;

        if (kind == KIND_CLOCK)
                return attr->type == PERF_TYPE_SOFTWARE &&
                       (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
        if (kinds[kind].name)
                return streq(e->name, kinds[kind].name);
        return attr->type == kinds[kind].type && attr->config == kinds[kind].config;
}

/* The mean of what the events of a kind counted there, 0 if there is none: for the same control group and, unless they are clocks,
 * in the same modes. */
static double spot_mean(const StatSpot *spot, StatKind kind, bool *ret_found) {
        const struct perf_event_attr *own = spot->event->attr;
        const StatTable *t = spot->table;
        double sum = 0;
        size_t n = 0;

        for (size_t i = 0; i < t->n_events; i++) {
                const StatEvent *e = &t->events[i];
                const struct perf_event_attr *a = e->attr;
                bool same_modes = a->exclude_user == own->exclude_user && a->exclude_kernel == own->exclude_kernel &&
                                  a->exclude_hv == own->exclude_hv && a->exclude_host == own->exclude_host &&
                                  a->exclude_idle == own->exclude_idle;

                if (!e->supported || !event_is(e, kind) || !streq_ptr(e->cgroup, spot->event->cgroup) ||
                    (kind != KIND_CLOCK && !same_modes))
                        continue;
                sum += t->values[i * t->n_places + spot->place].value;
                n++;
        }
        *ret_found = n > 0;
        return n > 0 ? sum / (double) n : 0;
}

static double spot_total(const StatSpot *spot, StatKind kind) {
        bool found;

        return spot_mean(spot, kind, &found);
}

static StatMetric metric_share(const StatSpot *spot, size_t row, double value) {
        const double *limits = shares[row].limits;
        bool found;
        double whole = spot_mean(spot, shares[row].whole, &found);
        double share = whole != 0 ? value / whole * 100 : 0;
        StatMetric m = { .unit = shares[row].unit, .known = found, .value = share, .width = 7, .digits = 2, .suffix = "%" };

        if (limits[0] > 0)
                m.colour = share > limits[0]   ? STAT_RED
                           : share > limits[1] ? STAT_MAGENTA
                           : share > limits[2] ? STAT_YELLOW
                                               : STAT_NORMAL;
        switch (shares[row].kind) {
        case KIND_STALLED_FRONTEND:
                m.known = share != 0;
                break;
        case KIND_STALLED_BACKEND:
                m.known = true;
                break;
        case KIND_CACHE_MISSES:
                m.width = 8;
                m.digits = 3;
                m.suffix = " %";
                break;
        default:
                break;
        }
        return m;
}

static size_t put_instructions(const StatSpot *spot, double value, StatMetric *ret) {
        double cycles = spot_total(spot, KIND_CYCLES);
        double stalled = MAX_OF(spot_total(spot, KIND_STALLED_FRONTEND), spot_total(spot, KIND_STALLED_BACKEND));

        ret[0] = (StatMetric) { "insn per cycle", cycles != 0, cycles != 0 ? value / cycles : 0, 7, 2, " " };
        if (stalled == 0 || value == 0)
                return 1;
        ret[1] = (StatMetric) { "stalled cycles per insn", true, stalled / value, 7, 2, " " };
        return 2;
}

/* Intel's transactional memory: cycles in transactions, in those that were committed, and how many began. */
static StatMetric metric_transactions(const StatSpot *spot, StatKind kind, double value) {
        double cycles = spot_total(spot, KIND_CYCLES);
        bool found;
        double inside = spot_mean(spot, KIND_TRANSACTIONAL, &found);

        if (kind == KIND_TRANSACTIONAL)
                return (StatMetric) { "transactional cycles", cycles != 0, cycles != 0 ? 100 * (value / cycles) : 0, 7, 2, "%" };
        if (kind == KIND_COMMITTED)
                return (StatMetric) { "aborted cycles", cycles != 0,
                                      cycles != 0 ? 100 * ((MAX_OF(inside, value) - value) / cycles) : 0, 7, 2, "%" };
        found |= kind == KIND_ELISION_START;
        return (StatMetric) { kind == KIND_TRANSACTION_START ? "cycles / transaction" : "cycles / elision", found,
                              value != 0 ? inside / value : 0, 8, 0, "" };
}

/* An event that has no metric of its own is shown by the second of the time that clocks counted. */
static StatMetric metric_rate(const StatSpot *spot, double value) {
        static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
        bool found;
        double time = spot_mean(spot, KIND_CLOCK, &found), rate = time != 0 ? 1e9 * value / time : 0;
        size_t unit = 0;

        for (; rate > 1000 && unit + 1 < ELEMENTSOF(units); unit++)
                rate /= 1000;
        return (StatMetric) { found ? units[unit] : NULL, found, rate, 8, 3, "" };
}

size_t stat_metrics(const StatTable *t, size_t event, size_t place, double value, StatMetric ret[static STAT_METRICS_MAX]) {
        const StatSpot spot = { t, &t->events[event], place };
        StatKind kind = KIND_CLOCK;
        double time;

        while (kind < KIND_OTHER && !event_is(spot.event, kind))
                kind++;
        switch (kind) {
        case KIND_INSTRUCTIONS:
                return put_instructions(&spot, value, ret);
        case KIND_CYCLES:
                time = spot_total(&spot, KIND_CLOCK);
                ret[0] = (StatMetric) { time != 0 ? "GHz" : "Ghz", time != 0, time != 0 ? value / time : 0, 8, 3, "" };
                return 1;
        case KIND_CLOCK:
                ret[0] = (StatMetric) { "CPUs utilized", t->elapsed != 0,
                                        t->elapsed != 0 ? value / (t->elapsed * spot.event->scale) : 0, 8, 3, "" };
                return 1;
        case KIND_TRANSACTIONAL:
        case KIND_COMMITTED:
        case KIND_TRANSACTION_START:
        case KIND_ELISION_START:
                ret[0] = metric_transactions(&spot, kind, value);
                return 1;
        default:
                for (size_t i = 0; i < ELEMENTSOF(shares); i++)
                        if (shares[i].kind == kind) {
                                ret[0] = metric_share(&spot, i, value);
                                return 1;
                        }
                ret[0] = metric_rate(&spot, value);
                return 1;
        }
}
