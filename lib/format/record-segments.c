/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records as they lie in memory, on their way to the file. The end of a ring may split a record, though never its
 * header. */

#include "record-segments.h"

#include "record.h"

#define RECORD_MAX 65536u /* bytes: perf_event_header.size has 16 bits */

typedef struct Visit {
        RecordVisitor visit;
        void *userdata;
} Visit;

/* The whole records of a block; *ret_used is where the last one ends. */
static int visit_block(const Visit *v, const uint8_t *data, size_t size, size_t *ret_used) {
        const struct perf_event_header *record;
        size_t cursor = 0;

        while (record_next(data, size, &cursor, &record) == 1) {
                int r = v->visit(v->userdata, record);

                if (r < 0)
                        return r;
        }
        *ret_used = cursor;
        return 0;
}

/* The record whose first size bytes end one segment; the rest of it begins the next one. */
static int visit_split(const Visit *v, const uint8_t *first, size_t size, const struct iovec *next, size_t *ret_rest) {
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
        return v->visit(v->userdata, (const void *) record);
}

int record_segments_each(const struct iovec *segments, size_t n_segments, RecordVisitor visit, void *userdata) {
        const Visit v = { .visit = visit, .userdata = userdata };
        size_t begin = 0;

        for (size_t i = 0; i < n_segments; i++) {
                const uint8_t *data = segments[i].iov_base;
                size_t size = segments[i].iov_len - begin, used;
                int r;

                if (segments[i].iov_len == 0) /* which may have no address */
                        continue;
                r = visit_block(&v, data + begin, size, &used);
                if (r < 0)
                        return r;
                used += begin;
                begin = 0;
                if (used < segments[i].iov_len)
                        r = visit_split(&v, data + used, segments[i].iov_len - used,
                                        i + 1 < n_segments ? segments + i + 1 : NULL, &begin);
                if (r < 0)
                        return r;
        }
        return 0;
}
