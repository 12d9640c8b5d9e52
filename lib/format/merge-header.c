/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events and features of a merged recording.
 *
 * The events of all recordings are in one list. The kernel counts ids up since boot, so an id is one event; if it is two, the
 * recordings are of two boots, and times and processes can't be compared either. The id must be at the same place in all
 * records; records of no event, with id 0, end as those of the first event, so first events must be alike.
 *
 * Machine and command line are the first recording's; the formats of tracepoints are those of the recording with the most;
 * build ids and BPF programs come from all. Features about compression are left out. */

#include "array.h"
#include "merge-parts.h"
#include "record-set.h"

#define TRAILER_FIELDS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
                        PERF_SAMPLE_IDENTIFIER)
#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

static bool has_name(const PerfDataEvent *e) {
        return e->name && *e->name;
}

/* Ignores the attribute's size in the file, and the name if a file has none. */
static bool same_event(const PerfDataEvent *a, const PerfDataEvent *b) {
        struct perf_event_attr attr = a->attr;

        attr.size = b->attr.size;
        return memcmp(&attr, &b->attr, sizeof(attr)) == 0 && (!has_name(a) || !has_name(b) || streq(a->name, b->name));
}

/* Returns the first event like e that no other event of the same recording has taken. */
static PerfDataEvent *find(const MergedEvents *m, const PerfDataEvent *e, const bool *taken) {
        for (size_t i = 0; i < m->n; i++)
                if (!taken[i] && same_event(&m->events[i], e))
                        return &m->events[i];
        return NULL;
}

static int add_ids(PerfDataEvent *to, const PerfDataEvent *e) {
        size_t n = to->n_ids;
        uint64_t *ids = (uint64_t *) to->ids;

        if (ARRAY_RESIZE(ids, to->n_ids + e->n_ids + 1) < 0)
                return -ENOMEM;
        to->ids = ids;
        for (size_t i = 0; i < e->n_ids; i++)
                if (n == 0 || !ANY_OF(to->n_ids, k, to->ids[k] == e->ids[i]))
                        ids[to->n_ids++] = e->ids[i];
        return 0;
}

static int add_all(MergedEvents *m, const PerfDataEvent *events, size_t n) {
        _cleanup_free_ bool *taken = calloc(m->n + n + 1, sizeof(*taken));
        int r = 0;

        if (!taken)
                return -ENOMEM;
        for (size_t i = 0; i < n && r >= 0; i++) {
                PerfDataEvent *e = find(m, &events[i], taken);

                if (!e && ARRAY_RESERVE_NEXT(m->events, m->n) < 0)
                        return -ENOMEM;
                if (!e) {
                        e = &m->events[m->n++];
                        *e = (PerfDataEvent) { .attr = events[i].attr };
                }
                taken[e - m->events] = true;
                if (!has_name(e) && has_name(&events[i])) {
                        e->name = strdup(events[i].name);
                        r = e->name ? 0 : -ENOMEM;
                }
                if (r >= 0)
                        r = add_ids(e, &events[i]);
        }
        return r;
}

static uint64_t id_place(const struct perf_event_attr *attr) {
        if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
                return PERF_SAMPLE_IDENTIFIER;
        return attr->sample_type & PERF_SAMPLE_ID ? PERF_SAMPLE_ID | (attr->sample_type & BEFORE_ID) : 0;
}

static int compare_ids(const void *a, const void *b) {
        uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

        return x < y ? -1 : x > y;
}

/* Checks that no id is there twice. */
static int check_ids(const MergedEvents *m, Diagnosis *d) {
        _cleanup_free_ uint64_t *ids = NULL;
        size_t n = 0;

        for (size_t i = 0; i < m->n; i++)
                n += m->events[i].n_ids;
        ids = calloc(n + 1, sizeof(*ids));
        if (!ids)
                return -ENOMEM;
        n = 0;
        for (size_t i = 0; i < m->n; i++)
                for (size_t k = 0; k < m->events[i].n_ids; k++)
                        ids[n++] = m->events[i].ids[k];
        qsort(ids, n, sizeof(*ids), compare_ids);
        for (size_t i = 1; i < n; i++)
                if (ids[i] == ids[i - 1])
                        return diagnosis_set(d, -EOPNOTSUPP, "They are of different boots or machines, or count different events");
        return 0;
}

static int check(const MergedEvents *m, Diagnosis *d) {
        const struct perf_event_attr *first = &m->events[0].attr;

        for (size_t i = 1; i < m->n; i++) {
                const struct perf_event_attr *attr = &m->events[i].attr;

                if (attr->sample_id_all != first->sample_id_all || id_place(attr) != id_place(first) || id_place(attr) == 0)
                        return diagnosis_set(d, -EOPNOTSUPP, "Their events differ in what a sample says of itself");
        }
        return check_ids(m, d);
}

int merged_events_init(MergedEvents *m, PerfDataReader *const *readers, size_t n, Diagnosis *d) {
        size_t n_first = 0;
        int r = 0;

        *m = (MergedEvents) {};
        for (size_t i = 0; i < n && r >= 0; i++) {
                const PerfDataEvent *events;
                size_t n_events = perf_data_reader_events(readers[i], &events);

                if (i == 0)
                        n_first = n_events;
                r = add_all(m, events, n_events);
                if (r >= 0 && n_events > 0 && (events[0].attr.sample_type ^ m->events[0].attr.sample_type) & TRAILER_FIELDS)
                        r = diagnosis_set(d, -EOPNOTSUPP, "Their events differ in what a record says of itself");
        }
        m->same = m->n == n_first;
        if (r >= 0 && m->n == 0)
                r = diagnosis_set(d, -EOPNOTSUPP, "They have no events");
        if (r >= 0)
                r = check(m, d);
        if (r < 0)
                merged_events_done(m);
        return r;
}

void merged_events_done(MergedEvents *m) {
        for (size_t i = 0; i < m->n; i++) {
                free((char *) m->events[i].name);
                free((uint64_t *) m->events[i].ids);
        }
        free(m->events);
        *m = (MergedEvents) {};
}

/* Returns true for features that are made for the merged file, or have no meaning in it. */
static bool is_left(unsigned feature, bool same_events) {
        switch (feature) {
        case PERF_FEATURE_BUILD_ID:
        case PERF_FEATURE_EVENT_DESC:
        case PERF_FEATURE_AUXTRACE:
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
