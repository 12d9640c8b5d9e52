/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of features: a block of bytes for each number. It does not write files. An empty block is not the same as a
 * missing one, since the header has a bit for each block.
 *
 * The table knows the content only of blocks that describe the recording itself, from the caller's facts. Their layouts are
 * those of files of perf 6.1 and of perf.data-file-format.txt; if the two differ (CLOCK_DATA is not in the document), the files
 * count. */

#include "array.h"
#include "feature.h"

#define FEATURE_SLOTS 64u /* the first word of the header's bits; perf 6.1 knows 31 */
#define CLOCK_DATA_VERSION 1u
#define COMPRESSED_VERSION 1u
#define COMPRESSED_ZSTD 1u

struct FeatureTable {
        struct {
                void *data;
                size_t size;
                bool present;
        } features[FEATURE_SLOTS];
};

int feature_table_new(FeatureTable **ret) {
        FeatureTable *t = calloc(1, sizeof(*t));

        if (!t)
                return -ENOMEM;
        *ret = t;
        return 0;
}

FeatureTable *feature_table_free(FeatureTable *t) {
        if (!t)
                return NULL;
        for (unsigned i = 0; i < FEATURE_SLOTS; i++)
                free(t->features[i].data);
        free(t);
        return NULL;
}

int feature_table_take(FeatureTable *t, unsigned feature, ByteBuffer *b) {
        int r = feature < 1 || feature >= FEATURE_SLOTS ? -EINVAL : b->error;

        if (r < 0) {
                byte_buffer_done(b);
                return r;
        }
        free(t->features[feature].data);
        t->features[feature].size = b->size;
        t->features[feature].data = steal_ptr(b->data);
        t->features[feature].present = true;
        byte_buffer_done(b);
        return 0;
}

int feature_table_put(FeatureTable *t, unsigned feature, const void *data, size_t size) {
        ByteBuffer b = {};

        byte_buffer_put(&b, data, size);
        return feature_table_take(t, feature, &b);
}

bool feature_table_get(const FeatureTable *t, unsigned feature, const void **ret_data, size_t *ret_size) {
        if (feature >= FEATURE_SLOTS || !t->features[feature].present)
                return false;
        *ret_data = t->features[feature].data;
        *ret_size = t->features[feature].size;
        return true;
}

size_t feature_table_size(const FeatureTable *t) {
        size_t size = 0;

        for (unsigned i = 0; i < FEATURE_SLOTS; i++)
                if (t->features[i].present)
                        size += sizeof(PerfFileSection) + t->features[i].size;
        return size;
}

int feature_table_add_version(FeatureTable *t, const char *version) {
        ByteBuffer b = {};

        byte_buffer_put_string(&b, version);
        return feature_table_take(t, PERF_FEATURE_VERSION, &b);
}

int feature_table_add_command_line(FeatureTable *t, char *const *argv) {
        ByteBuffer b = {};
        uint32_t n = 0;

        byte_buffer_put_u32(&b, 0);
        for (; argv && argv[n]; n++)
                byte_buffer_put_string(&b, argv[n]);
        byte_buffer_set_u32(&b, 0, n);
        return feature_table_take(t, PERF_FEATURE_CMDLINE, &b);
}

static int add_event_descriptions(FeatureTable *t, const PerfDataEvent *events, size_t n_events) {
        ByteBuffer b = {};

        byte_buffer_put_u32(&b, (uint32_t) n_events);
        byte_buffer_put_u32(&b, sizeof(struct perf_event_attr));
        for (size_t i = 0; i < n_events; i++) {
                struct perf_event_attr attr = events[i].attr;

                attr.size = sizeof(attr);
                byte_buffer_put(&b, &attr, sizeof(attr));
                byte_buffer_put_u32(&b, (uint32_t) events[i].n_ids);
                byte_buffer_put_string(&b, events[i].name ?: "");
                byte_buffer_put(&b, events[i].ids, events[i].n_ids * sizeof(uint64_t));
        }
        return feature_table_take(t, PERF_FEATURE_EVENT_DESC, &b);
}

static int add_groups(FeatureTable *t, const PerfDataEvent *events, size_t n_events) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        uint32_t n = 0;

        byte_buffer_put_u32(&b, 0);
        for (size_t i = 0; i < n_events; i++) {
                if (events[i].group_members < 2)
                        continue;
                byte_buffer_put_string(&b, events[i].group_name ?: "{anon_group}");
                byte_buffer_put_u32(&b, (uint32_t) i);
                byte_buffer_put_u32(&b, events[i].group_members);
                n++;
        }
        if (n == 0)
                return b.error;
        byte_buffer_set_u32(&b, 0, n);
        return feature_table_take(t, PERF_FEATURE_GROUP_DESC, &b);
}

int feature_table_add_events(FeatureTable *t, const PerfDataEvent *events, size_t n_events) {
        int r = add_event_descriptions(t, events, n_events);

        if (r < 0)
                return r;
        r = add_groups(t, events, n_events);
        if (r >= 0 && ANY_OF(n_events, i, events[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK))
                r = feature_table_put(t, PERF_FEATURE_BRANCH_STACK, NULL, 0);
        return r;
}

int feature_table_add_sample_time(FeatureTable *t, uint64_t first, uint64_t last) {
        uint64_t times[2] = { first, last };

        return feature_table_put(t, PERF_FEATURE_SAMPLE_TIME, times, sizeof(times));
}

int feature_table_add_compressed(FeatureTable *t, int level, unsigned ratio, unsigned read_size) {
        const uint32_t words[] = { COMPRESSED_VERSION, COMPRESSED_ZSTD, (uint32_t) level, ratio, read_size };

        return feature_table_put(t, PERF_FEATURE_COMPRESSED, words, sizeof(words));
}

static uint64_t nanoseconds(const struct timespec *ts) {
        return (uint64_t) ts->tv_sec * UINT64_C(1000000000) + (uint64_t) ts->tv_nsec;
}

int feature_table_add_clock_data(FeatureTable *t, uint32_t clock, uint64_t wall, uint64_t time) {
        ByteBuffer b = {};

        byte_buffer_put_u32(&b, CLOCK_DATA_VERSION);
        byte_buffer_put_u32(&b, clock);
        byte_buffer_put_u64(&b, wall);
        byte_buffer_put_u64(&b, time);
        return feature_table_take(t, PERF_FEATURE_CLOCK_DATA, &b);
}

int feature_table_add_clock(FeatureTable *t, clockid_t clock) {
        struct timespec resolution, wall, now;
        ByteBuffer b = {};
        int r;

        if (clock_getres(clock, &resolution) < 0 || clock_gettime(clock, &now) < 0 ||
            clock_gettime(CLOCK_REALTIME, &wall) < 0)
                return -errno;
        byte_buffer_put_u64(&b, nanoseconds(&resolution));
        r = feature_table_take(t, PERF_FEATURE_CLOCKID, &b);
        if (r < 0)
                return r;
        return feature_table_add_clock_data(t, (uint32_t) clock, nanoseconds(&wall), nanoseconds(&now));
}
