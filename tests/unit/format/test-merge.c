/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Several recordings become one: the number of its records, the time from which state counts, and recordings that
 * can't be merged. */

#include <time.h>

#include "merge.h"
#include "perfdata-test.h"
#include "record-layout.h"
#include "sample.h"

#define SECOND UINT64_C(1000000000)

static const RecordTrailer base = { .sample_type = TEST_SAMPLE_TYPE };

/* A recording of test_events(), or of other events, in which pid 4000 maps PROGRAM and has samples at these times. */
static uint64_t clock_wall, clock_time; /* in the next recordings; 0: unknown */

static PerfDataReader *make(const char *name, const PerfDataEvent *events, const char *program, const uint64_t *times, size_t n) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path(name);
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        RecordMap kernel = {
                .pid = UINT32_MAX, .start = UINT64_C(0xffffffff81000000), .length = 0x1200000, .misc = PERF_RECORD_MISC_KERNEL,
                .path = "[kernel.kallsyms]_text",
        };
        PerfDataReader *r;
        size_t n_events;

        if (!events)
                events = test_events(&n_events);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = 2 }, &w));
        ck_assert_ok(record_put_mmap(&b, &kernel, &base));
        ck_assert_ok(record_put_comm(&b, TEST_PID, TEST_PID, "demo", 0, &base));
        test_put_map(&b, TEST_PID, 0x400000, 0x100000, program, 0);
        ck_assert_ok(record_put_finished_init(&b));
        for (size_t i = 0; i < n; i++)
                test_put_sample(&b, events[0].ids[0], PERF_RECORD_MISC_USER, TEST_PID, 0x401000 + i, times[i]);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_version(t, name));
        ck_assert_ok(feature_table_add_events(t, events, 2));
        if (clock_time > 0)
                ck_assert_ok(feature_table_add_clock_data(t, PERF_CLOCK_UNNAMED, clock_wall, clock_time));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        return r;
}

static PerfDataReader *merge(PerfDataReader *a, PerfDataReader *b, MergeTotals *totals) {
        _cleanup_free_ char *path = test_path("merged");
        PerfDataReader *r;

        ck_assert_ok(perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, AT_FDCWD, path, totals, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        return r;
}

/* Returns the time of the map of that path; *ret_n: the number of its maps. */
static uint64_t map_time(PerfDataReader *r, const char *path, size_t *ret_n) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        uint64_t time = 0;
        size_t cursor = 0;

        *ret_n = 0;
        (void) perf_data_reader_events(r, &events);
        while (perf_data_reader_next(r, &cursor, &record) > 0) {
                size_t offset = record->type == PERF_RECORD_MMAP ? 40 : 72;
                PerfSample s;

                if ((record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2) ||
                    !streq((const char *) record + offset, path))
                        continue;
                ck_assert_ok(sample_parse_trailer(&events[0].attr, record, &s));
                ck_assert(s.time == 0 || s.id == events[0].ids[0]);
                time = s.time;
                (*ret_n)++;
        }
        return time;
}

START_TEST(state_counts_from_its_own_time) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND, 2 * SECOND }, 2);
        _cleanup_perf_data_reader_free_ PerfDataReader *b = make("b", NULL, "/bin/b", (uint64_t[]) { 3 * SECOND, 4 * SECOND }, 2);
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        MergeTotals totals;
        const char *version;
        size_t n;

        r = merge(b, a, &totals); /* in either order */
        ck_assert_uint_eq(totals.samples, 4);
        ck_assert_uint_eq(totals.duplicates, 0);
        ck_assert_uint_eq(map_time(r, "/bin/a", &n), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(map_time(r, "/bin/b", &n), 3 * SECOND);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(map_time(r, "[kernel.kallsyms]_text", &n), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_ok(perf_data_reader_feature_string(r, PERF_FEATURE_VERSION, &version));
        ck_assert_str_eq(version, "b"); /* of the first one */
}
END_TEST

static size_t count_records(PerfDataReader *r, uint32_t type) {
        const struct perf_event_header *record;
        size_t cursor = 0, n = 0;

        while (perf_data_reader_next(r, &cursor, &record) > 0)
                n += record->type == type;
        return n;
}

/* The end of a round completes only records that all files have reached. */
START_TEST(ends_of_rounds) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND, 5 * SECOND }, 2);
        _cleanup_perf_data_reader_free_ PerfDataReader *b = make("b", NULL, "/bin/b", (uint64_t[]) { 3 * SECOND, 4 * SECOND }, 2);
        _cleanup_perf_data_reader_free_ PerfDataReader *c = make("c", NULL, "/bin/c", (uint64_t[]) { 9 * SECOND }, 1);
        _cleanup_perf_data_reader_free_ PerfDataReader *over = NULL, *apart = NULL;

        over = merge(b, a, NULL);
        ck_assert_uint_eq(count_records(over, PERF_RECORD_FINISHED_ROUND), 1);
        ck_assert_uint_eq(count_records(over, PERF_RECORD_FINISHED_INIT), 1);
        apart = merge(c, a, NULL);
        ck_assert_uint_eq(count_records(apart, PERF_RECORD_FINISHED_ROUND), 2);
}
END_TEST

/* Compressed as perf since 6.15 does, with a record that nobody knows. */
START_TEST(compressed2) {
        _cleanup_(record_buffer_done) RecordBuffer b = {}, plain = {};
        _cleanup_free_ char *path = test_path("compressed2");
        _cleanup_perf_data_reader_free_ PerfDataReader *a = NULL, *other = NULL, *r = NULL;
        MergeTotals totals;

        test_put_recording(&plain, "/bin/a");
        byte_buffer_put_u64(&plain, 85 | UINT64_C(8) << 48);
        test_put_compressed2(&b, &plain);
        a = test_recording(path, &b, NULL, 0);
        other = make("b", NULL, "/bin/b", (uint64_t[]) { 9 * SECOND }, 1);
        r = merge(a, other, &totals);
        ck_assert_uint_eq(totals.samples, 3 + 1);
        ck_assert_uint_eq(perf_data_reader_unknown(a)->n_types, 1);
        ck_assert_uint_eq(perf_data_reader_unknown(other)->n_types, 0);
        ck_assert_uint_eq(count_records(r, 85), 1);
}
END_TEST

START_TEST(duplicates) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND, 2 * SECOND }, 2);
        _cleanup_perf_data_reader_free_ PerfDataReader *b = make("b", NULL, "/bin/a", (uint64_t[]) { SECOND, 2 * SECOND, 3 * SECOND }, 3);
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        MergeTotals totals;

        r = merge(a, b, &totals);
        ck_assert_uint_eq(totals.samples, 3);
        ck_assert_uint_eq(totals.duplicates, 2);
}
END_TEST

START_TEST(events_of_all) {
        static const uint64_t later[] = { 31, 32 }, other[] = { 41 };
        PerfDataEvent events[2];
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND }, 1), *b = NULL,
                                               *r = NULL;
        const PerfDataEvent *merged;
        size_t n;

        memcpy(events, test_events(&n), sizeof(events));
        events[0].ids = later; /* the same event, opened again */
        events[1].ids = other; /* another one */
        events[1].n_ids = 1;
        events[1].attr.config = PERF_COUNT_SW_PAGE_FAULTS;
        events[1].name = "page-faults";
        b = make("b", events, "/bin/a", (uint64_t[]) { 2 * SECOND }, 1);
        r = merge(a, b, NULL);
        ck_assert_uint_eq(perf_data_reader_events(r, &merged), 3);
        ck_assert_uint_eq(merged[0].n_ids, 4);
        ck_assert_uint_eq(merged[0].ids[3], 32);
        ck_assert_str_eq(merged[1].name, "dummy:u");
        ck_assert_str_eq(merged[2].name, "page-faults");
}
END_TEST

/* Each file has another offset from the wall clock, as after that was set: one by its oldest sample, one by its
 * header. */
START_TEST(window) {
        const uint64_t wall = UINT64_C(1795333390) * SECOND, first[] = { wall + SECOND, 0 }, none[] = { 0, 0 };
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND, 2 * SECOND, 3 * SECOND }, 3);
        _cleanup_perf_data_reader_free_ PerfDataReader *b = NULL, *r = NULL;
        _cleanup_free_ char *path = test_path("merged");
        _cleanup_(diagnosis_done) Diagnosis d = {};
        MergeWindow w = { .since = wall + 2 * SECOND, .until = wall + 12 * SECOND, .first = first };
        MergeTotals totals;

        clock_wall = wall + 10 * SECOND; /* at 4 s of its own */
        clock_time = 4 * SECOND;
        b = make("b", NULL, "/bin/b", (uint64_t[]) { 5 * SECOND, 6 * SECOND, 7 * SECOND }, 3);
        ck_assert_ok(perf_data_merge((PerfDataReader *[]) { a, b }, 2, &w, AT_FDCWD, path, &totals, &d));
        ck_assert_uint_eq(totals.samples, 4);
        ck_assert_uint_eq(totals.first, wall + 2 * SECOND);
        ck_assert_uint_eq(totals.last, wall + 12 * SECOND);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        ck_assert_uint_eq(count_records(r, PERF_RECORD_SAMPLE), 4);
        ck_assert_uint_eq(count_records(r, PERF_RECORD_COMM), 2); /* their meaning does not change */
        w.since = wall + 15 * SECOND;
        w.until = wall + 20 * SECOND;
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, &w, AT_FDCWD, path, &totals, &d), -ENODATA);
        ck_assert_int_eq(access(path, F_OK), -1);
        ck_assert_uint_eq(totals.samples, 0);
        ck_assert_uint_eq(totals.last, wall + 13 * SECOND);
        w.first = none;
        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, &w, AT_FDCWD, path, NULL, &d), -EOPNOTSUPP);
        ck_assert_str_eq(d.sentence, "Recording 1 does not say which time its samples are of");
}
END_TEST

typedef struct Round {
        uint64_t time, count; /* of the second CPU's event; the first one's is ten times that */
} Round;

/* A recording that counts the first of test_events() on two CPUs. */
static PerfDataReader *make_counts(const char *name, int cpu, const Round *rounds, size_t n) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path(name);
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        PerfDataReader *r;
        size_t n_events;
        const PerfDataEvent *e = test_events(&n_events);

        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = e, .n_events = n_events }, &w));
        ck_assert_ok(record_put_thread_map(&b, &(RecordThread) { -1, "" }, 1));
        ck_assert_ok(record_put_cpu_map(&b, (const int[]) { 0, cpu }, 2));
        ck_assert_ok(record_put_stat_config(&b, 1, 1000, true));
        for (size_t i = 0; i < n; i++) {
                uint64_t c = rounds[i].count;

                ck_assert_ok(record_put_stat(&b, e->ids[0], 0, 0, (const uint64_t[]) { 10 * c, 1000 * c, 500 * c }));
                ck_assert_ok(record_put_stat(&b, e->ids[1], cpu, 0, (const uint64_t[]) { c, 1000 * c, 1000 * c }));
                ck_assert_ok(record_put_stat_round(&b, false, rounds[i].time * SECOND));
        }
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_events(t, e, n_events));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_STAT, NULL, 0));
        if (clock_time > 0)
                ck_assert_ok(feature_table_add_clock_data(t, PERF_CLOCK_UNNAMED, clock_wall, clock_time));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        return r;
}

/* Checks all counts and rounds of a recording, and closes it. */
static void expect_counts(PerfDataReader *merged, const Round *rounds, size_t n) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = merged;
        const struct perf_event_header *record;
        size_t cursor = 0, n_counts = 0, n_rounds = 0, size;
        const void *data;

        while (perf_data_reader_next(r, &cursor, &record) > 0) {
                const PerfRecordStat *s = (const PerfRecordStat *) record;
                uint64_t count = n_rounds < n ? rounds[n_rounds].count : 0;

                if (record->type == PERF_RECORD_STAT_ROUND) {
                        ck_assert_uint_lt(n_rounds, n);
                        ck_assert_uint_eq(((const PerfRecordStatRound *) record)->time, rounds[n_rounds].time * SECOND);
                        ck_assert_uint_eq(n_counts, 2 * ++n_rounds);
                } else if (record->type == PERF_RECORD_STAT) {
                        ck_assert_uint_eq(s->value, n_counts % 2 == 0 ? 10 * count : count);
                        ck_assert_uint_eq(s->enabled, 1000 * count);
                        ck_assert_uint_eq(s->running, n_counts % 2 == 0 ? 500 * count : 1000 * count);
                        n_counts++;
                }
        }
        ck_assert_uint_eq(n_rounds, n);
        ck_assert_ok(perf_data_reader_feature(r, PERF_FEATURE_STAT, &data, &size));
}

#define ROUNDS(...) (const Round[]) { __VA_ARGS__ }, ELEMENTSOF(((const Round[]) { __VA_ARGS__ }))

/* Counts of each recording are those since its own beginning; those of the merged one go on. A count that does not change is there
 * in each round. */
START_TEST(counts_go_on) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make_counts("a", 1, ROUNDS({ 1, 3 }, { 2, 3 }, { 3, 9 }));
        _cleanup_perf_data_reader_free_ PerfDataReader *next = make_counts("next", 1, ROUNDS({ 7, 2 }, { 8, 5 }));
        _cleanup_perf_data_reader_free_ PerfDataReader *over = make_counts("over", 1, ROUNDS({ 2, 0 }, { 3, 6 }, { 4, 7 }));
        _cleanup_perf_data_reader_free_ PerfDataReader *within = make_counts("within", 1, ROUNDS({ 2, 0 }));
        MergeTotals totals;

        expect_counts(merge(next, a, &totals), ROUNDS({ 1, 3 }, { 2, 3 }, { 3, 9 }, { 7, 11 }, { 8, 14 }));
        ck_assert_uint_eq(totals.samples, 5);
        ck_assert_uint_eq(totals.duplicates, 0);
        expect_counts(merge(a, over, &totals), ROUNDS({ 1, 3 }, { 2, 3 }, { 3, 9 }, { 4, 10 }));
        ck_assert_uint_eq(totals.samples, 4);
        ck_assert_uint_eq(totals.duplicates, 2);
        expect_counts(merge(within, a, &totals), ROUNDS({ 1, 3 }, { 2, 3 }, { 3, 9 }));
        ck_assert_uint_eq(totals.samples, 3);
        ck_assert_uint_eq(totals.duplicates, 1);
}
END_TEST

/* The first round of a window has what was counted since the round before it. */
START_TEST(window_of_counts) {
        const uint64_t wall = UINT64_C(1795333390) * SECOND, first[] = { 0, wall + 7 * SECOND };
        _cleanup_perf_data_reader_free_ PerfDataReader *a = NULL, *b = NULL, *r = NULL;
        _cleanup_free_ char *path = test_path("merged");
        _cleanup_(diagnosis_done) Diagnosis d = {};
        MergeWindow w = { .since = wall + 2 * SECOND, .until = wall + 7 * SECOND, .first = first };
        MergeTotals totals;

        clock_wall = wall + SECOND;
        clock_time = SECOND;
        a = make_counts("a", 1, ROUNDS({ 1, 3 }, { 2, 5 }, { 3, 9 }));
        b = make_counts("b", 1, ROUNDS({ 7, 2 }, { 8, 4 }));
        ck_assert_ok(perf_data_merge((PerfDataReader *[]) { a, b }, 2, &w, AT_FDCWD, path, &totals, &d));
        ck_assert_uint_eq(totals.samples, 3);
        ck_assert_uint_eq(totals.first, wall + 2 * SECOND);
        ck_assert_uint_eq(totals.last, wall + 7 * SECOND);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        expect_counts(steal_ptr(r), ROUNDS({ 2, 2 }, { 3, 6 }, { 7, 8 }));
        w.since = wall + 9 * SECOND;
        w.until = UINT64_MAX;
        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, &w, AT_FDCWD, path, &totals, &d), -ENODATA);
        ck_assert_uint_eq(totals.first, wall + SECOND);
        ck_assert_uint_eq(totals.last, wall + 8 * SECOND);
}
END_TEST

static void refuse_both(PerfDataReader *a, PerfDataReader *b, const char *sentence) {
        _cleanup_free_ char *path = test_path("never");
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, AT_FDCWD, path, NULL, &d), -EOPNOTSUPP);
        ck_assert_str_eq(d.sentence, sentence);
        ck_assert_int_lt(access(path, F_OK), 0);
        perf_data_reader_free(b);
}

START_TEST(refused_counts) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make_counts("a", 1, ROUNDS({ 1, 3 }, { 3, 9 }));

        refuse_both(a, make_counts("b", 2, ROUNDS({ 4, 1 })), "Their counts are of different events or CPUs");
        refuse_both(a, make_counts("b", 1, ROUNDS({ 2, 1 })), "They counted in the same time, but apart from each other");
        refuse_both(a, make("b", NULL, "/bin/b", (uint64_t[]) { 4 * SECOND }, 1), "Samples and counts can't be in one recording");
}
END_TEST

static void refuse(const PerfDataEvent *events, const char *sentence) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND }, 1);
        _cleanup_perf_data_reader_free_ PerfDataReader *b = make("b", events, "/bin/a", (uint64_t[]) { 2 * SECOND }, 1);
        _cleanup_free_ char *path = test_path("never");
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, AT_FDCWD, path, NULL, &d), -EOPNOTSUPP);
        ck_assert_str_eq(d.sentence, sentence);
        ck_assert_int_lt(access(path, F_OK), 0);
}

START_TEST(refused) {
        PerfDataEvent events[2];
        size_t n;

        ck_assert_int_eq(perf_data_merge(NULL, 0, NULL, AT_FDCWD, "never", NULL, NULL), -EINVAL);
        memcpy(events, test_events(&n), sizeof(events));
        events[0].attr.config = PERF_COUNT_SW_PAGE_FAULTS; /* one id, two events */
        refuse(events, "They are of different boots or machines, or count different events");
        memcpy(events, test_events(&n), sizeof(events));
        events[0].ids = (const uint64_t[]) { 31 };
        events[0].n_ids = 1;
        events[0].attr.sample_id_all = 0;
        refuse(events, "Their events differ in what a sample says of itself");
}
END_TEST

START_TEST(broken) {
        _cleanup_perf_data_reader_free_ PerfDataReader *a = make("a", NULL, "/bin/a", (uint64_t[]) { SECOND }, 1), *b = NULL;
        _cleanup_free_ char *from = test_path("a"), *to = test_path("broken"), *path = test_path("never"), *file = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        PerfFileHeader h;
        size_t size;

        file = test_read_file(from, &size);
        memcpy(&h, file, sizeof(h));
        memset(file + h.data.offset, 0, 8); /* a record of no size */
        test_write_file(to, file, size);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, to, &b));
        ck_assert_int_eq(perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, AT_FDCWD, path, NULL, &d), -EBADMSG);
        ck_assert_str_eq(d.sentence, "Recording 2 is broken");
        ck_assert_int_lt(access(path, F_OK), 0);
}
END_TEST

/* Files of one run and streams that perf recorded can be merged. */
START_TEST(recorded) {
        static const char *const names[] = { "perf-6.1-plain.data", "perf-6.1-compressed.data", "perf-6.1-pipe.data",
                                             "perf-6.1-groups.data" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *golden = test_golden(names[i]), *path = test_path("merged");
                _cleanup_perf_data_reader_free_ PerfDataReader *a = NULL, *b = NULL;
                MergeTotals totals;

                ck_assert_ok(perf_data_reader_new(AT_FDCWD, golden, &a));
                ck_assert_ok(perf_data_reader_new(AT_FDCWD, golden, &b));
                ck_assert_ok(perf_data_merge((PerfDataReader *[]) { a, b }, 2, NULL, AT_FDCWD, path, &totals, NULL));
                ck_assert_uint_gt(totals.samples, 0);
                ck_assert_uint_eq(totals.duplicates, totals.samples);
                if (test_have_perf()) {
                        _cleanup_free_ char *before = test_command("perf script -i %s 2>/dev/null | grep -c .", golden);
                        _cleanup_free_ char *after = test_command("perf script -i %s 2>/dev/null | grep -c .", path);

                        ck_assert_msg(streq_ptr(before, after), "%s: %s and %s lines", names[i], before, after);
                }
        }
}
END_TEST

/* Types of BPF programs, far more than a machine has, are all different. */
START_TEST(many_types) {
        enum { N = 200000 };
        static struct { uint32_t n; struct { uint32_t id, size; } types[N]; } feature = { .n = N };
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        _cleanup_free_ char *path = test_path("types");
        PerfDataReader *a, *merged;
        const PerfDataEvent *events;
        clock_t start = clock();
        size_t n_events, size;
        const void *data;

        for (uint32_t i = 0; i < N; i++)
                feature.types[i].id = i;
        events = test_events(&n_events);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n_events }, &w));
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_put(t, PERF_FEATURE_BPF_BTF, &feature, sizeof(feature)));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &a));
        merged = merge(a, a, NULL);
        ck_assert_ok(perf_data_reader_feature(merged, PERF_FEATURE_BPF_BTF, &data, &size));
        ck_assert_uint_eq(size, sizeof(feature)); /* each once */
        ck_assert_int_lt((clock() - start) / CLOCKS_PER_SEC, 3);
        perf_data_reader_free(merged);
        perf_data_reader_free(a);
}
END_TEST

TEST_RUN("merge", compressed2, state_counts_from_its_own_time, ends_of_rounds, duplicates, events_of_all, window, counts_go_on,
         window_of_counts, refused_counts, refused, broken, many_types, recorded);
