/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is inside the fields that sample_parse() found: counts of a READ, parts of a weight. The layouts are those of
 * struct read_format and union perf_sample_weight in linux/perf_event.h. The fields were checked for their size when
 * they were found. */

#include "sample.h"

static size_t words_of_count(uint64_t format) {
        return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

/* A group says first how many and how long; one event says how long between its value and its id. */
size_t sample_counts(const PerfSample *s, uint64_t format, uint64_t *ret_enabled, uint64_t *ret_running) {
        const uint64_t *times = s->read ? s->read + 1 : NULL;

        *ret_enabled = *ret_running = 0;
        if (!times)
                return 0;
        if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
                *ret_enabled = *times++;
        if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
                *ret_running = *times++;
        return format & PERF_FORMAT_GROUP ? s->read[0] : 1;
}

PerfSampleCount sample_count_at(const PerfSample *s, uint64_t format, size_t i) {
        size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
        const uint64_t *p = s->read, *rest;
        PerfSampleCount c;

        if (format & PERF_FORMAT_GROUP) {
                p += 1 + times + i * words_of_count(format);
                rest = p + 1;
        } else {
                rest = p + 1 + times;
        }
        c = (PerfSampleCount) { .value = *p };
        if (format & PERF_FORMAT_ID)
                c.id = *rest++;
        if (format & PERF_FORMAT_LOST)
                c.lost = *rest;
        return c;
}

PerfSampleWeights sample_weights(const PerfSample *s) {
        if (!(s->sample_type & PERF_SAMPLE_WEIGHT_STRUCT))
                return (PerfSampleWeights) { .weight = s->weight };
        return (PerfSampleWeights) {
                .weight = s->weight & UINT32_MAX,
                .instruction_latency = (uint16_t) (s->weight >> 32),
                .third = (uint16_t) (s->weight >> 48),
        };
}
