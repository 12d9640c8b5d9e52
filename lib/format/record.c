/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records in general: the frame that builders share, and a bounded walk. A record is a header of 8 bytes, whose size
 * counts the header, and is a multiple of 8 bytes: the kernel guarantees that for its own records, and this library in
 * files. record-walk.h reads other ones. */

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

int record_end(RecordBuffer *b, size_t start, const RecordTrailer *trailer) {
        struct perf_event_header h;
        int r;

        if (trailer)
                record_trailer_put(b, trailer);
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
