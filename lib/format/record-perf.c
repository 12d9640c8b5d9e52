/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Builders of the records that only perf writes (types from 64 on). Layouts: perf.data-file-format.txt of Linux 6.1 and
 * files of perf 6.1. They have no trailer. */

#include "record-frame.h"

#define THREAD_NAME_SIZE 16u
#define ID_INDEX_ENTRIES_MAX ((RECORD_SIZE_MAX - 16u) / sizeof(RecordIdIndexEntry))

enum { CPU_MAP_CPUS = 0, CPU_MAP_RANGE = 2 };
enum { EVENT_UPDATE_UNIT = 0, EVENT_UPDATE_SCALE = 1, EVENT_UPDATE_NAME = 2, EVENT_UPDATE_CPUS = 3 };

int record_put_thread_map(RecordBuffer *b, const RecordThread *threads, size_t n) {
        size_t start = record_begin(b, PERF_RECORD_THREAD_MAP, 0);

        byte_buffer_put_u64(b, n);
        for (size_t i = 0; i < n && b->size - start <= RECORD_SIZE_MAX; i++) {
                char name[THREAD_NAME_SIZE] = {};

                if (threads[i].comm)
                        memcpy(name, threads[i].comm, strnlen(threads[i].comm, sizeof(name) - 1));
                byte_buffer_put_u64(b, (uint64_t) (int64_t) threads[i].tid);
                byte_buffer_put(b, name, sizeof(name));
        }
        return record_end(b, start, NULL);
}

static void put_u16(RecordBuffer *b, uint16_t v) {
        byte_buffer_put(b, &v, sizeof(v));
}

static bool is_range(const int *cpus, size_t n) {
        for (size_t i = 1; i < n; i++)
                if (cpus[i] != cpus[0] + (int) i)
                        return false;
        return n > 0 && cpus[0] >= 0;
}

/* Puts the CPUs as a range in 8 bytes if they are one, otherwise as a list, in which 65535 is any CPU. */
static void put_cpus(RecordBuffer *b, const int *cpus, size_t n) {
        static const int any = -1;

        if (is_range(cpus, n)) {
                put_u16(b, CPU_MAP_RANGE);
                put_u16(b, 0);
                put_u16(b, (uint16_t) cpus[0]);
                put_u16(b, (uint16_t) cpus[n - 1]);
                return;
        }
        if (n == 0) {
                cpus = &any;
                n = 1;
        }
        put_u16(b, CPU_MAP_CPUS);
        put_u16(b, (uint16_t) MIN_OF(n, (size_t) UINT16_MAX));
        for (size_t i = 0; i < n && i < UINT16_MAX; i++)
                put_u16(b, (uint16_t) cpus[i]);
        while (!b->error && b->size % sizeof(uint64_t) != 0)
                put_u16(b, 0);
}

int record_put_cpu_map(RecordBuffer *b, const int *cpus, size_t n) {
        size_t start = record_begin(b, PERF_RECORD_CPU_MAP, 0);

        put_cpus(b, cpus, n);
        return record_end(b, start, NULL);
}

static size_t begin_update(RecordBuffer *b, uint64_t id, uint64_t kind) {
        size_t start = record_begin(b, PERF_RECORD_EVENT_UPDATE, 0);

        byte_buffer_put_u64(b, kind);
        byte_buffer_put_u64(b, id);
        return start;
}

int record_put_event_name(RecordBuffer *b, uint64_t id, const char *name) {
        size_t start = begin_update(b, id, EVENT_UPDATE_NAME);

        record_put_text(b, name, RECORD_SIZE_MAX);
        return record_end(b, start, NULL);
}

int record_put_event_unit(RecordBuffer *b, uint64_t id, const char *unit) {
        size_t start = begin_update(b, id, EVENT_UPDATE_UNIT);

        record_put_text(b, unit, RECORD_SIZE_MAX);
        return record_end(b, start, NULL);
}

int record_put_event_scale(RecordBuffer *b, uint64_t id, double scale) {
        size_t start = begin_update(b, id, EVENT_UPDATE_SCALE);

        byte_buffer_put(b, &scale, sizeof(scale));
        return record_end(b, start, NULL);
}

int record_put_event_cpus(RecordBuffer *b, uint64_t id, const int *cpus, size_t n) {
        size_t start = begin_update(b, id, EVENT_UPDATE_CPUS);

        put_cpus(b, cpus, n);
        return record_end(b, start, NULL);
}

int record_put_id_index(RecordBuffer *b, const RecordIdIndexEntry *entries, size_t n) {
        size_t first = b->size;

        while (n > 0) {
                size_t part = MIN_OF(n, ID_INDEX_ENTRIES_MAX), start = record_begin(b, PERF_RECORD_ID_INDEX, 0);
                int r;

                byte_buffer_put_u64(b, part);
                byte_buffer_put(b, entries, part * sizeof(*entries));
                r = record_end(b, start, NULL);
                if (r < 0) {
                        b->size = first;
                        return r;
                }
                entries += part;
                n -= part;
        }
        return 0;
}

int record_put_time_conversion(RecordBuffer *b, const RecordTimeConversion *c) {
        size_t start = record_begin(b, PERF_RECORD_TIME_CONV, 0);
        uint8_t capabilities[8] = { c->cap_user_time_zero, c->cap_user_time_short };

        byte_buffer_put_u64(b, c->shift);
        byte_buffer_put_u64(b, c->mult);
        byte_buffer_put_u64(b, c->zero);
        byte_buffer_put_u64(b, c->cycles);
        byte_buffer_put_u64(b, c->mask);
        byte_buffer_put(b, capabilities, sizeof(capabilities));
        return record_end(b, start, NULL);
}

int record_put_finished_round(RecordBuffer *b) {
        return record_end(b, record_begin(b, PERF_RECORD_FINISHED_ROUND, 0), NULL);
}

int record_put_finished_init(RecordBuffer *b) {
        return record_end(b, record_begin(b, PERF_RECORD_FINISHED_INIT, 0), NULL);
}

/* The records of a stream in place of a header, as perf 6.1 sends them. A feature's bytes are not padded, since some
 * readers use their number; so the record after it may not be aligned. */

int record_put_attr(RecordBuffer *b, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_ATTR, 0);
        struct perf_event_attr a = *attr;

        a.size = sizeof(a);
        byte_buffer_put(b, &a, sizeof(a));
        byte_buffer_put(b, ids, n_ids * sizeof(uint64_t));
        return record_end(b, start, NULL);
}

int record_put_feature(RecordBuffer *b, unsigned feature, const void *data, size_t size) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_FEATURE, 0);

        byte_buffer_put_u64(b, feature);
        byte_buffer_put(b, data, size);
        return record_end(b, start, NULL);
}

int record_put_tracing_data(RecordBuffer *b, const void *data, size_t size) {
        size_t start = record_begin(b, PERF_RECORD_HEADER_TRACING_DATA, 0), padded = PERF_ALIGN_UP(size, sizeof(uint64_t));
        int r;

        byte_buffer_put_u32(b, (uint32_t) padded);
        r = record_end(b, start, NULL);
        if (r < 0)
                return r;
        byte_buffer_put(b, data, size);
        (void) byte_buffer_extend(b, padded - size);
        if (b->error) {
                r = b->error;
                b->size = start;
                b->error = 0;
        }
        return r;
}
