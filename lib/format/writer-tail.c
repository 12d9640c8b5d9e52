/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The end of a file: a table of sections, one per feature in the order of their numbers, the features themselves, and the
 * header at the front, which makes them count. A feature that finds no room is left out, the largest first. */

#include "writer-shape.h"

/* The tail: a section per feature, in the order of their numbers, then the features. */
typedef struct Tail {
        PerfFileSection sections[64];
        struct iovec segments[65];
        unsigned n;
        uint64_t size;
} Tail;

static void tail_build(Tail *t, PerfFileHeader *h, const FeatureTable *features, uint64_t left_out) {
        uint64_t offset;

        t->n = 0;
        for (unsigned i = 1; features && i < 64; i++) {
                const void *data;
                size_t size;

                if (left_out >> i & 1 || !feature_table_get(features, i, &data, &size))
                        continue;
                perf_data_header_set_feature(h, i);
                t->sections[t->n].size = size;
                t->segments[++t->n] = (struct iovec) { .iov_base = (void *) data, .iov_len = size };
        }
        t->segments[0] = (struct iovec) { .iov_base = t->sections, .iov_len = t->n * sizeof(*t->sections) };
        offset = h->data.offset + h->data.size + t->segments[0].iov_len;
        for (unsigned i = 0; i < t->n; i++) {
                t->sections[i].offset = offset;
                offset += t->sections[i].size;
        }
        t->size = offset - (h->data.offset + h->data.size);
}

static int write_tail(PerfDataWriter *w, const FeatureTable *features, uint64_t left_out) {
        struct iovec front;
        PerfFileHeader h = w->header;
        Tail t = {};
        int r;

        h.data.size = w->end - h.data.offset;
        tail_build(&t, &h, features, left_out);
        r = writer_file_reserve(w, w->end + t.size, false);
        if (r < 0)
                return r;
        r = writer_file_write(w, w->end, t.segments, t.n + 1);
        if (r < 0)
                return r;
        front = (struct iovec) { .iov_base = &h, .iov_len = sizeof(h) };
        r = writer_file_write(w, 0, &front, 1);
        if (r < 0)
                return r;
        w->file_size = w->end + t.size;
        return 0;
}

static unsigned largest_feature(const FeatureTable *features, uint64_t left_out) {
        unsigned largest = 0;
        size_t largest_size = 0;

        for (unsigned i = 1; features && i < 64; i++) {
                const void *data;
                size_t size;

                if (!(left_out >> i & 1) && feature_table_get(features, i, &data, &size) && size > largest_size) {
                        largest = i;
                        largest_size = size;
                }
        }
        return largest;
}

int writer_file_put_tail(PerfDataWriter *w, const FeatureTable *features, uint64_t *left_out) {
        for (;;) {
                int r = write_tail(w, features, *left_out);
                unsigned largest;

                if (r != -ENOSPC && r != -EDQUOT && r != -EFBIG)
                        return r;
                largest = largest_feature(features, *left_out);
                if (largest == 0)
                        return r;
                *left_out |= UINT64_C(1) << largest;
        }
}
