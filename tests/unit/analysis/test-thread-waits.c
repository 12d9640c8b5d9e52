/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Moments come as a cursor gives them. Times are microseconds, rows are numbers. */

#include "perfdata-test.h"
#include "record-layout.h"
#include "thread-waits.h"

#define N_ROWS 8u
#define NO_ROW SAMPLE_NO_ROW

typedef struct Switch {
        uint64_t usec;
        uint32_t cpu, row;
        SchedEvent threads;
} Switch;

static void put(ThreadWaits *w, const Switch *s, size_t n) {
        const PerfDataEvent event = { .attr.sample_type = PERF_SAMPLE_CPU };

        for (; n > 0; n--, s++) {
                const PerfSample sample = { .sample_type = PERF_SAMPLE_CPU, .cpu = s->cpu };

                ck_assert_ok(thread_waits_take_sample(w, &(Moment) { .time = s->usec * 1000, .event = &event, .sample = &sample },
                                                      &s->threads, s->row));
        }
}

static void put_record(ThreadWaits *w, uint32_t type, uint32_t tid, uint64_t usec, uint32_t cpu) {
        const PerfRecordTask task = { .header = { .type = type, .size = sizeof(task) }, .pid = tid, .tid = tid };
        const PerfRecordLost lost = { .header = { .type = type, .size = sizeof(lost) }, .lost = 1 };
        const PerfSample trailer = { .sample_type = PERF_SAMPLE_CPU, .time = usec * 1000, .cpu = cpu };

        ck_assert_ok(thread_waits_take_record(w, &(Moment) {
                .record = type == PERF_RECORD_LOST ? &lost.header : &task.header, .sample = &trailer,
        }));
}

static void put_round(ThreadWaits *w) {
        const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };

        ck_assert_ok(thread_waits_take_record(w, &(Moment) { .record = &round, .sample = &(PerfSample) {} }));
}

/* A recording without events. */
static void begin_recording(ThreadWaits *w) {
        const uint64_t stream[] = { PERF_FILE_MAGIC, 2 * sizeof(uint64_t) };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        ck_assert_ok(perf_data_reader_new_memory(stream, sizeof(stream), &reader));
        ck_assert_ok(thread_waits_begin_recording(w, reader));
        put_round(w);
}

#define PUT(w, ...) put((w), (const Switch[]) { __VA_ARGS__ }, sizeof((const Switch[]) { __VA_ARGS__ }) / sizeof(Switch))

/* The times of rows; the rest have none. */
static void expect_rows(ThreadWaits *w, const uint64_t *expected, size_t n) {
        _cleanup_free_ uint64_t *usec = NULL;

        ck_assert_ok(thread_waits_finish(w, N_ROWS, &usec));
        for (size_t i = 0; i < N_ROWS; i++)
                ck_assert_msg(usec[i] == (i < n ? expected[i] : 0), "row %zu: %ju", i, (uintmax_t) usec[i]);
}

#define EXPECT(w, ...) \
        expect_rows((w), (const uint64_t[]) { __VA_ARGS__ }, sizeof((const uint64_t[]) { __VA_ARGS__ }) / sizeof(uint64_t))

/* Thread 7 waits 100 and 20 us in row 0 and 5 in row 1, thread 8 comes from before the recording, and thread 9 stays away. */
START_TEST(waits) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1100, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1200, 0, 0, { SCHED_OUT_RUNNABLE, 7, 8 } }, { 1220, 0, 2, { SCHED_OUT_DEAD, 8, 7 } },
            { 1300, 0, 1, { SCHED_OUT_ASLEEP, 7, 9 } }, { 1304, 0, 3, { SCHED_OUT_ASLEEP, 9, 0 } },
            { 1305, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } });
        EXPECT(&w, 120, 5);
        ck_assert(w.totals.switches == 7 && w.totals.wakings == 0);
        ck_assert_uint_eq(w.totals.waits, 3);
        ck_assert_uint_eq(w.totals.open, 1);
        ck_assert_uint_eq(w.totals.doubtful, 0);
}
END_TEST

/* A file has the samples of CPU 1 after those of CPU 0. */
START_TEST(order_of_time) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 4000, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 2000, 1, 5, { SCHED_OUT_RUNNABLE, 0, 7 } }, { 3500, 1, 1, { SCHED_OUT_ASLEEP, 7, 0 } });
        EXPECT(&w, 1000, 500);
}
END_TEST

/* A switch that is not selected has no row, and still ends a wait. */
START_TEST(selection) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        PUT(&w, { 1000, 0, 2, { SCHED_OUT_ASLEEP, 7, 8 } }, { 1010, 0, NO_ROW, { SCHED_OUT_ASLEEP, 8, 7 } },
            { 1030, 0, NO_ROW, { SCHED_OUT_ASLEEP, 7, 8 } }, { 1070, 0, NO_ROW, { SCHED_OUT_ASLEEP, 8, 7 } });
        EXPECT(&w, 0, 0, 10);
        ck_assert_uint_eq(w.totals.open, 0); /* that of thread 8 is not selected */
}
END_TEST

/* Thread 7 is seen to run on between: the switch that ended its first wait is lost. */
START_TEST(lost_switches) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1500, 1, 1, { SCHED_OUT_ASLEEP, 7, 0 } },
            { 1600, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } }, { 1700, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } });
        EXPECT(&w, 0, 100);
}
END_TEST

/* CPU 1 lost records from 1200 to 1400; thread 7 may have run there, and thread 8 waited before and after it. */
START_TEST(lost_records) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        put_record(&w, PERF_RECORD_LOST, 0, 1400, 1);
        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1300, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1350, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1500, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1100, 1, 1, { SCHED_OUT_ASLEEP, 8, 0 } }, { 1200, 1, 5, { SCHED_OUT_RUNNABLE, 0, 8 } },
            { 1400, 1, 1, { SCHED_OUT_ASLEEP, 8, 0 } }, { 1430, 1, 5, { SCHED_OUT_RUNNABLE, 0, 8 } });
        EXPECT(&w, 0, 130);
        ck_assert_uint_eq(w.totals.doubtful, 2);
        ck_assert_uint_eq(w.totals.waits, 2);
}
END_TEST

/* A dump has not all that happened before the first switch of each of its CPUs: 7 may have run on CPU 1 until 1200. */
START_TEST(dump) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1300, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1350, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1500, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1200, 1, 1, { SCHED_OUT_ASLEEP, 8, 0 } }, { 1210, 1, 5, { SCHED_OUT_RUNNABLE, 0, 8 } });
        EXPECT(&w, 150, 10);
        ck_assert_uint_eq(w.totals.doubtful, 1);
}
END_TEST

/* The number 7 is given to a new thread while the old one's last switch is missing, or is the last that is seen of it. */
START_TEST(numbers_used_again) {
        for (int how = 0; how < 3; how++) {
                _cleanup_(thread_waits_done) ThreadWaits w = {};

                begin_recording(&w);
                if (how < 2)
                        put_record(&w, how == 0 ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 7, 1500, 0);
                PUT(&w, { 1000, 0, 0, { how < 2 ? SCHED_OUT_ASLEEP : SCHED_OUT_DEAD, 7, 0 } },
                    { 2000, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } });
                EXPECT(&w, 0);
                ck_assert_uint_eq(w.totals.open, 0);
        }
}
END_TEST

/* A wait does not go on from one recording to the next. */
START_TEST(several_recordings) {
        _cleanup_(thread_waits_done) ThreadWaits w = {};

        begin_recording(&w);
        PUT(&w, { 1000, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1001, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1500, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } });
        begin_recording(&w);
        PUT(&w, { 2000, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } }, { 2100, 0, 0, { SCHED_OUT_ASLEEP, 7, 0 } },
            { 2102, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } });
        EXPECT(&w, 3);
        ck_assert_uint_eq(w.totals.open, 1);
}
END_TEST

/* The first waking of a wait counts; a preempted thread waits for none, and a waker runs. */
START_TEST(wakers) {
        _cleanup_(thread_waits_done) ThreadWaits w = { .wakers = true };

        begin_recording(&w);
        PUT(&w, { 900, 1, 3, { SCHED_WAKING, 9, 7 } }, { 1000, 0, 5, { SCHED_OUT_ASLEEP, 7, 0 } }, { 1100, 1, 3, { SCHED_WAKING, 9, 7 } },
            { 1150, 1, 4, { SCHED_WAKING, 9, 7 } }, { 1200, 0, 5, { SCHED_OUT_RUNNABLE, 0, 7 } },
            { 1300, 0, 5, { SCHED_OUT_RUNNABLE, 7, 8 } }, { 1310, 1, 3, { SCHED_WAKING, 9, 7 } },
            { 1400, 1, 5, { SCHED_OUT_ASLEEP, 9, 0 } }, { 1450, 1, 3, { SCHED_WAKING, 9, 7 } },
            { 1500, 0, NO_ROW, { SCHED_WAKING, 0, 9 } }, { 1600, 0, 5, { SCHED_OUT_ASLEEP, 8, 0 } });
        EXPECT(&w, 0, 0, 0, 100);
        ck_assert(w.totals.switches == 5 && w.totals.wakings == 6);
        ck_assert_uint_eq(w.totals.waits, 1);
        ck_assert_uint_eq(w.totals.open, 1);
}
END_TEST

static void expect_span(const ThreadWaits *w, size_t i, uint32_t row, char state, uint64_t usec, uint32_t waker, bool open) {
        const WaitSpan *s = w->spans + i;

        ck_assert_uint_lt(i, w->n_spans);
        ck_assert_msg(s->row == row && s->state == state && s->nsec == usec * 1000 && s->waker == waker && s->open == open,
                      "%zu: row %u, %c, %ju ns, woken by %u", i, s->row, s->state, (uintmax_t) s->nsec, s->waker);
}

/* A sleep ends when the thread is woken; then it waits for a CPU, as a preempted thread does. What has not ended lasted at least until
 * the last event. */
START_TEST(spans) {
        _cleanup_(thread_waits_done) ThreadWaits w = { .spans_wanted = true };
        _cleanup_free_ uint64_t *usec = NULL;

        begin_recording(&w);
        PUT(&w, { 1000, 0, 1, { SCHED_OUT_ASLEEP, 7, 0, 'D' } }, { 1100, 1, 3, { SCHED_WAKING, 9, 7 } },
            { 1150, 1, 4, { SCHED_WAKING, 8, 7 } }, { 1200, 0, 5, { SCHED_OUT_RUNNABLE, 6, 7, 'R' } },
            { 1300, 0, 2, { SCHED_OUT_ASLEEP, 7, 6, 'S' } }, { 1500, 0, 3, { SCHED_OUT_ASLEEP, 6, 7, 'S' } },
            { 1600, 0, 4, { SCHED_OUT_RUNNABLE, 7, 8, 'R' } }, { 1700, 0, 4, { SCHED_WAKING, 0, 6 } },
            { 1900, 0, 5, { SCHED_OUT_DEAD, 8, 0, 'X' } });
        ck_assert_ok(thread_waits_finish(&w, N_ROWS, &usec));
        expect_span(&w, 0, 1, 'D', 100, 9, false);
        expect_span(&w, 1, 1, 'R', 100, WAKER_UNKNOWN, false);
        expect_span(&w, 2, 5, 'R', 100, WAKER_UNKNOWN, false);
        expect_span(&w, 3, 2, 'S', 200, WAKER_UNKNOWN, false);
        expect_span(&w, 4, 4, 'R', 300, WAKER_UNKNOWN, true);
        expect_span(&w, 5, 3, 'S', 200, 0, false);
        expect_span(&w, 6, 3, 'R', 200, WAKER_UNKNOWN, true);
        ck_assert_uint_eq(w.n_spans, 7);
}
END_TEST

TEST_RUN("thread-waits", waits, order_of_time, selection, lost_switches, lost_records, dump, numbers_used_again, several_recordings,
         wakers, spans);
