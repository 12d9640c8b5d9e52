/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Dumps whose incident is known. */

#include <math.h>

#include "made-incident.h"
#include "parse-time.h"
#include "unusual-table.h"

#define SECONDS 60u
#define INCIDENT 10u

typedef struct Found {
        SampleTable *table;
        PlaceNames names;
        SpanCounts spans;
        UnusualTable unusual;
} Found;

static void found_done(Found *f) {
        unusual_table_done(&f->unusual);
        span_counts_done(&f->spans);
        place_names_done(&f->names);
        sample_table_free(f->table);
}

static void found_read(Found *f, PerfDataReader *reader, uint64_t trigger) {
        Replay *replay;
        uint32_t row;
        Moment m;

        ck_assert_ok(sample_table_new(&(SampleTablePlan) { .dimensions = SAMPLE_BY_CGROUP | SAMPLE_WITHOUT_CHAIN }, &f->table));
        ck_assert_ok(sample_table_begin(f->table, reader, &(SampleReading) { .records = SPAN_COUNTS_RECORDS }, &replay));
        f->spans.length = INCIDENT * NSEC_PER_SEC;
        span_counts_begin_recording(&f->spans, NSEC_PER_SEC, trigger);
        while (replay_next(replay, &m) == 1) {
                row = SAMPLE_NO_ROW;
                if (moment_is_sample(&m))
                        ck_assert_ok(sample_table_count(f->table, &m, NULL, &row));
                ck_assert_ok(span_counts_take(&f->spans, &m, row));
        }
        (void) sample_table_end(f->table);
        ck_assert_ok(place_names_init(&f->names, sample_table_places(f->table), NULL));
}

/* Finds what is unusual in a drawn dump, of these loads. */
static void find(Found *f, const MadeLoad *loads, size_t n, unsigned *seed) {
        const MadeIncident incident = { .loads = loads, .n = n, .seconds = SECONDS, .incident = INCIDENT, .after = 2 };
        _cleanup_free_ char *path = test_path("incident.data");
        uint64_t trigger = made_incident(path, &incident, seed);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        uint32_t event;

        *f = (Found) {};
        ck_assert_ok(perf_data_reader_new_partial(fd, &reader));
        ck_assert_ok(perf_data_reader_name_event(reader, 0, "cpu-clock"));
        found_read(f, reader, trigger);
        ck_assert_ok(unusual_choose_event(f->table, &event));
        unusual_table_set_measure(&f->unusual, sample_table_events(f->table, &(size_t) { 0 }), false);
        f->unusual.seconds[UNUSUAL_BASELINE] = SECONDS - INCIDENT;
        f->unusual.seconds[UNUSUAL_COMPARED] = INCIDENT;
        ck_assert_ok(unusual_table_add(&f->unusual, f->table, &f->names, &f->spans, event, UNUSUAL_BASELINE, true));
        ck_assert_ok(unusual_table_find(&f->unusual));
        ck_assert_int_eq(f->unusual.measure, UNUSUAL_CPU_TIME);
}

static void expect_finding(const UnusualFinding *f, UnusualKind kind, const char *unit, const char *comm, const char *dso, double usual,
                           double now) {
        ck_assert_int_eq(f->kind, kind);
        ck_assert_str_eq(f->unit, unit);
        ck_assert_str_eq(f->comm, comm);
        ck_assert_str_eq(f->dso, dso);
        ck_assert_msg(fabs(f->percent[UNUSUAL_BASELINE] - usual) < 4, "usually %f", f->percent[UNUSUAL_BASELINE]);
        ck_assert_msg(fabs(f->percent[UNUSUAL_COMPARED] - now) < 4, "then %f", f->percent[UNUSUAL_COMPARED]);
        ck_assert_double_le(f->chance, UNUSUAL_LEVEL);
}

/* A unit that begins, with its process and its functions, is one finding. */
START_TEST(new_process) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 0, 0.2, 0.2 }, { 8, "db", "db.service", 1, 0.1, 0.1 },
                { 9, "gzip", "backup.service", 2, 0.002, 0.30 }, { 9, "gzip", "backup.service", 3, 0, 0.03 },
        };
        _cleanup_(found_done) Found f = {};
        unsigned seed = 1;

        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_eq(f.unusual.n, 1);
        expect_finding(f.unusual.findings, UNUSUAL_UNIT, "backup.service", "gzip", "f2.so", 0.2, 33);
        ck_assert_double_ge(f.unusual.findings->part, 0.85);
        ck_assert_double_ge(f.unusual.findings->times, 50);
}
END_TEST

/* A function takes time from others of its process: the process takes what it did. */
START_TEST(grown_function) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 0, 0.05, 0.25 }, { 7, "web", "web.service", 1, 0.3, 0.1 },
                { 8, "db", "db.service", 2, 0.1, 0.1 },
        };
        _cleanup_(found_done) Found f = {};
        unsigned seed = 2;

        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_eq(f.unusual.n, 2);
        for (unsigned i = 0; i < 2; i++) {
                bool grown = f.unusual.findings[i].times > 1;

                expect_finding(f.unusual.findings + i, UNUSUAL_FUNCTION, "web.service", "web", grown ? "f0.so" : "f1.so",
                               grown ? 5 : 30, grown ? 25 : 10);
        }
}
END_TEST

/* A library that many processes have: no unit has most of the change. */
START_TEST(grown_library) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 9, 0.02, 0.08 }, { 8, "db", "db.service", 9, 0.02, 0.08 },
                { 10, "mail", "mail.service", 9, 0.02, 0.08 }, { 11, "dns", "dns.service", 9, 0.02, 0.08 },
                { 7, "web", "web.service", 1, 0.1, 0.1 },
        };
        _cleanup_(found_done) Found f = {};
        unsigned seed = 3;

        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_eq(f.unusual.n, 1);
        expect_finding(f.unusual.findings, UNUSUAL_FUNCTION, "", "", "f9.so", 8, 32);
}
END_TEST

START_TEST(throttled_unit) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 0, 0.2, 0.2 }, { 8, "calc", "batch.service", 1, 0.4, 0.1 },
        };
        _cleanup_(found_done) Found f = {};
        unsigned seed = 4;

        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_eq(f.unusual.n, 1);
        expect_finding(f.unusual.findings, UNUSUAL_UNIT, "batch.service", "calc", "f1.so", 40, 10);
        ck_assert_double_lt(f.unusual.findings->times, 0.4);
}
END_TEST

/* Many small changes are one of all. */
START_TEST(busier) {
        MadeLoad loads[8];
        char units[8][16];
        _cleanup_(found_done) Found f = {};
        unsigned seed = 5;

        for (uint32_t i = 0; i < ELEMENTSOF(loads); i++) {
                (void) snprintf(units[i], sizeof(units[i]), "u%u.service", i);
                loads[i] = (MadeLoad) { 7 + i, units[i] + 1, units[i], i, 0.04, 0.1 };
        }
        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_ge(f.unusual.n, 1);
        expect_finding(f.unusual.findings, UNUSUAL_ALL, "", "", "", 32, 80);
}
END_TEST

/* 30 functions of 6 units without a change. */
START_TEST(no_change) {
        MadeLoad loads[30];
        static const char *const units[] = { "a.service", "b.service", "c.service", "d.service", "e.service", "f.service" };
        unsigned seed = 6, wrong = 0;

        for (uint32_t i = 0; i < ELEMENTSOF(loads); i++)
                loads[i] = (MadeLoad) { 7 + i % 10, "demo", units[i % 6], i, 0.6 / (i + 2) / 3, 0.6 / (i + 2) / 3 };
        for (unsigned k = 0; k < 200; k++) {
                _cleanup_(found_done) Found f = {};

                find(&f, loads, ELEMENTSOF(loads), &seed);
                wrong += f.unusual.n > 0;
        }
        ck_assert_uint_le(wrong, 2);
}
END_TEST

/* A job that runs now and then is not unusual, however far from chance its samples are. */
START_TEST(bursts) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 0, 0.2, 0.2 }, { 8, "job", "job.service", 1, 0, 0.3 },
        };
        _cleanup_(found_done) Found f = {};
        unsigned seed = 7;

        find(&f, loads, ELEMENTSOF(loads), &seed);
        ck_assert_uint_eq(f.unusual.n, 1);
        unusual_table_done(&f.unusual);
        for (size_t i = 0; i < f.spans.n; i++) /* the same load some spans before, too */
                if (f.spans.counts[i].span == 0 && !sample_table_row_is_idle(f.table, sample_table_rows(f.table, &(size_t) { 0 }) +
                                                                                      f.spans.counts[i].row)) {
                        SpanCount earlier = f.spans.counts[i];

                        earlier.span = 3;
                        earlier.count++;
                        earlier.period += (double) MADE_INCIDENT_STEP;
                        f.spans.counts = realloc(f.spans.counts, (f.spans.n + 1) * sizeof(earlier));
                        ck_assert_ptr_nonnull(f.spans.counts);
                        f.spans.counts[f.spans.n] = earlier;
                        f.spans.allocated = ++f.spans.n;
                }
        f.unusual = (UnusualTable) { .seconds = { SECONDS - INCIDENT, INCIDENT }, .event = "cpu-clock" };
        ck_assert_ok(unusual_table_add(&f.unusual, f.table, &f.names, &f.spans, 0, UNUSUAL_BASELINE, true));
        ck_assert_ok(unusual_table_find(&f.unusual));
        ck_assert_uint_eq(f.unusual.n, 0);
}
END_TEST

TEST_RUN("unusual-table", new_process, grown_function, grown_library, throttled_unit, busier, no_change, bursts);
