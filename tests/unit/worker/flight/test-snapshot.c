/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Overwrite rings in plain memory, dumped several times. */

#include "check-main.h"
#include "made-recording.h"
#include "snapshot.h"

static struct {
        FlightState *state;
        int fd;
        Snapshot *snapshot;
        FlightSamples samples;
        uint64_t records, bytes;
} dumping;

static const FlightWish automatic = { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };

static void open_snapshot(void) {
        const PerfDataEvent *events;
        size_t n;

        for (unsigned cpu = 0; cpu < MADE_CPUS; cpu++)
                made.rings[cpu].overwrite = true;
        ck_assert_int_eq(flight_state_new(MADE_CPUS, &dumping.fd, &dumping.state), 0);
        events = file_description_events(made.files.description, &n);
        ck_assert_int_eq(snapshot_new(&made.set, events, n, dumping.state, &dumping.snapshot), 0);
        dumping.samples = snapshot_samples(dumping.snapshot);
        dumping.samples.warm(dumping.samples.userdata);
}

static void close_snapshot(void) {
        snapshot_free(dumping.snapshot);
        flight_state_free(dumping.state);
        safe_close(dumping.fd);
}

static int count_records(void *userdata, const struct iovec *records) {
        ck_assert_uint_eq(records->iov_len % sizeof(MadeSample), 0);
        dumping.records += records->iov_len / sizeof(MadeSample);
        dumping.bytes += records->iov_len;
        return 0;
}

static FlightTaken take(const FlightWish *wish) {
        FlightTaken t = {};

        ck_assert_int_eq(dumping.samples.mark(dumping.samples.userdata), 0);
        ck_assert_int_eq(dumping.samples.take(dumping.samples.userdata, wish, &t), 0);
        dumping.records = dumping.bytes = 0;
        ck_assert_int_eq(dumping.samples.each(dumping.samples.userdata, count_records, NULL), 0);
        ck_assert_uint_eq(dumping.records, t.samples);
        ck_assert_uint_eq(dumping.bytes, t.bytes);
        return t;
}

static void settle(bool named) {
        dumping.samples.about_to_name(dumping.samples.userdata, "perf.data.1");
        dumping.samples.settle(dumping.samples.userdata, named);
}

static uint64_t take_some(FlightWish wish) {
        FlightTaken t = take(&wish);
        uint64_t n = t.samples;

        flight_taken_done(&t);
        return n;
}

START_TEST(test_nothing_twice) {
        FlightTaken t;

        open_snapshot();
        t = take(&automatic);
        ck_assert(t.samples == 0 && t.last == 0 && t.n_pids == 0);
        flight_taken_done(&t);
        made_ring_prepend(0, 10, 7);
        made_ring_prepend(1, 20, 9);
        made_ring_prepend(0, 30, 7);
        t = take(&automatic);
        ck_assert(t.samples == 3 && t.first == 10 && t.last == 30);
        ck_assert(t.n_pids == 2 && t.pids[0] == 7 && t.pids[1] == 9);
        flight_taken_done(&t);
        settle(true);
        ck_assert_uint_eq(take_some(automatic), 0);
        made_ring_prepend(1, 40, 9);
        ck_assert_uint_eq(take_some(automatic), 1);
        settle(true);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL }), 4);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL, .from = 20 }), 3);
        close_snapshot();
}
END_TEST

/* A requested dump does not take samples from automatic ones; samples that no dump has yet are counted separately; a
 * window changes no count. */
START_TEST(test_requests) {
        const FlightWish all = { .content = DUMP_CONTENT_ALL }, fresh = { .content = DUMP_CONTENT_NEW };
        const FlightWish window = { .content = DUMP_CONTENT_ALL, .from = 15, .until = 25 };

        open_snapshot();
        made_ring_prepend(0, 10, 7);
        made_ring_prepend(1, 20, 9);
        made_ring_prepend(0, 30, 7);
        ck_assert_uint_eq(take_some(window), 1);
        settle(true);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_uint_eq(take_some(all), 3);
                settle(true);
        }
        ck_assert_uint_eq(take_some(fresh), 0);
        made_ring_prepend(1, 40, 9);
        ck_assert_uint_eq(take_some(fresh), 1);
        settle(true);
        ck_assert_uint_eq(take_some(fresh), 0);
        ck_assert_uint_eq(take_some(automatic), 4);
        settle(true);
        ck_assert_uint_eq(take_some(automatic), 0);
        ck_assert_uint_eq(take_some(all), 4);
        close_snapshot();
}
END_TEST

static uint64_t count_all(void) {
        FlightCounts c = {};

        dumping.samples.count(dumping.samples.userdata, &c);
        return c.samples;
}

/* Each sample is counted once, in any dump. */
START_TEST(test_counts) {
        open_snapshot();
        made_ring_prepend(0, 10, 7);
        made_ring_prepend(1, 20, 9);
        ck_assert_uint_eq(count_all(), 0);
        ck_assert_uint_eq(take_some(automatic), 2);
        ck_assert_uint_eq(count_all(), 2);
        settle(true);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL }), 2);
                ck_assert_uint_eq(count_all(), 2);
        }
        made_ring_prepend(0, 30, 7);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL, .from = 15, .until = 25 }), 1);
        ck_assert_uint_eq(count_all(), 3);
        settle(true);
        for (unsigned i = 0; i < 1000; i++)
                made_ring_prepend(1, 40 + i, 9);
        (void) take_some(automatic);
        ck_assert_uint_gt(count_all(), 3); /* samples that were overwritten unseen are not counted */
        ck_assert_uint_le(count_all(), 3 + MADE_RING_SIZE / sizeof(MadeSample));
        close_snapshot();
}
END_TEST

/* Samples of a dump that failed are in the next one. */
START_TEST(test_failed_dump) {
        open_snapshot();
        made_ring_prepend(0, 10, 7);
        ck_assert_uint_eq(take_some(automatic), 1);
        settle(false);
        made_ring_prepend(0, 20, 7);
        ck_assert_uint_eq(take_some(automatic), 2);
        settle(true);
        ck_assert_uint_eq(take_some(automatic), 0);
        close_snapshot();
}
END_TEST

/* After the ring has wrapped around, a dump has the newest records, whole, and none that the kernel may be
 * overwriting. */
START_TEST(test_gone_round) {
        uint64_t n;

        open_snapshot();
        for (uint64_t i = 1; i <= 1000; i++)
                made_ring_prepend(0, i, 7);
        n = take_some(automatic);
        ck_assert_uint_lt(n, MADE_RING_SIZE / sizeof(MadeSample));
        ck_assert_uint_gt(n, MADE_RING_SIZE / sizeof(MadeSample) / 2);
        settle(true);
        made_ring_prepend(0, 1001, 7);
        ck_assert_uint_eq(take_some(automatic), 1);
        close_snapshot();
}
END_TEST

#define LARGE_RING ((size_t) 4 << 20)
#define LARGE_SAMPLES 10000u /* more than one piece of a copy */

/* With rings so large that several threads copy them, a dump has all samples of each. */
START_TEST(test_large_rings) {
        uint8_t *memory = calloc(MADE_CPUS, LARGE_RING);
        FlightTaken t;

        ck_assert_ptr_nonnull(memory);
        for (unsigned cpu = 0; cpu < MADE_CPUS; cpu++)
                ck_assert_int_eq(ring_init_memory(&made.rings[cpu], &made.pages[cpu], memory + cpu * LARGE_RING, LARGE_RING,
                                                  true), 0);
        open_snapshot();
        for (unsigned i = 1; i <= LARGE_SAMPLES; i++)
                for (unsigned cpu = 0; cpu < MADE_CPUS; cpu++)
                        made_ring_prepend(cpu, i, 7 + cpu);
        t = take(&automatic);
        ck_assert_uint_eq(t.samples, MADE_CPUS * LARGE_SAMPLES);
        ck_assert(t.first == 1 && t.last == LARGE_SAMPLES && t.n_pids == MADE_CPUS);
        flight_taken_done(&t);
        close_snapshot();
        free(memory);
}
END_TEST

/* Only the end of a large ring is read for a window, but each sample is counted. */
START_TEST(test_window_of_a_large_ring) {
        static uint64_t memory[1 << 17];
        FlightTaken t;

        ck_assert_int_eq(ring_init_memory(&made.rings[0], &made.pages[0], (uint8_t *) memory, sizeof(memory), false), 0);
        open_snapshot();
        for (unsigned i = 1; i <= 10000; i++)
                made_ring_prepend(0, i, 7);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL, .from = 9991 }), 10);
        ck_assert_uint_eq(count_all(), 10000);
        ck_assert_uint_eq(take_some((FlightWish) { .content = DUMP_CONTENT_ALL, .from = 2001 }), 8000);
        memset(memory, 0xff, sizeof(memory) / 2);
        made_ring_prepend(0, 20000, 7);
        t = take(&(FlightWish) { .content = DUMP_CONTENT_ALL, .from = 20000, .until = 30000 });
        ck_assert(t.samples == 1 && t.first == 20000 && t.begin == 0);
        flight_taken_done(&t);
        ck_assert_uint_eq(count_all(), 10001);
        for (unsigned i = 1; i <= 40000; i++) /* more than it holds */
                made_ring_prepend(0, 20000 + i, 7);
        t = take(&(FlightWish) { .content = DUMP_CONTENT_ALL, .from = 20001 });
        ck_assert(t.samples > 10000 && t.samples < 40000 && t.begin == t.first && t.begin > 30000);
        flight_taken_done(&t);
        t = take(&(FlightWish) { .content = DUMP_CONTENT_ALL, .from = 59000 });
        ck_assert(t.samples == 1001 && t.begin == 0);
        flight_taken_done(&t);
        close_snapshot();
}
END_TEST

CHECK_MAIN_WITH("snapshot", made_setup, made_teardown, test_nothing_twice, test_requests, test_counts,
                test_failed_dump, test_gone_round, test_large_rings, test_window_of_a_large_ring);
