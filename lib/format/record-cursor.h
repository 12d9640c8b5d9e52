/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"
#include "format.h"

/* A walk over whole records that follow each other in memory, in any number of segments, as a ring has two: a record may begin in
 * one and end in another. Segments are aligned to 8 bytes, as records are. */
typedef struct RecordCursor {
        const uint8_t *at, *end;    /* in the segment that is walked */
        const struct iovec *next;   /* the segments behind it */
        size_t n_next;
        void *scratch;
        uint64_t head[16];
} RecordCursor;

#define RECORD_SCRATCH_SIZE 65536u /* bytes: perf_event_header.size has 16 bits */

/* segments must outlive it. scratch: RECORD_SCRATCH_SIZE bytes, aligned to 8, where a record is put together that segments split;
 * NULL: of such a record only the first 128 bytes can be read, which is more than the fields of any record but a sample that are
 * not text. */
void record_cursor_init(RecordCursor *c, const struct iovec *segments, size_t n_segments, void *scratch);

/* The part of record_cursor_next() for the end of a segment. */
int record_cursor_next_split(RecordCursor *c, const struct perf_event_header **ret);

/* The bytes that were not walked. */
size_t record_cursor_left(const RecordCursor *c);

/* 1: *ret is a whole record, valid until the next call; 0: the end; -EBADMSG: what is there is no record, or is cut off, and the
 * cursor stays where it is. */
static inline int record_cursor_next(RecordCursor *c, const struct perf_event_header **ret) {
        const struct perf_event_header *h = (const void *) c->at;
        size_t left = (size_t) (c->end - c->at);

        if (left < sizeof(*h) || h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0 || h->size > left)
                return record_cursor_next_split(c, ret);
        c->at += h->size;
        *ret = h;
        return 1;
}

/* Visits all records, also those that segments split, as long as visit() returns no negative errno, which is returned
 * then. 0; -EBADMSG: at some place there is no record. Inline, so that visit() can be inlined in it. */
static inline int record_cursor_each(const struct iovec *segments, size_t n_segments,
                                     int (*visit)(const struct perf_event_header *record, void *userdata), void *userdata) {
        uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
        const struct perf_event_header *record;
        RecordCursor c;
        int r;

        record_cursor_init(&c, segments, n_segments, scratch);
        while ((r = record_cursor_next(&c, &record)) > 0) {
                r = visit(record, userdata);
                if (r < 0)
                        return r;
        }
        return r;
}
