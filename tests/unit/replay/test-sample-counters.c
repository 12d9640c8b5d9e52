/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample-counters.h"

#define GROUP_FORMAT (PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_LOST)

static const uint64_t ids_of_a[] = { 11, 12 }, ids_of_b[] = { 21, 22 };

static void init(SampleCounters *c, uint64_t sample_type, uint64_t format) {
        const struct perf_event_attr attr = { .sample_type = sample_type, .read_format = format };
        const PerfDataEvent events[] = {
                { .attr = attr, .ids = ids_of_a, .n_ids = 2 },
                { .attr = attr, .ids = ids_of_b, .n_ids = 2 },
        };

        ck_assert_ok(sample_counters_init(c, events, ELEMENTSOF(events)));
}

START_TEST(of_groups) {
        static const uint64_t words[] = { 3, 1000, 500, 12, 0, 7, 22, 0, 9, 99, 0 }; /* number, time, and value, id, lost */
        const PerfSample s = { .read = words, .n_read = ELEMENTSOF(words) };
        _cleanup_(sample_counters_done) SampleCounters c = {};
        uint64_t value;
        size_t counter;

        init(&c, PERF_SAMPLE_READ, GROUP_FORMAT);
        ck_assert_uint_eq(sample_counters_values(&s, GROUP_FORMAT), 3);
        ck_assert(sample_counters_value(&c, &s, GROUP_FORMAT, 0, &counter, &value));
        ck_assert(c.counters[counter].event == 0 && c.counters[counter].id == 12);
        ck_assert_uint_eq(value, 500);
        ck_assert(sample_counters_value(&c, &s, GROUP_FORMAT, 1, &counter, &value));
        ck_assert(c.counters[counter].event == 1 && c.counters[counter].id == 22);
        ck_assert_uint_eq(value, 7);
        ck_assert(!sample_counters_value(&c, &s, GROUP_FORMAT, 2, &counter, &value));
        ck_assert_uint_eq(sample_counters_advance(&c, counter, 7), 7);
        ck_assert_uint_eq(sample_counters_advance(&c, counter, 10), 3);
        ck_assert_uint_eq(sample_counters_advance(&c, counter, 5), 0);
}
END_TEST

START_TEST(of_single_events) {
        const uint64_t format = PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        static const uint64_t words[] = { 500, 1000, 1000, 21 };
        const PerfSample s = { .read = words, .n_read = ELEMENTSOF(words) }, none = {};
        _cleanup_(sample_counters_done) SampleCounters c = {};
        uint64_t value;
        size_t counter;

        init(&c, PERF_SAMPLE_READ, format);
        ck_assert_uint_eq(sample_counters_values(&s, format), 1);
        ck_assert(sample_counters_value(&c, &s, format, 0, &counter, &value));
        ck_assert(c.counters[counter].event == 1 && value == 500);
        ck_assert_uint_eq(sample_counters_values(&none, format), 0);
        ck_assert_uint_eq(sample_counters_values(&s, PERF_FORMAT_LOST), 0);
}
END_TEST

START_TEST(of_others) {
        _cleanup_(sample_counters_done) SampleCounters c = {};

        init(&c, PERF_SAMPLE_TIME, GROUP_FORMAT);
        ck_assert_uint_eq(c.n, 0);
        init(&c, PERF_SAMPLE_READ, PERF_FORMAT_GROUP);
        ck_assert_uint_eq(c.n, 0);
}
END_TEST

TEST_RUN("sample-counters", of_groups, of_single_events, of_others);
