/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records in general: the frame that builders share, bounded walks, and counts over the segments of a ring. A record is
 * a header of 8 bytes, whose size counts the header, and a multiple of 8 bytes in all: the kernel guarantees that for
 * its own and so do we in files. record-walk.h reads what else there is. */

#include "record-frame.h"

size_t record_begin(RecordBuffer *b, uint32_t type, uint16_t misc) {
        struct perf_event_header h = { .type = type, .misc = misc };
        size_t start = b->size;

        byte_buffer_put(b, &h, sizeof(h));
        return start;
}

void record_put_text(RecordBuffer *b, const char *s, size_t max) {
        size_t n = MIN_OF(strlen(s), max);
        char *p = byte_buffer_extend(b, PERF_ALIGN_UP(n + 1, sizeof(uint64_t)));

        if (p)
                memcpy(p, s, n);
}

size_t record_trailer_size(uint64_t sample_type) {
        uint64_t fields = sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                                         PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);

        return (size_t) __builtin_popcountll(fields) * sizeof(uint64_t);
}

/* The order is the kernel's: perf_event__output_id_sample(). */
static void put_trailer(RecordBuffer *b, const RecordTrailer *t) {
        if (t->sample_type & PERF_SAMPLE_TID) {
                byte_buffer_put_u32(b, t->pid);
                byte_buffer_put_u32(b, t->tid);
        }
        if (t->sample_type & PERF_SAMPLE_TIME)
                byte_buffer_put_u64(b, t->time);
        if (t->sample_type & PERF_SAMPLE_ID)
                byte_buffer_put_u64(b, t->id);
        if (t->sample_type & PERF_SAMPLE_STREAM_ID)
                byte_buffer_put_u64(b, t->stream_id);
        if (t->sample_type & PERF_SAMPLE_CPU)
                byte_buffer_put_u64(b, t->cpu);
        if (t->sample_type & PERF_SAMPLE_IDENTIFIER)
                byte_buffer_put_u64(b, t->id);
}

int record_end(RecordBuffer *b, size_t start, const RecordTrailer *trailer) {
        struct perf_event_header h;
        int r;

        if (trailer)
                put_trailer(b, trailer);
        r = b->error;
        if (r == 0 && b->size - start > RECORD_SIZE_MAX)
                r = -E2BIG;
        if (r < 0) {
                b->size = start;
                b->error = 0;
                return r;
        }
        memcpy(&h, b->data + start, sizeof(h)); /* not aligned behind a feature */
        h.size = (uint16_t) (b->size - start);
        memcpy(b->data + start, &h, sizeof(h));
        return byte_buffer_relieve(b);
}

int record_next(const void *data, size_t size, size_t *cursor, const struct perf_event_header **ret) {
        const struct perf_event_header *h;

        if (*cursor >= size)
                return 0;
        if (size - *cursor < sizeof(*h))
                return -EBADMSG;
        h = (const struct perf_event_header *) ((const uint8_t *) data + *cursor);
        if (h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0 || h->size > size - *cursor)
                return -EBADMSG;
        *cursor += h->size;
        *ret = h;
        return 1;
}

const char *record_string(const struct perf_event_header *record, size_t offset) {
        const char *s = (const char *) record + offset;

        if (offset >= record->size || !memchr(s, 0, record->size - offset))
                return NULL;
        return s;
}

typedef struct SegmentCursor {
        const struct iovec *segments;
        size_t n_segments;
        size_t index;  /* of the segment */
        size_t offset; /* in it */
} SegmentCursor;

static void skip(SegmentCursor *c, size_t n) {
        c->offset += n;
        while (c->index < c->n_segments && c->offset >= c->segments[c->index].iov_len) {
                c->offset -= c->segments[c->index].iov_len;
                c->index++;
        }
}

/* An aligned word never straddles two segments, as these are multiples of 8 bytes long. */
static bool read_word(SegmentCursor c, size_t ahead, uint64_t *ret) {
        skip(&c, ahead);
        if (c.index >= c.n_segments || c.segments[c.index].iov_len - c.offset < sizeof(*ret))
                return false;
        memcpy(ret, (const uint8_t *) c.segments[c.index].iov_base + c.offset, sizeof(*ret));
        return true;
}

static void count_one(const SegmentCursor *c, const struct perf_event_header *h, RecordCounts *counts) {
        uint64_t lost = 0;

        counts->records++;
        if (h->type == PERF_RECORD_SAMPLE)
                counts->samples++;
        else if (h->type == PERF_RECORD_LOST && h->size >= 24 && read_word(*c, 16, &lost))
                counts->lost += lost;
        else if (h->type == PERF_RECORD_LOST_SAMPLES && h->size >= 16 && read_word(*c, 8, &lost))
                counts->lost += lost;
}

int record_count(const struct iovec *segments, size_t n_segments, RecordCounts *counts) {
        SegmentCursor c = { .segments = segments, .n_segments = n_segments };
        uint64_t left = 0;

        for (size_t i = 0; i < n_segments; i++)
                left += segments[i].iov_len;
        skip(&c, 0);
        while (left > 0) {
                struct perf_event_header h;
                uint64_t word;

                if (!read_word(c, 0, &word))
                        return -EBADMSG;
                memcpy(&h, &word, sizeof(h));
                if (h.size < sizeof(h) || h.size % sizeof(uint64_t) != 0 || h.size > left)
                        return -EBADMSG;
                count_one(&c, &h, counts);
                skip(&c, h.size);
                left -= h.size;
        }
        return 0;
}
