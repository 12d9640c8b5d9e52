/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Builders of the records in which a stream says what a file says in its header, as perf 6.1 sends them. A feature's bytes
 * are not padded: some readers tell by the length what is in them. What follows one is not aligned, then. */

#include "record-frame.h"

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
