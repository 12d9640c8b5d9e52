/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The features of a merged recording. Machine and command line are the first recording's; the formats of tracepoints
 * are those of the recording with the most; build ids and BPF programs come from all. Features about compression are
 * left out. */

#include "merge-parts.h"

/* Returns true for features that are made for the merged file, or have no meaning in it. */
static bool is_left(unsigned feature, bool same_events) {
        switch (feature) {
        case PERF_FEATURE_BUILD_ID:
        case PERF_FEATURE_EVENT_DESC:
        case PERF_FEATURE_AUXTRACE:
        case PERF_FEATURE_STAT:
        case PERF_FEATURE_SAMPLE_TIME:
        case PERF_FEATURE_DIR_FORMAT:
        case PERF_FEATURE_BPF_PROG_INFO:
        case PERF_FEATURE_BPF_BTF:
        case PERF_FEATURE_COMPRESSED:
                return true;
        case PERF_FEATURE_GROUP_DESC: /* names events by number */
                return !same_events;
        default:
                return false;
        }
}

/* Copies the first recording's features, and from the others those that it lacks. */
static int copy_features(FeatureTable *t, PerfDataReader *const *readers, size_t n, bool same_events) {
        int r = 0;

        for (unsigned f = 1; f < _PERF_FEATURE_MAX; f++)
                for (size_t i = 0; i < n && r >= 0 && !is_left(f, same_events); i++) {
                        const void *data;
                        size_t size;

                        if (!feature_table_get(t, f, &data, &size) && perf_data_reader_feature(readers[i], f, &data, &size) >= 0)
                                r = feature_table_put(t, f, data, size);
                }
        return r;
}

/* Copies the longest description of tracepoints: of the same kernel, it has those of the shorter ones too. */
static int choose_tracing_data(FeatureTable *t, PerfDataReader *const *readers, size_t n) {
        const void *data;
        size_t size, most = 0;
        int r = 0;

        for (size_t i = 0; i < n && r >= 0; i++)
                if (perf_data_reader_feature(readers[i], PERF_FEATURE_TRACING_DATA, &data, &size) >= 0 && size > most) {
                        most = size;
                        r = feature_table_put(t, PERF_FEATURE_TRACING_DATA, data, size);
                }
        return r;
}

static void put_build_id(ByteBuffer *b, const BuildIdEntry *e) {
        size_t n = strlen(e->path), padded = PERF_ALIGN_UP(n + 1, PERF_FILE_NAME_ALIGN);
        PerfBuildIdEntry entry = {
                .header = { .misc = e->cpumode | PERF_BUILD_ID_HAS_SIZE, .size = (uint16_t) (sizeof(entry) + padded) },
                .pid = e->pid,
                .size = e->id.size,
        };
        char *path;

        memcpy(entry.id, e->id.bytes, sizeof(entry.id));
        byte_buffer_put(b, &entry, sizeof(entry));
        path = byte_buffer_extend(b, padded);
        if (path)
                memcpy(path, e->path, n);
}

static int add_build_ids(FeatureTable *t, PerfDataReader *const *readers, size_t n) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_(record_set_done) RecordSet seen = {};

        for (size_t i = 0; i < n; i++) {
                size_t cursor = 0, start;
                BuildIdEntry e;
                int r;

                /* a broken table is as good as its end */
                while (start = b.size, perf_data_reader_next_build_id(readers[i], &cursor, &e) > 0) {
                        if (strlen(e.path) >= UINT16_MAX - 2 * PERF_FILE_NAME_ALIGN)
                                continue;
                        put_build_id(&b, &e);
                        if (b.error < 0)
                                return b.error;
                        r = record_set_put(&seen, b.data + start, b.size - start);
                        if (r < 0)
                                return r;
                        if (r == 0)
                                b.size = start;
                }
        }
        return feature_table_take(t, PERF_FEATURE_BUILD_ID, &b);
}

/* Returns the bytes of the BPF program or type at p, from the lengths at its beginning; 0: it does not fit. */
static size_t bpf_entry_size(unsigned feature, const uint8_t *p, size_t left) {
        uint32_t words[2];
        uint64_t size;

        if (left < sizeof(words) + sizeof(uint64_t) * (feature == PERF_FEATURE_BPF_PROG_INFO))
                return 0;
        memcpy(words, p, sizeof(words));
        /* a program: lengths of the description and of its arrays, a mask; a type: its number and length */
        size = feature == PERF_FEATURE_BPF_PROG_INFO ? 16 + (uint64_t) words[0] + words[1] : 8 + (uint64_t) words[1];
        return size <= left ? (size_t) size : 0;
}

static int add_bpf(FeatureTable *t, PerfDataReader *const *readers, size_t n, unsigned feature) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_(record_set_done) RecordSet seen = {};
        bool any = false;
        uint32_t count = 0;

        byte_buffer_put_u32(&b, 0);
        for (size_t i = 0; i < n; i++) {
                const void *data;
                size_t size, entry;

                if (perf_data_reader_feature(readers[i], feature, &data, &size) < 0)
                        continue;
                any = true;
                for (size_t at = sizeof(uint32_t); at < size; at += entry) {
                        int r;

                        entry = bpf_entry_size(feature, (const uint8_t *) data + at, size - at);
                        if (entry == 0)
                                break;
                        r = record_set_put(&seen, (const uint8_t *) data + at, entry);
                        if (r < 0)
                                return r;
                        if (r == 0)
                                continue;
                        byte_buffer_put(&b, (const uint8_t *) data + at, entry);
                        count++;
                }
        }
        if (!any || b.error < 0)
                return b.error;
        byte_buffer_set_u32(&b, 0, count);
        return feature_table_take(t, feature, &b);
}

int merge_features(PerfDataReader *const *readers, size_t n, const MergedEvents *events, uint64_t first, uint64_t last,
                   FeatureTable **ret) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        int r = feature_table_new(&t);

        if (r >= 0)
                r = copy_features(t, readers, n, events->same);
        if (r >= 0)
                r = choose_tracing_data(t, readers, n);
        if (r >= 0)
                r = feature_table_add_events(t, events->events, events->n);
        if (r >= 0)
                r = add_build_ids(t, readers, n);
        if (r >= 0)
                r = add_bpf(t, readers, n, PERF_FEATURE_BPF_PROG_INFO);
        if (r >= 0)
                r = add_bpf(t, readers, n, PERF_FEATURE_BPF_BTF);
        if (r >= 0 && last > 0)
                r = feature_table_add_sample_time(t, first, last);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}
