/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* A walk over the bytes of a feature. A value that is not there in whole is NULL or false, and the walk stays where it was. */
typedef struct FeatureCursor {
        const uint8_t *p;
        size_t left;
} FeatureCursor;

/* 0, -ENODATA (the recording has no such feature). */
static inline int feature_cursor_init(FeatureCursor *c, const PerfDataReader *r, unsigned feature) {
        const void *p;
        size_t size;
        int q = perf_data_reader_feature(r, feature, &p, &size);

        if (q >= 0)
                *c = (FeatureCursor) { .p = p, .left = size };
        return q;
}

static inline const void *feature_cursor_take(FeatureCursor *c, uint64_t n) {
        const uint8_t *p = c->p;

        if (n > c->left)
                return NULL;
        c->p += n;
        c->left -= n;
        return p;
}

static inline bool feature_cursor_u32(FeatureCursor *c, uint32_t *ret) {
        const void *p = feature_cursor_take(c, sizeof(*ret));

        if (p)
                memcpy(ret, p, sizeof(*ret));
        return p;
}

static inline bool feature_cursor_u64(FeatureCursor *c, uint64_t *ret) {
        const void *p = feature_cursor_take(c, sizeof(*ret));

        if (p)
                memcpy(ret, p, sizeof(*ret));
        return p;
}

/* A string and the padding behind it. */
static inline const char *feature_cursor_string(FeatureCursor *c) {
        FeatureCursor before = *c;
        const char *s;
        uint32_t n;

        s = feature_cursor_u32(c, &n) ? feature_cursor_take(c, n) : NULL;
        if (s && memchr(s, 0, n))
                return s;
        *c = before;
        return NULL;
}
