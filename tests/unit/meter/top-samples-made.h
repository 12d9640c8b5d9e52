/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "check-main.h"
#include "record.h"
#include "top-samples.h"

/* Samples of an event that is never opened, for the tests of top. */

#define MADE_FIELDS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

static const SetMember made_member = {
        .name = (char *) "cpu-clock",
        .attr = { .size = sizeof(struct perf_event_attr), .type = PERF_TYPE_SOFTWARE, .sample_type = MADE_FIELDS, .sample_id_all = 1,
                  .freq = 1, .sample_freq = 99 },
};

static inline void made_take(TopSamples *s, const void *record) {
        ck_assert_int_eq(top_samples_take(s, record, &made_member.attr, 0), 0);
}

static inline void made_take_sample_at(TopSamples *s, uint32_t pid, uint64_t ip, uint16_t mode, uint64_t period, uint64_t time) {
        struct __attribute__((packed)) {
                struct perf_event_header header;
                uint64_t id, ip;
                uint32_t pid, tid;
                uint64_t time, period;
        } sample = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = mode, .size = sizeof(sample) }, .id = 1, .ip = ip, .pid = pid, .tid = pid,
                .time = time, .period = period,
        };

        made_take(s, &sample);
}

static inline void made_take_sample(TopSamples *s, uint32_t pid, uint64_t ip, uint16_t mode, uint64_t period) {
        static uint64_t time;

        made_take_sample_at(s, pid, ip, mode, period, ++time);
}
