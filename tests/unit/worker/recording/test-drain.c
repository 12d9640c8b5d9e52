/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings in plain memory to a file. */

#include "check-main.h"
#include "drain.h"
#include "made-recording.h"
#include "snapshot.h"

static uint64_t lost; /* reported in rings */

static char *finish(void) {
        ck_assert_int_eq(output_finish(made.output, false, NULL), 0);
        return strdup(made.path);
}

START_TEST(test_empty_rings) {
        ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0);
        ck_assert_uint_eq(made.n_preambles, 0); /* nothing was written: no file was begun */
}
END_TEST

START_TEST(test_one_round) {
        _cleanup_free_ char *name = NULL;

        made_ring_sample(0, 1);
        made_ring_sample(1, 2);
        made_ring_sample(1, 3);
        ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0);
        ck_assert_uint_eq(made.pages[0].data_tail, made.pages[0].data_head);
        ck_assert_uint_eq(made.pages[1].data_tail, made.pages[1].data_head);
        ck_assert_uint_eq(made.counters.page->samples, 3);
        name = finish();
        ck_assert_uint_eq(made_count(name, PERF_RECORD_SAMPLE), 3);
        ck_assert_uint_eq(made_count(name, PERF_RECORD_FINISHED_ROUND), 1);
}
END_TEST

/* Records that the end of the ring splits come out whole, over many rounds. */
START_TEST(test_around_the_end) {
        enum { ROUNDS = 200, PER_ROUND = 37 };
        _cleanup_free_ char *name = NULL;

        for (unsigned i = 0; i < ROUNDS; i++) {
                for (unsigned k = 0; k < PER_ROUND; k++)
                        made_ring_sample(i % 2, i * 100 + k);
                ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0);
        }
        ck_assert_uint_eq(made.counters.page->samples, ROUNDS * PER_ROUND);
        name = finish();
        ck_assert_uint_eq(made_count(name, PERF_RECORD_SAMPLE), ROUNDS * PER_ROUND);
        ck_assert_uint_eq(made_count(name, PERF_RECORD_FINISHED_ROUND), ROUNDS);
}
END_TEST

START_TEST(test_lost) {
        const struct {
                struct perf_event_header header;
                uint64_t id, lost;
        } record = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(record) }, .id = 100, .lost = 42 };

        made_ring_put(0, &record, sizeof(record));
        made_ring_sample(0, 1);
        ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0);
        ck_assert_uint_eq(lost, 42);
        ck_assert_uint_eq(made.counters.page->lost, 0); /* it is not known what they were */
        ck_assert_uint_eq(made.counters.page->samples, 1);
}
END_TEST

/* The kernel reports an event's losses when it is read: here its pipe has them. Those of a dummy event are no samples. */
START_TEST(test_lost_samples) {
        const uint64_t values[] = { 1000, 100, 5 }, dummy[] = { 0, 200, 500 }; /* value, id, lost */
        _cleanup_free_ char *name = NULL;
        DrainLost counts;

        made.members[0].attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
        made.members[1].attr = (struct perf_event_attr) { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
                                                          .read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST };
        made_ring_sample(0, 1);
        ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0);
        for (unsigned i = 0; i < MADE_CPUS * MADE_MEMBERS; i++)
                ck_assert_int_eq(write(made.hangup[i], i % MADE_MEMBERS ? dummy : values, sizeof(values)), sizeof(values));
        ck_assert_int_eq(drain_read_lost(&made.set, made.output, &counts), 0);
        ck_assert_uint_eq(counts.samples, 10);
        ck_assert_uint_eq(counts.records, 1000);
        name = finish();
        ck_assert_uint_eq(made_count(name, PERF_RECORD_LOST_SAMPLES), 4);
}
END_TEST

/* Each file has the records up to its mark, and the next one the rest. */
START_TEST(test_overwrite_rings) {
        _cleanup_(flight_state_freep) FlightState *state = NULL;
        _cleanup_(snapshot_freep) Snapshot *snapshot = NULL;
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *name = NULL;
        const PerfDataEvent *events;
        FlightSamples samples;
        size_t n;

        for (unsigned cpu = 0; cpu < MADE_CPUS; cpu++)
                made.rings[cpu].overwrite = true;
        ck_assert_int_eq(flight_state_new(MADE_CPUS, &fd, &state), 0);
        events = file_description_events(made.files.description, &n);
        ck_assert_int_eq(snapshot_new(&made.set, events, n, state, &snapshot), 0);
        samples = snapshot_samples(snapshot);

        made_ring_prepend(0, 10, 7);
        made_ring_prepend(1, 20, 7);
        made_ring_prepend(0, 30, 7);
        ck_assert_int_eq(drain_rings(&made.set, made.output, &lost), 0); /* it does not read those */
        ck_assert_int_eq(samples.mark(samples.userdata), 0);
        made_ring_prepend(1, 40, 7);
        ck_assert_int_eq(drain_overwrite_rings(&samples, made.output, &lost), 0);
        ck_assert_uint_eq(made.counters.page->samples, 3);
        ck_assert_int_eq(samples.mark(samples.userdata), 0);
        ck_assert_int_eq(drain_overwrite_rings(&samples, made.output, &lost), 0);
        ck_assert_uint_eq(made.counters.page->samples, 4);
        name = finish();
        ck_assert_uint_eq(made_count(name, PERF_RECORD_SAMPLE), 4);
        ck_assert_uint_eq(made_count(name, PERF_RECORD_FINISHED_ROUND), 3);
}
END_TEST

CHECK_MAIN_WITH("drain", made_setup, made_teardown, test_empty_rings, test_one_round, test_around_the_end, test_lost, test_lost_samples,
                test_overwrite_rings);
