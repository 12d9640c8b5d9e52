/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts and weights, from made-up fields. */

#include "perfdata-test.h"
#include "sample.h"

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

START_TEST(counts_of_one) {
        static const uint64_t words[] = { 10, 20, 30, 40, 50 };
        PerfSample s = { .read = words, .n_read = 5 }, none = {};
        uint64_t enabled, running;
        PerfSampleCount c;

        ck_assert_uint_eq(sample_counts(&none, TIMES, &enabled, &running), 0);
        ck_assert_uint_eq(sample_counts(&s, TIMES | PERF_FORMAT_ID | PERF_FORMAT_LOST, &enabled, &running), 1);
        ck_assert(enabled == 20 && running == 30);
        c = sample_count_at(&s, TIMES | PERF_FORMAT_ID | PERF_FORMAT_LOST, 0);
        ck_assert(c.value == 10 && c.id == 40 && c.lost == 50);
        c = sample_count_at(&s, PERF_FORMAT_LOST, 0);
        ck_assert(c.value == 10 && c.id == 0 && c.lost == 20);
}
END_TEST

START_TEST(counts_of_group) {
        static const uint64_t words[] = { 2, 20, /* members */ 10, 1, 11, 2 };
        PerfSample s = { .read = words, .n_read = 6 };
        uint64_t format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID, enabled, running;
        PerfSampleCount c;

        ck_assert_uint_eq(sample_counts(&s, format, &enabled, &running), 2);
        ck_assert(enabled == 0 && running == 20);
        c = sample_count_at(&s, format, 1);
        ck_assert(c.value == 11 && c.id == 2 && c.lost == 0);
}
END_TEST

START_TEST(weights) {
        PerfSample whole = { .sample_type = PERF_SAMPLE_WEIGHT, .weight = UINT64_C(0x0003000200000001) },
                   parts = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT, .weight = UINT64_C(0x0003000200000001) };
        PerfSampleWeights w = sample_weights(&whole);

        ck_assert(w.weight == whole.weight && w.instruction_latency == 0 && w.third == 0);
        w = sample_weights(&parts);
        ck_assert(w.weight == 1 && w.instruction_latency == 2 && w.third == 3);
}
END_TEST

TEST_RUN("sample-values", counts_of_one, counts_of_group, weights);
