/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "check-main.h"
#include "stat-print.h"

/* Tables of two CPUs, or threads, whose counts perf 6.1 was given too: by a file of perf stat record, which perf stat report shows. What
 * tests expect is its output. */

#define SAMPLE_MAX ((size_t) 12) /* events of a table */

typedef struct Sample {
        StatTable table;
        StatEvent events[SAMPLE_MAX];
        StatPlace places[2];
        StatValue values[2 * SAMPLE_MAX];
} Sample;

#define SAMPLE_EVENT(event_name, unit_, scale_, type_, config_) \
        { .name = event_name, .unit = unit_, .scale = scale_, .supported = true, \
          .attr = &(const struct perf_event_attr) { .type = type_, .config = config_ } }
#define SAMPLE_HARDWARE(event_name, what) SAMPLE_EVENT(event_name, "", 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what)
#define SAMPLE_CACHE(event_name, cache, result) SAMPLE_EVENT(event_name, "", 1, PERF_TYPE_HW_CACHE, \
        PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define ALWAYS(value, cpu) { value, (cpu) == 0 ? 523456789 : 400000000, (cpu) == 0 ? 523456789 : 400000000, 0 }

static const struct {
        StatEvent event;
        StatValue values[2];
} sample_rows[] = {
        { SAMPLE_EVENT("task-clock", "msec", 1e-6, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK),
          { ALWAYS(523456789, 0), ALWAYS(400000000, 1) } },
        { SAMPLE_EVENT("context-switches", "", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES), { ALWAYS(1234, 0), ALWAYS(77, 1) } },
        { SAMPLE_HARDWARE("cycles", CPU_CYCLES), { ALWAYS(2345678901, 0), ALWAYS(1345678901, 1) } },
        { SAMPLE_HARDWARE("instructions", INSTRUCTIONS), { ALWAYS(1945678901, 0), ALWAYS(945678901, 1) } },
        { SAMPLE_HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND), { ALWAYS(345678901, 0), ALWAYS(245678901, 1) } },
        { SAMPLE_HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND), { ALWAYS(645678901, 0), ALWAYS(545678901, 1) } },
        { SAMPLE_HARDWARE("branches", BRANCH_INSTRUCTIONS), { ALWAYS(345678901, 0), ALWAYS(245678901, 1) } },
        { SAMPLE_HARDWARE("branch-misses", BRANCH_MISSES),
          { { 37500000, 500000000, 400000000, 0 }, { 26666666, 400000000, 300000000, 0 } } },
        { SAMPLE_HARDWARE("cache-references", CACHE_REFERENCES), { ALWAYS(5345678, 0), ALWAYS(5456789, 1) } },
        { SAMPLE_HARDWARE("cache-misses", CACHE_MISSES), { { 0, 500, 0, 0 }, { 0, 400, 0, 0 } } },
        { SAMPLE_HARDWARE("bus-cycles", BUS_CYCLES), { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } } },
        { SAMPLE_CACHE("L1-dcache-loads", L1D, ACCESS), { ALWAYS(5345678, 0), ALWAYS(5456789, 1) } },
        { SAMPLE_CACHE("L1-dcache-load-misses", L1D, MISS), { ALWAYS(45678, 0), ALWAYS(56789, 1) } },
        { SAMPLE_CACHE("LLC-loads", LL, ACCESS), { ALWAYS(5345678, 0), ALWAYS(5456789, 1) } },
        { SAMPLE_CACHE("LLC-load-misses", LL, MISS), { ALWAYS(45678, 0), ALWAYS(56789, 1) } },
        { SAMPLE_EVENT("power/energy-pkg/", "Joules", 0x1p-32, 9, 2), { ALWAYS(534567890123, 0), ALWAYS(5456789, 1) } },
};

static const StatPlace sample_cpus[] = {
        { .cpu = 0, .core = 0, .n_cpus = 1, .tid = 5, .comm = "kworker/0:1" },
        { .cpu = 1, .core = 1, .n_cpus = 1, .tid = 4711, .comm = "bash" },
};

/* The values of two CPUs as that of one place. */
static inline StatValue sample_sum(const StatValue *v) {
        return (StatValue) { v[0].value + v[1].value, v[0].enabled + v[1].enabled, v[0].running + v[1].running, 0 };
}

static inline void sample_add(Sample *s, const StatEvent *event, const StatValue *values) {
        StatTable *t = &s->table;
        StatValue *to = &s->values[t->n_events * t->n_places];

        ck_assert_uint_lt(t->n_events, SAMPLE_MAX);
        s->events[t->n_events++] = *event;
        if (t->n_places == 1)
                to[0] = sample_sum(values);
        else
                memcpy(to, values, 2 * sizeof(*to));
}

/* Makes a table of the events whose names these are, with blanks between them; a name behind "!" is not supported. */
static inline void sample_init(Sample *s, StatPlacing placing, const char *names) {
        bool apart = placing == STAT_BY_CPU || placing == STAT_BY_CORE || placing == STAT_BY_THREAD;
        _cleanup_free_ char *copy = strdup(names);
        char *rest = copy;

        *s = (Sample) { .table = { .placing = placing, .events = s->events, .places = s->places, .n_places = apart ? 2 : 1,
                                   .values = s->values, .runs = 1, .elapsed = 723000000 } };
        memcpy(s->places, sample_cpus, sizeof(s->places));
        if (!apart)
                s->places[0].n_cpus = 2;
        for (char *name; (name = strsep(&rest, " "));) {
                bool supported = *name != '!';
                size_t i = 0;

                while (!streq(sample_rows[i].event.name, supported ? name : name + 1))
                        ck_assert_uint_lt(++i, ELEMENTSOF(sample_rows));
                sample_add(s, &sample_rows[i].event, supported ? sample_rows[i].values : (StatValue[2]) {});
                s->events[s->table.n_events - 1].supported = supported;
        }
}

typedef enum SamplePart {
        SAMPLE_WHOLE,
        SAMPLE_INTERVAL, /* the first one */
        SAMPLE_SUMMARY,
} SamplePart;

/* The text of a table. It is not inlined, or gcc 12 warns of a pointer that open_memstream(3) kept, and has given up. */
__attribute__((noinline, unused)) static char *sample_text(const StatTable *t, const StatStyle *style, SamplePart part) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        StatStyle named = *style;

        named.subject = "'true'";
        named.separator = named.separator ?: ",";
        ck_assert_int_eq(part == SAMPLE_INTERVAL  ? stat_print_interval(t, &named, 1100288463, true, f)
                         : part == SAMPLE_SUMMARY ? stat_print_summary(t, &named, f)
                                                  : stat_print(t, &named, f), 0);
        ck_assert_int_eq(fclose(f), 0);
        return text;
}

static inline void assert_text(const Sample *s, const StatStyle *style, SamplePart part, const char *expected) {
        _cleanup_free_ char *text = sample_text(&s->table, style, part);

        ck_assert_str_eq(text, expected);
}

/* The same without the title and the end. */
static inline void assert_rows(const Sample *s, const StatStyle *style, const char *expected) {
        static const char title[] = "\n Performance counter stats for 'true':\n\n", end[] = "\n       0.723000000 seconds time elapsed\n\n";
        _cleanup_free_ char *text = sample_text(&s->table, style, SAMPLE_WHOLE);
        const char *rows = startswith(text, title);
        char *rest = strstr(text, end);

        ck_assert_ptr_nonnull(rows);
        ck_assert_ptr_nonnull(rest);
        ck_assert_str_eq(rest, end);
        *rest = '\0';
        ck_assert_str_eq(rows, expected);
}
