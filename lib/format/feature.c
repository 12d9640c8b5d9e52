/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of features: a block of bytes for each number. It does not know the content of a block, and does not write
 * files. An empty block is not the same as a missing one, since the header has a bit for each block. */

#include "feature.h"

#define FEATURE_SLOTS 64u /* the first word of the header's bits; perf 6.1 knows 31 */

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
