/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-incident.h"

#include <inttypes.h>
#include <perf-recorder/dump-facts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/xattr.h>

#include "parse-time.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CGROUP)
#define FIRST_GROUP 20u
#define BINARY_SIZE UINT64_C(0x10000)
#define WALL (UINT64_C(1700000000) * NSEC_PER_SEC) /* the time of day at which the clock is 0 */

static void put_incident_sample(RecordBuffer *b, const MadeIncident *x, const MadeLoad *l, uint64_t time) {
        const struct perf_event_header header = {
                .type = PERF_RECORD_SAMPLE, .misc = l ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL, .size = 48,
        };
        uint32_t pid = l ? l->pid : 0;

        byte_buffer_put(b, &header, sizeof(header));
        byte_buffer_put_u64(b, l ? 0x400000 + l->binary * BINARY_SIZE + 0x10 : UINT64_C(0xffffffff81000100));
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u64(b, time);
        byte_buffer_put_u64(b, MADE_INCIDENT_STEP);
        byte_buffer_put_u64(b, l ? FIRST_GROUP + (uint64_t) (l - x->loads) : 1);
}

static void put_incident_loads(RecordBuffer *b, const MadeIncident *x) {
        const RecordTrailer trailer = { .sample_type = SAMPLE_TYPE };

        for (const MadeLoad *l = x->loads; l < x->loads + x->n; l++) {
                char path[64];
                RecordMap map = {
                        .pid = l->pid, .tid = l->pid, .start = 0x400000 + l->binary * BINARY_SIZE, .length = BINARY_SIZE, .path = path,
                        .misc = PERF_RECORD_MISC_USER, .protection = 5, .flags = 2,
                };

                (void) snprintf(path, sizeof(path), "/nowhere/f%u.so", l->binary);
                ck_assert_ok(record_put_comm(b, l->pid, l->pid, l->comm, 0, &trailer));
                ck_assert_ok(record_put_mmap2(b, &map, &trailer));
                (void) snprintf(path, sizeof(path), "/system.slice/%s", l->unit);
                ck_assert_ok(record_put_cgroup(b, FIRST_GROUP + (uint64_t) (l - x->loads), path, &trailer));
        }
}

static const MadeLoad *draw_load(const MadeIncident *x, bool incident, unsigned *seed) {
        double at = rand_r(seed) / (RAND_MAX + 1.0);

        for (const MadeLoad *l = x->loads; l < x->loads + x->n; l++) {
                at -= incident ? l->incident : l->usual;
                if (at < 0)
                        return l;
        }
        return NULL;
}

static void set_incident_fact(const char *path, const char *name, const char *value) {
        if (setxattr(path, name, value, strlen(value), 0) < 0)
                exit(TEST_SKIPPED);
}

static void write_incident(const char *path, const RecordBuffer *b) {
        static const uint64_t clock[] = { UINT64_C(1) << 32 | 1, WALL, 0 };
        const PerfDataEvent event = {
                .attr = {
                        .size = sizeof(event.attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
                        .sample_period = MADE_INCIDENT_STEP, .sample_type = SAMPLE_TYPE, .sample_id_all = 1, .comm = 1, .mmap2 = 1,
                },
                .name = (char *) "cpu-clock",
        };
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;

        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_put(features, PERF_FEATURE_CLOCK_DATA, clock, sizeof(clock)));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
}

uint64_t made_incident(const char *path, const MadeIncident *x, unsigned *seed) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint64_t begin = x->begin > 0 ? x->begin : NSEC_PER_SEC, trigger = begin + x->seconds * NSEC_PER_SEC;
        char triggered[32];

        put_incident_loads(&b, x);
        for (uint64_t t = begin; t < trigger + x->after * NSEC_PER_SEC; t += MADE_INCIDENT_STEP)
                put_incident_sample(&b, x, draw_load(x, t >= trigger - x->incident * NSEC_PER_SEC, seed), t);
        write_incident(path, &b);
        (void) snprintf(triggered, sizeof(triggered), "%" PRIu64, (WALL + trigger) / NSEC_PER_USEC);
        set_incident_fact(path, PR_DUMP_XATTR_TIMESTAMP, triggered);
        set_incident_fact(path, PR_DUMP_XATTR_TRIGGER, PR_TRIGGER_CPU_PRESSURE);
        set_incident_fact(path, PR_DUMP_XATTR_SESSION, "all");
        set_incident_fact(path, PR_DUMP_XATTR_BOOT, "0123");
        return trigger;
}
