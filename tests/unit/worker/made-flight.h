/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A flight recorder on a made recording, with the test's samples. */

#include "flight-samples.h"
#include "flight-sideband.h"
#include "made-recording.h"

typedef struct MadeFlight {
        Target target;
        PreambleOptions preamble;
        FlightSamples samples;
        MadeSample records[4]; /* the samples, newest first */
        size_t n_records;
        int mark_error, take_error;
        FlightWish wish;       /* of the last take */
        char announced[256];
        int settled;           /* -1: not yet; otherwise whether the file has its name */
        unsigned n_marks, n_takes;
        FlightCounts counts;   /* of all recorded samples */
} MadeFlight;

static MadeFlight flying = { .target = TARGET_EMPTY };

static inline int made_mark(void *userdata) {
        flying.n_marks++;
        return flying.mark_error;
}

static inline int made_take(void *userdata, const FlightWish *wish, FlightTaken *ret) {
        flying.wish = *wish;
        flying.n_takes++;
        if (flying.take_error < 0)
                return flying.take_error;
        *ret = (FlightTaken) { .pids = calloc(flying.n_records + 1, sizeof(uint32_t)) };
        for (size_t i = 0; i < flying.n_records; i++) {
                const MadeSample *s = &flying.records[i];

                if (s->time < flying.wish.from || (flying.wish.until > 0 && s->time > flying.wish.until))
                        continue;
                ret->samples++;
                ret->bytes += sizeof(MadeSample);
                ret->first = s->time;
                ret->last = MAX_OF(ret->last, s->time);
                if (ret->n_pids == 0 || ret->pids[ret->n_pids - 1] != s->pid)
                        ret->pids[ret->n_pids++] = s->pid;
        }
        return 0;
}

static inline int made_each(void *userdata, FlightRecords each, void *records_userdata) {
        struct iovec v = { .iov_base = flying.records, .iov_len = flying.n_records * sizeof(MadeSample) };

        return v.iov_len > 0 ? each(records_userdata, &v) : 0;
}

static inline void made_about_to_name(void *userdata, const char *name) {
        (void) snprintf(flying.announced, sizeof(flying.announced), "%s", name);
        flying.settled = -1;
}

static inline void made_settle(void *userdata, bool named) {
        flying.settled = named;
}

static inline void made_counts(void *userdata, FlightCounts *ret) {
        *ret = flying.counts;
}

static inline void made_flight_sample(uint32_t pid, uint64_t time) {
        flying.counts.samples++;
        flying.records[flying.n_records++] = (MadeSample) {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(MadeSample) },
                .ip = 0x1000, .pid = pid, .tid = pid, .time = time, .id = 100,
        };
}

/* The second ring is for the side band. */
static inline void made_flight_setup(void) {
        made_setup();
        made.rings[1].sideband = true;
        made.files.renewed = true;
        for (size_t m = 0; m < MADE_MEMBERS; m++)
                made.members[m].attr.exclude_kernel = true;
        flying.settled = -1;
        flying.preamble = (PreambleOptions) { .set = &made.set, .target = &flying.target, .root = made.dir };
        flying.samples = (FlightSamples) { .mark = made_mark, .take = made_take, .each = made_each,
                                           .about_to_name = made_about_to_name, .settle = made_settle,
                                           .count = made_counts };
}

static inline void made_sideband_comm(uint32_t pid, const char *name, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = MADE_SAMPLE_TYPE, .pid = pid, .tid = pid, .time = time, .id = 201 };
        RecordBuffer b = {};

        ck_assert_int_eq(record_put_comm(&b, pid, pid, name, 0, &trailer), 0);
        made_ring_put(1, b.data, b.size);
        record_buffer_done(&b);
}

static inline void made_sideband_exit(uint32_t pid, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = MADE_SAMPLE_TYPE, .pid = pid, .tid = pid, .time = time, .id = 201 };
        RecordBuffer b = {};

        ck_assert_int_eq(record_put_exit(&b, pid, 1, pid, 1, time, &trailer), 0);
        made_ring_put(1, b.data, b.size);
        record_buffer_done(&b);
}

static inline bool made_has_comm(const void *data, size_t size, const char *name) {
        const struct perf_event_header *h;
        size_t cursor = 0;

        while (record_next(data, size, &cursor, &h) > 0)
                if (h->type == PERF_RECORD_COMM && streq((const char *) h + 16, name))
                        return true;
        return false;
}
