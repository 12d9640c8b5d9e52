/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records as they lie in memory, on their way to the file: while they are in the processor's cache, so that nobody has to
 * read the file again to know what it needs. The end of a ring may split a record, though never its header. */

#include "dso-hits.h"
#include "record.h"

#define RECORD_MAX 65536u /* bytes: perf_event_header.size has 16 bits */

/* Feeds the whole records of a block; *ret_used is where the last one ends. */
static int feed_block(DsoHits *h, const uint8_t *data, size_t size, size_t *ret_used) {
        const struct perf_event_header *record;
        size_t cursor = 0;

        while (record_next(data, size, &cursor, &record) == 1) {
                int r = dso_hits_feed(h, record, record->size);

                if (r < 0)
                        return r;
        }
        *ret_used = cursor;
        return 0;
}

/* The record whose first size bytes end one segment; the rest of it begins the next one. */
static int feed_split(DsoHits *h, const uint8_t *first, size_t size, const struct iovec *next, size_t *ret_rest) {
        _Alignas(struct perf_event_header) uint8_t record[RECORD_MAX];
        struct perf_event_header header;
        size_t rest;

        if (size < sizeof(header))
                return -EBADMSG;
        memcpy(&header, first, sizeof(header));
        if (header.size <= size || !next || header.size - size > next->iov_len)
                return -EBADMSG;
        rest = header.size - size;
        memcpy(record, first, size);
        memcpy(record + size, next->iov_base, rest);
        *ret_rest = rest;
        return dso_hits_feed(h, (const void *) record, header.size);
}

int dso_hits_feed_segments(DsoHits *h, const struct iovec *segments, size_t n_segments) {
        size_t begin = 0;

        for (size_t i = 0; i < n_segments; i++) {
                const uint8_t *data = segments[i].iov_base;
                size_t size = segments[i].iov_len - begin, used;
                int r = feed_block(h, data + begin, size, &used);

                if (r < 0)
                        return r;
                used += begin;
                begin = 0;
                if (used < segments[i].iov_len)
                        r = feed_split(h, data + used, segments[i].iov_len - used,
                                       i + 1 < n_segments ? segments + i + 1 : NULL, &begin);
                if (r < 0)
                        return r;
        }
        return 0;
}
