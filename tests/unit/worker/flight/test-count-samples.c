/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Readings of counts in a history, and what dumps have of them. The events are memory files with what read(2) would give. */

#include <unistd.h>

#include <perf-recorder/counters.h>
#include "check-main.h"
#include "count-samples.h"
#include "fd-file.h"
#include "record-cursor.h"
#include "record-layout.h"

#define N_EVENTS 4 /* two members on two CPUs */

static struct {
        SetMember members[2];
        Event events[N_EVENTS];
        int cpus[2];
        pid_t tids[1];
        EventSet set;
        FlightState *state;
        int state_fd;
        History *history;
        CountSource *source;
        FlightSamples samples;
        /* what a dump has */
        uint64_t counts[N_EVENTS], enabled[N_EVENTS], n_counts, n_rounds;
} counting;

static const FlightWish automatic = { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };

/* The event has counted that much, half of the time. */
static void count_to(size_t event, uint64_t value) {
        const uint64_t words[] = { value, value * 2, value, counting.events[event].id };

        ck_assert_int_eq(pwrite(counting.events[event].fd, words, sizeof(words), 0), sizeof(words));
}

/* Reading moves the position, which the kernel's events do not have. */
static void rewind_events(void) {
        for (size_t i = 0; i < N_EVENTS; i++)
                if (counting.events[i].fd >= 0)
                        (void) lseek(counting.events[i].fd, 0, SEEK_SET);
}

static void open_event(size_t i, uint64_t id) {
        counting.events[i].fd = open_memfd("event", 32);
        counting.events[i].id = id;
        ck_assert_int_ge(counting.events[i].fd, 0);
        count_to(i, 0);
}

static void open_source(void) {
        ck_assert_int_eq(count_source_new(counting.history, &counting.set, counting.state, &counting.source), 0);
        counting.samples = count_source_samples(counting.source);
        rewind_events();
}

static void setup(void) {
        for (size_t i = 0; i < 2; i++)
                counting.members[i].attr = (struct perf_event_attr) {
                        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
                        .use_clockid = true, .clockid = CLOCK_MONOTONIC,
                };
        for (size_t i = 0; i < N_EVENTS; i++) {
                counting.events[i] = (Event) { .cpu = (int) i / 2, .tid = -1, .member = i % 2 };
                open_event(i, 100 + i);
        }
        counting.cpus[1] = 1;
        counting.tids[0] = -1;
        counting.set = (EventSet) {
                .members = counting.members, .n_members = 2, .events = counting.events, .n_events = N_EVENTS,
                .cpus = counting.cpus, .n_cpus = 2, .tids = counting.tids, .n_tids = 1,
        };
        ck_assert_int_eq(flight_state_new(1, &counting.state_fd, &counting.state), 0);
        ck_assert_int_eq(history_for_counts(HISTORY_SIZE_MIN, USEC_INFINITY, 3, &counting.history), 0);
        open_source();
}

static void teardown(void) {
        count_source_free(counting.source);
        history_free(counting.history);
        flight_state_free(counting.state);
        safe_close(counting.state_fd);
        for (size_t i = 0; i < N_EVENTS; i++)
                safe_close(counting.events[i].fd);
}

static void read_counts(void) {
        ck_assert_int_eq(count_source_read(counting.source), 0);
        rewind_events();
}

static int see_record(const struct perf_event_header *h, void *userdata) {
        const PerfRecordStat *s = (const PerfRecordStat *) h;

        ck_assert(record_is_whole(h, 0));
        if (h->type == PERF_RECORD_STAT_ROUND) {
                ck_assert_uint_eq(counting.n_counts % N_EVENTS, 0);
                counting.n_rounds++;
                return 0;
        }
        ck_assert_uint_eq(h->type, PERF_RECORD_STAT);
        ck_assert_uint_eq(s->id, 1 + counting.n_counts % N_EVENTS);
        ck_assert_int_eq(s->cpu, counting.events[s->id - 1].cpu);
        ck_assert_uint_ge(s->value, counting.counts[s->id - 1]);
        counting.counts[s->id - 1] = s->value;
        counting.enabled[s->id - 1] = s->enabled;
        ck_assert_uint_eq(s->enabled, 2 * s->running);
        counting.n_counts++;
        return 0;
}

static int see(void *userdata, const struct iovec *records) {
        return record_cursor_each(records, 1, see_record, NULL);
}

/* Makes a dump and returns the number of its readings; counting has its last counts. */
static uint64_t dump(FlightWish wish) {
        FlightTaken t = {};

        ck_assert_int_eq(counting.samples.mark(counting.samples.userdata), 0);
        rewind_events();
        ck_assert_int_eq(counting.samples.take(counting.samples.userdata, &wish, &t), 0);
        memset(counting.counts, 0, sizeof(counting.counts));
        counting.n_counts = counting.n_rounds = 0;
        ck_assert_int_eq(counting.samples.each(counting.samples.userdata, see, NULL), 0);
        ck_assert_uint_eq(counting.n_rounds, t.samples);
        ck_assert_uint_eq(counting.n_counts, t.samples * N_EVENTS);
        ck_assert_uint_eq(t.bytes, t.samples * (N_EVENTS * sizeof(PerfRecordStat) + sizeof(PerfRecordStatRound)));
        ck_assert(t.samples == 0 || (t.first > 0 && t.last >= t.first));
        return t.samples;
}

static void settle(bool named) {
        counting.samples.about_to_name(counting.samples.userdata, "perf.data.1");
        counting.samples.settle(counting.samples.userdata, named);
}

/* A dump counts from its first reading on, and the next one from where it ended. */
START_TEST(test_dumps) {
        count_to(0, 1000);
        read_counts();
        count_to(0, 1010);
        count_to(3, 5);
        read_counts();
        count_to(0, 1030);
        ck_assert_uint_eq(dump(automatic), 2);
        ck_assert_uint_eq(counting.counts[0], 30);
        ck_assert_uint_eq(counting.enabled[0], 60);
        ck_assert_uint_eq(counting.counts[3], 5);
        settle(false); /* a full disk: the next one has it too */
        ck_assert_uint_eq(dump(automatic), 3);
        ck_assert_uint_eq(counting.counts[0], 30);
        settle(true);

        count_to(0, 1031);
        ck_assert_uint_eq(dump(automatic), 1);
        ck_assert_uint_eq(counting.counts[0], 1);
        ck_assert_uint_eq(counting.counts[3], 0);
        settle(true);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL }), 5); /* all but the first reading */
        ck_assert_uint_eq(counting.counts[0], 31);
}
END_TEST

/* The reading before the window is its beginning. */
START_TEST(test_window) {
        struct timespec ts;
        uint64_t from;

        count_to(0, 100);
        read_counts();
        count_to(0, 200);
        read_counts();
        (void) clock_gettime(CLOCK_MONOTONIC, &ts);
        from = (uint64_t) ts.tv_sec * NSEC_PER_SEC + (uint64_t) ts.tv_nsec;
        count_to(0, 207);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL, .from = from }), 1);
        ck_assert_uint_eq(counting.counts[0], 7);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL, .until = from }), 1);
        ck_assert_uint_eq(counting.counts[0], 100);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL, .from = UINT64_MAX }), 0);
}
END_TEST

/* An event that was closed keeps its counts; the one that is opened for it goes on from there. */
START_TEST(test_reopened) {
        read_counts();
        count_to(1, 500);
        read_counts();
        counting.events[1].fd = safe_close(counting.events[1].fd);
        read_counts();
        open_event(1, 999);
        count_to(1, 3);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL }), 3);
        ck_assert_uint_eq(counting.counts[1], 503);
}
END_TEST

/* A successor goes on with the events of a recorder that was killed, also with one that had been opened again. */
START_TEST(test_taken_over) {
        History *history;

        read_counts();
        count_to(0, 40);
        count_to(1, 500);
        read_counts();
        safe_close(counting.events[1].fd);
        open_event(1, 999);
        count_to(1, 3);
        read_counts();

        count_source_free(counting.source);
        ck_assert_int_eq(history_take_over(history_fd(counting.history), &history), 0);
        history_free(counting.history);
        counting.history = history;
        count_to(0, 42);
        open_source();
        count_to(1, 4);
        ck_assert_uint_eq(dump((FlightWish) { .content = DUMP_CONTENT_ALL }), 3);
        ck_assert_uint_eq(counting.counts[0], 42);
        ck_assert_uint_eq(counting.counts[1], 504);
}
END_TEST

/* The history drops its oldest records by blocks that cut readings into pieces; what is left begins with a whole one. */
START_TEST(test_dropped) {
        uint64_t n;

        for (uint64_t i = 1; i <= 20000; i++) {
                count_to(0, i * UINT64_C(0x9e3779b97f4)); /* hard to compress */
                count_to(1, i * UINT64_C(0xff51afd7ed5));
                count_to(2, i * UINT64_C(0xc4ceb9fe1a8));
                count_to(3, i);
                read_counts();
        }
        n = dump((FlightWish) { .content = DUMP_CONTENT_ALL });
        ck_assert_uint_lt(n, 20000);
        ck_assert_uint_gt(n, 1000);
        ck_assert_uint_eq(counting.counts[3], n - 1); /* the last reading is the dump's own, and counted nothing */
}
END_TEST

/* The table has what the last reading counted, also if the event has been opened again in the meantime. */
START_TEST(test_table) {
        _cleanup_(count_table_freep) CountTable *table = NULL;
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        PrCount rows[N_EVENTS];

        counting.members[0].name = (char *) "cycles";
        counting.members[1].name = (char *) "faults";
        ck_assert_int_eq(count_table_new(fd, &counting.set, &table), 0);
        count_source_set_table(counting.source, table);
        count_to(3, 40);
        read_counts();
        safe_close(counting.events[3].fd);
        open_event(3, 500);
        count_to(3, 2);
        read_counts();
        ck_assert_int_eq(pread(fd, rows, sizeof(rows), PR_COUNTERS_SIZE + sizeof(PrCounts)), sizeof(rows));
        ck_assert_uint_eq(rows[3].value, 42);
        ck_assert_uint_eq(rows[3].enabled_nsec, 84);
        ck_assert_uint_eq(rows[3].running_nsec, 42);
        ck_assert_int_eq(rows[3].cpu, 1);
        count_source_set_table(counting.source, NULL);
}
END_TEST

/* The events of another set go on with the counts of those before, for the same unit on the same CPU. */
START_TEST(test_continued) {
        char *groups[] = { (char *) "a.service", (char *) "b.service", (char *) "new.service" };
        EventSpec specs[] = { { .cgroup = groups[0] }, { .cgroup = groups[1] }, { .cgroup = groups[2] } };
        static const uint64_t expected[] = { 0, 15, 20, 0, 30, 40 };
        SetMember members[ELEMENTSOF(specs)];
        Event events[ELEMENTSOF(expected)];
        EventSet next = counting.set;
        CountSource *previous = counting.source;
        _cleanup_(count_table_freep) CountTable *table = NULL;
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        PrCount rows[ELEMENTSOF(expected)];

        for (size_t i = 0; i < 2; i++) {
                counting.members[i].name = (char *) "faults";
                counting.members[i].spec = &specs[i];
        }
        for (size_t i = 0; i < N_EVENTS; i++)
                count_to(i, 10 * (i + 1)); /* a.service and b.service on CPU 0, then on CPU 1 */
        read_counts();

        for (size_t i = 0; i < ELEMENTSOF(members); i++) {
                members[i] = counting.members[0];
                members[i].spec = &specs[(i + 2) % 3];
        }
        for (size_t i = 0; i < ELEMENTSOF(events); i++) /* b.service has ended */
                events[i] = (Event) { .fd = -EBADF, .cpu = (int) i / 3, .tid = -1, .member = i % 3 };
        events[1].fd = counting.events[0].fd;
        events[1].id = counting.events[0].id = 77;
        count_to(0, 5);
        next.members = members;
        next.n_members = ELEMENTSOF(members);
        next.events = events;
        next.n_events = ELEMENTSOF(events);
        next.groups = groups;
        counting.history = history_free(counting.history);
        ck_assert_int_eq(history_for_counts(HISTORY_SIZE_MIN, USEC_INFINITY, 3, &counting.history), 0);
        ck_assert_int_eq(count_source_new(counting.history, &next, counting.state, &counting.source), 0);
        count_source_continue(counting.source, previous);
        count_source_free(previous);
        ck_assert_int_eq(count_table_new(fd, &next, &table), 0);
        count_source_set_table(counting.source, table);
        rewind_events();
        read_counts();
        ck_assert_int_eq(pread(fd, rows, sizeof(rows), PR_COUNTERS_SIZE + sizeof(PrCounts) + sizeof(rows)), sizeof(rows));
        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                ck_assert_uint_eq(rows[i].value, expected[i]);
}
END_TEST

CHECK_MAIN_WITH("count-samples", setup, teardown, test_dumps, test_window, test_reopened, test_taken_over, test_dropped,
                test_table, test_continued);
