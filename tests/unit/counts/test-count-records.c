/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bytes of records are those of files that perf stat record 6.1 wrote, with the numbers of the samples. */

#include "check-main.h"
#include "count-records.h"
#include "count-samples.h"
#include "record-layout.h"

/* Returns the next record of that type, which is whole. */
static const void *next(const RecordBuffer *b, size_t *cursor, uint32_t type) {
        const struct perf_event_header *h;

        ck_assert_int_eq(record_next(b->data, b->size, cursor, &h), 1);
        ck_assert_uint_eq(h->type, type);
        ck_assert(record_is_whole(h, 0) || type == PERF_RECORD_CPU_MAP);
        return h;
}

static void assert_end(const RecordBuffer *b, size_t cursor) {
        ck_assert_uint_eq(cursor, b->size);
}

static void assert_update(const RecordBuffer *b, size_t *cursor, EventUpdateKind kind, uint64_t id, const char *text) {
        const PerfRecordEventUpdate *u = next(b, cursor, PERF_RECORD_EVENT_UPDATE);

        ck_assert(u->kind == kind && u->id == id);
        if (text)
                ck_assert_str_eq((const char *) u->body, text);
}

/* The records before the first round, up to the map of threads. */
static void assert_updates(const RecordBuffer *b, size_t *cursor, const uint64_t ids[static 3], bool names) {
        assert_update(b, cursor, EVENT_UPDATE_UNIT, ids[0], "msec");
        assert_update(b, cursor, EVENT_UPDATE_SCALE, ids[0], NULL);
        if (names)
                assert_update(b, cursor, EVENT_UPDATE_NAME, ids[0], "task-clock");
        assert_update(b, cursor, EVENT_UPDATE_CPUS, ids[1], NULL);
        if (!names)
                return;
        assert_update(b, cursor, EVENT_UPDATE_NAME, ids[1], "page-faults:u");
        assert_update(b, cursor, EVENT_UPDATE_NAME, ids[2], "cycles");
}

START_TEST(layout) {
        static const uint8_t config[] = { 75, 0, 0, 0, 0, 0, 64, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0,
                                          1, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };

        for (int names = 0; names < 2; names++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                const PerfRecordThreadMap *threads;
                size_t cursor = 0;

                ck_assert_int_eq(count_records_put_layout(&b, &sample_layout, &(CountConfig) { COUNT_BY_THREAD, 100, false }, names), 0);
                assert_updates(&b, &cursor, (const uint64_t[]) { 1, 2, 3 }, names);
                threads = next(&b, &cursor, PERF_RECORD_THREAD_MAP);
                ck_assert(threads->n == 2 && threads->threads[0].tid == 17 && threads->threads[1].tid == 4711);
                ck_assert_str_eq(threads->threads[1].comm, "a long name of ");
                (void) next(&b, &cursor, PERF_RECORD_CPU_MAP);
                ck_assert_mem_eq(next(&b, &cursor, PERF_RECORD_STAT_CONFIG), config, sizeof(config));
                assert_end(&b, cursor);
        }
}
END_TEST

static void assert_stat(const RecordBuffer *b, size_t *cursor, uint64_t id, int cpu, uint32_t thread, const Count *count) {
        const PerfRecordStat *s = next(b, cursor, PERF_RECORD_STAT);

        ck_assert(s->id == id && s->cpu == cpu && s->thread == thread);
        ck_assert(s->value == count->value && s->enabled == count->enabled && s->running == count->running);
}

START_TEST(rounds) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const PerfRecordStatRound *round;
        size_t cursor = 0;

        ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, false, 123456789), 0);
        assert_stat(&b, &cursor, 1, 0, 0, sample_counts);
        assert_stat(&b, &cursor, 1, 0, 1, sample_counts + 1);
        assert_stat(&b, &cursor, 1, 2, 0, sample_counts + 2);
        assert_stat(&b, &cursor, 1, 2, 1, sample_counts + 3);
        assert_stat(&b, &cursor, 2, 2, 0, sample_counts + 6);
        assert_stat(&b, &cursor, 2, 2, 1, sample_counts + 7);
        round = next(&b, &cursor, PERF_RECORD_STAT_ROUND);
        ck_assert(round->kind == STAT_ROUND_INTERVAL && round->time == 123456789);
        assert_end(&b, cursor);
        record_buffer_reset(&b);
        ck_assert_int_eq(count_records_put_round(&b, &(CountLayout) {}, NULL, true, 5), 0);
        round = (const void *) b.data;
        ck_assert(b.size == sizeof(*round) && round->kind == STAT_ROUND_FINAL && round->time == 5);
}
END_TEST

START_TEST(header_events) {
        _cleanup_free_ PerfDataEvent *events = NULL;

        ck_assert_int_eq(count_records_events(&sample_layout, &events), 0);
        for (size_t i = 0; i < 3; i++) {
                ck_assert(events[i].n_ids == 1 && events[i].ids[0] == i + 1);
                ck_assert_str_eq(events[i].name, sample_events[i].name);
                ck_assert(events[i].attr.config == sample_events[i].attr.config && events[i].attr.sample_type == PERF_SAMPLE_IDENTIFIER);
        }
        ck_assert(events[0].group_members == 2 && events[1].group_members == 0);
}
END_TEST

START_TEST(too_many_threads) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ RecordThread *threads = calloc(2730, sizeof(*threads));
        CountLayout l = sample_layout;

        ck_assert_ptr_nonnull(threads);
        l.threads = threads;
        l.n_threads = 2730;
        ck_assert_int_eq(count_records_put_layout(&b, &l, &(CountConfig) { COUNT_BY_THREAD, 0, false }, false), -E2BIG);
        l.n_threads = 2729;
        ck_assert_int_eq(count_records_put_layout(&b, &l, &(CountConfig) { COUNT_BY_THREAD, 0, false }, false), 0);
}
END_TEST

CHECK_MAIN("count-records", layout, rounds, header_events, too_many_threads);
