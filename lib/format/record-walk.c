/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There are two levels: the records of the file, and those in a compressed record, which come from the decompressor
 * until that record is used up. */

#include "record-walk.h"

#include "decompress.h"

struct RecordWalk {
        const uint8_t *data;
        size_t size;
        size_t next;       /* where the next record lies */
        uint64_t *aligned; /* a copy of a record */
        Decompressor *decompressor;
        bool inside;       /* a compressed record */
};

int record_walk_new(const void *data, size_t size, RecordWalk **ret) {
        RecordWalk *w = calloc(1, sizeof(*w));

        if (!w)
                return -ENOMEM;
        w->data = data;
        w->size = size;
        *ret = w;
        return 0;
}

RecordWalk *record_walk_free(RecordWalk *w) {
        if (!w)
                return NULL;
        decompressor_free(w->decompressor);
        free(w->aligned);
        free(w);
        return NULL;
}

void record_walk_rewind(RecordWalk *w) {
        w->next = 0;
        w->inside = false;
        if (w->decompressor)
                decompressor_reset(w->decompressor);
}

uint64_t record_walk_position(const RecordWalk *w) {
        return w->next;
}

/* Finds the size of the payload that follows a record and is not in its size. */
static int payload_size(const struct perf_event_header *h, const uint8_t *record, uint64_t *ret) {
        uint32_t size;

        *ret = 0;
        if (h->type == PERF_RECORD_HEADER_TRACING_DATA) {
                if (h->size < sizeof(*h) + sizeof(size))
                        return -EBADMSG;
                memcpy(&size, record + sizeof(*h), sizeof(size));
                *ret = size;
        } else if (h->type == PERF_RECORD_AUXTRACE) {
                if (h->size < sizeof(*h) + sizeof(*ret))
                        return -EBADMSG;
                memcpy(ret, record + sizeof(*h), sizeof(*ret));
        }
        return 0;
}

uint64_t record_walk_span(const void *record, uint64_t size) {
        struct perf_event_header h;
        uint64_t payload;

        if (size < sizeof(h))
                return 0;
        memcpy(&h, record, sizeof(h));
        if (h.size < sizeof(h) || h.size > size || payload_size(&h, record, &payload) < 0 || payload > size - h.size)
                return 0;
        return h.size + payload;
}

static int align(RecordWalk *w, const uint8_t *record, size_t size, const struct perf_event_header **ret) {
        if ((uintptr_t) record % sizeof(uint64_t) == 0) {
                *ret = (const struct perf_event_header *) record;
                return 1;
        }
        if (!w->aligned)
                w->aligned = malloc(UINT16_MAX + 1);
        if (!w->aligned)
                return -ENOMEM;
        memcpy(w->aligned, record, size);
        *ret = (const struct perf_event_header *) w->aligned;
        return 1;
}

static int enter(RecordWalk *w, const uint8_t *record, size_t size) {
        int r = w->decompressor ? 0 : decompressor_new(&w->decompressor);

        if (r < 0)
                return r;
        decompressor_put(w->decompressor, record + sizeof(struct perf_event_header), size - sizeof(struct perf_event_header));
        w->inside = true;
        return 0;
}

static int next_outer(RecordWalk *w, const struct perf_event_header **ret) {
        const uint8_t *record = w->data + w->next;
        struct perf_event_header h;
        uint64_t span;

        if (w->next == w->size)
                return 0;
        span = record_walk_span(record, w->size - w->next);
        if (span == 0)
                return -EBADMSG;
        memcpy(&h, record, sizeof(h));
        /* Sizes of the kernel's records are multiples of 8; those of perf's features and compressed records need not be. */
        if (h.type < PERF_RECORD_USER_TYPE_START && h.size % sizeof(uint64_t) != 0)
                return -EBADMSG;
        w->next += (size_t) span;
        if (h.type == PERF_RECORD_COMPRESSED)
                return enter(w, record, h.size);
        return align(w, record, h.size, ret);
}

int record_walk_next(RecordWalk *w, const struct perf_event_header **ret) {
        for (;;) {
                int r;

                if (w->inside) {
                        r = decompressor_next(w->decompressor, ret);
                        if (r != 0)
                                return r;
                        w->inside = false;
                }
                r = next_outer(w, ret);
                if (r != 0 || !w->inside)
                        return r;
        }
}
