/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Dumps of a history: dumped samples are not dumped again, except those of a dump that failed. */

#include "check-main.h"
#include "history-drain.h"
#include "history-samples.h"
#include "made-recording.h"

static struct {
        FlightState *state;
        int fd;
        History *history;
        HistorySource *source;
        FlightSamples samples;
        uint64_t records, first, last;
} dumping;

static const FlightWish automatic = { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };

static void setup(void) {
        const PerfDataEvent *events;
        size_t n;

        made_setup();
        ck_assert_int_eq(flight_state_new(MADE_CPUS, &dumping.fd, &dumping.state), 0);
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &dumping.history), 0);
        events = file_description_events(made.files.description, &n);
        ck_assert_int_eq(history_source_new(dumping.history, &made.set, events, n, dumping.state, NULL, &dumping.source), 0);
        dumping.samples = history_source_samples(dumping.source);
}

static void teardown(void) {
        history_source_free(dumping.source);
        history_free(dumping.history);
        flight_state_free(dumping.state);
        safe_close(dumping.fd);
        made_teardown();
}

static int see(void *userdata, const struct iovec *records) {
        for (size_t at = 0; at < records->iov_len; at += sizeof(MadeSample)) {
                const MadeSample *m = (const void *) ((const uint8_t *) records->iov_base + at);

                if (dumping.records++ == 0)
                        dumping.first = m->time;
                dumping.last = m->time;
        }
        return 0;
}

static FlightTaken take(const FlightWish *wish) {
        FlightTaken t = {};

        ck_assert_int_eq(dumping.samples.mark(dumping.samples.userdata), 0);
        made_ring_sample(0, 999999); /* too late for this one */
        ck_assert_int_eq(dumping.samples.take(dumping.samples.userdata, wish, &t), 0);
        made.pages[0].data_head -= sizeof(MadeSample);
        dumping.records = dumping.first = dumping.last = 0;
        ck_assert_int_eq(dumping.samples.each(dumping.samples.userdata, see, NULL), 0);
        ck_assert_uint_eq(dumping.records, t.samples);
        ck_assert_uint_eq(dumping.records * sizeof(MadeSample), t.bytes);
        return t;
}

static uint64_t take_some(FlightWish wish) {
        FlightTaken t = take(&wish);
        uint64_t n = t.samples;

        flight_taken_done(&t);
        return n;
}

static void settle(bool named) {
        dumping.samples.about_to_name(dumping.samples.userdata, "perf.data.1");
        dumping.samples.settle(dumping.samples.userdata, named);
}

START_TEST(test_nothing_twice) {
        FlightTaken t = take(&automatic);

        ck_assert(t.samples == 0 && t.last == 0 && t.n_pids == 0);
        flight_taken_done(&t);
        made_ring_sample(0, 10);
        made_ring_sample(1, 20);
        made_ring_sample(0, 30);
        t = take(&automatic); /* samples that are still in the rings are part of it */
        ck_assert(t.samples == 3 && t.first == 10 && t.last == 30 && t.lost == 0);
        ck_assert(t.n_pids == 1 && t.pids[0] == 7);
        flight_taken_done(&t);
        settle(false);
        ck_assert_uint_eq(take_some(automatic), 3);
        settle(true);
        ck_assert_uint_eq(take_some(automatic), 0);
        made_ring_sample(1, 40);
        ck_assert_uint_eq(take_some(automatic), 1);
        settle(true);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL }), 4);
}
END_TEST

/* A requested dump does not take samples from automatic ones; samples that no dump has yet are counted separately; a
 * window changes no count. */
START_TEST(test_requests) {
        const FlightWish all = { .content = DUMP_CONTENT_ALL }, fresh = { .content = DUMP_CONTENT_NEW };
        const FlightWish window = { .content = DUMP_CONTENT_ALL, .from = 15, .until = 25 };

        made_ring_sample(0, 10);
        made_ring_sample(1, 20);
        made_ring_sample(0, 30);
        ck_assert_uint_eq(take_some(window), 1);
        settle(true);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_uint_eq(take_some(all), 3);
                settle(true);
        }
        ck_assert_uint_eq(take_some(fresh), 0);
        made_ring_sample(1, 40);
        ck_assert_uint_eq(take_some(fresh), 1);
        settle(true);
        ck_assert_uint_eq(take_some(fresh), 0);
        ck_assert_uint_eq(take_some(automatic), 4);
        settle(true);
        ck_assert_uint_eq(take_some(automatic), 0);
        ck_assert_uint_eq(take_some(all), 4);
}
END_TEST

/* Each sample is counted once, in any dump and at any time. */
START_TEST(test_counts) {
        FlightCounts c = {};

        made_ring_sample(0, 10);
        made_ring_sample(1, 20);
        ck_assert_int_eq(history_drain(dumping.history, &made.set, NULL), 0);
        dumping.samples.count(dumping.samples.userdata, &c);
        ck_assert_uint_eq(c.samples, 2);
        made_ring_sample(0, 30);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL }), 3);
                dumping.samples.count(dumping.samples.userdata, &c);
                ck_assert(c.samples == 3 && c.lost == 0);
        }
}
END_TEST

START_TEST(test_since) {
        for (uint64_t i = 1; i <= 5000; i++) {
                made_ring_sample(i % 2, i);
                if (i % 50 == 0)
                        ck_assert_int_eq(history_drain(dumping.history, &made.set, NULL), 0);
        }
        ck_assert_uint_eq(take_some((FlightWish) { .from = 4000 }), 1001);
        ck_assert_uint_ge(dumping.first, 4000);
        ck_assert_uint_eq(dumping.last, 5000 - 1); /* the CPUs' rings were read one after the other */
        ck_assert_uint_eq(take_some((FlightWish) { .from = 5001 }), 0);
        ck_assert_uint_eq(take_some((FlightWish) { .from = 1 }), 5000);
        ck_assert_uint_eq(take_some((FlightWish) { .until = 1000 }), 1000);
        ck_assert_uint_eq(take_some((FlightWish) { .from = 1001, .until = 1100 }), 100);
        ck_assert(dumping.first >= 1001 && dumping.last <= 1100);
}
END_TEST

/* Age counts from now, also for samples that were not dropped yet. */
START_TEST(test_age) {
        const PerfDataEvent *events;
        size_t n;

        history_source_free(dumping.source);
        dumping.history = history_free(dumping.history);
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, 3, 3, &dumping.history), 0);
        events = file_description_events(made.files.description, &n);
        ck_assert_int_eq(history_source_new(dumping.history, &made.set, events, n, dumping.state, NULL, &dumping.source), 0);
        dumping.samples = history_source_samples(dumping.source);
        for (uint64_t i = 1; i <= 50; i++)
                made_ring_sample(0, i * 100); /* ns */
        ck_assert_uint_eq(take_some((FlightWish) { .now = 5000 }), 31);
        ck_assert_uint_eq(dumping.first, 2000);
        ck_assert_uint_eq(take_some((FlightWish) { .now = 7500 }), 6);
        ck_assert_uint_eq(take_some((FlightWish) { .now = 7500, .from = 4900 }), 2);
        ck_assert_uint_eq(take_some((FlightWish) { .now = 2000 }), 50);
        ck_assert_uint_eq(take_some(automatic), 50);
        ck_assert_uint_eq(take_some((FlightWish) { .now = 100000 }), 0);
}
END_TEST

START_TEST(test_lost) {
        const struct {
                struct perf_event_header header;
                uint64_t id, lost;
        } record = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(record) }, .id = 100, .lost = 42 };
        FlightTaken t = {};

        made_ring_put(0, &record, sizeof(record));
        made_ring_sample(0, 1);
        ck_assert_int_eq(dumping.samples.mark(dumping.samples.userdata), 0);
        ck_assert_int_eq(dumping.samples.take(dumping.samples.userdata, &automatic, &t), 0);
        ck_assert(t.samples == 1 && t.lost == 42);
        flight_taken_done(&t);
}
END_TEST

CHECK_MAIN_WITH("history-samples", setup, teardown, test_nothing_twice, test_requests, test_counts,
                test_since, test_age, test_lost);
