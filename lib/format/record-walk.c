/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There are two levels: the records of the file, and those in a compressed record, which come from the decompressor
 * until that record is used up.
 *
 * A file is read in blocks: read(2) of a cached file takes half the time of faulting its pages in, and the memory is
 * one block's. */

#include "record-walk.h"

#include "decompress.h"
#include "fd-file.h"
#include "record-layout.h"

#define BLOCK_SIZE ((size_t) 1 << 20)
#define RECORD_MAX ((size_t) UINT16_MAX + 1)

struct RecordWalk {
        const uint8_t *data; /* the bytes from the offset "from" on */
        size_t size;
        size_t from, filled; /* filled: the end of what can be read at data, as an offset */
        size_t next;       /* where the next record lies */
        int fd;            /* -EBADF: all of it is in memory */
        uint64_t offset;   /* of the records in the file */
        uint8_t *block;
        uint64_t *aligned; /* a copy of a record */
        Decompressor *decompressor;
        bool inside;       /* a compressed record */
        size_t place;      /* of the record that was read last */
        struct perf_event_header last; /* its header */
        BrokenRecord lacking; /* the first record that lacks fields; without a fault: none does */
        uint64_t n_compressed, n_compressed2; /* such records so far */
        UnknownRecords unknown;
};

int record_walk_new(const void *data, size_t size, RecordWalk **ret) {
        RecordWalk *w = calloc(1, sizeof(*w));

        if (!w)
                return -ENOMEM;
        w->data = data;
        w->size = w->filled = size;
        w->fd = -EBADF;
        *ret = w;
        return 0;
}

int record_walk_new_fd(int fd, uint64_t offset, uint64_t size, RecordWalk **ret) {
        RecordWalk *w = NULL;
        int r = size > SIZE_MAX ? -EFBIG : record_walk_new(NULL, (size_t) size, &w);

        if (r < 0)
                return r;
        w->filled = 0;
        w->fd = fd;
        w->offset = offset;
        w->block = malloc(BLOCK_SIZE + RECORD_MAX);
        if (!w->block) {
                free(w);
                return -ENOMEM;
        }
        w->data = w->block;
        *ret = w;
        return 0;
}

RecordWalk *record_walk_free(RecordWalk *w) {
        if (!w)
                return NULL;
        decompressor_free(w->decompressor);
        free(w->aligned);
        free(w->block);
        free(w);
        return NULL;
}

void record_walk_rewind(RecordWalk *w) {
        w->next = 0;
        if (w->fd >= 0)
                w->from = w->filled = 0; /* the block is of another place */
        w->n_compressed = w->n_compressed2 = 0;
        w->unknown = (UnknownRecords) {};
        w->lacking = (BrokenRecord) {};
        w->inside = false;
        if (w->decompressor)
                decompressor_reset(w->decompressor);
}

uint64_t record_walk_compressed(const RecordWalk *w, uint32_t type) {
        return type == PERF_RECORD_COMPRESSED2 ? w->n_compressed2 : w->n_compressed;
}

const UnknownRecords *record_walk_unknown(const RecordWalk *w) {
        return &w->unknown;
}

static bool type_is_known(uint32_t type) {
        return (type > 0 && type <= RECORD_CALLCHAIN_DEFERRED) ||
               (type >= PERF_RECORD_USER_TYPE_START && type < _PERF_RECORD_USER_TYPE_MAX);
}

static void count_unknown(UnknownRecords *u, const struct perf_event_header *record) {
        uint32_t type = record->type;
        size_t i = 0;

        if (type == PERF_RECORD_AUXTRACE_INFO && record->size >= sizeof(PerfRecordAuxtraceInfo))
                u->trace = ((const PerfRecordAuxtraceInfo *) record)->kind;
        if (type_is_known(type))
                return;
        while (i < u->n_types && u->of[i].type != type)
                i++;
        if (i == UNKNOWN_RECORDS_TYPES) {
                u->others++;
                return;
        }
        if (i == u->n_types)
                u->of[u->n_types++].type = type;
        u->of[i].n++;
}

BrokenRecord record_walk_broken(const RecordWalk *w) {
        BrokenRecord b = { .offset = w->next, .fault = "is no record" };
        struct perf_event_header h;

        if (w->lacking.fault)
                return w->lacking;
        if (w->inside)
                return (BrokenRecord) { w->place, w->last.type, w->last.size, "cannot be decompressed" };
        if (w->filled >= w->next + sizeof(h)) {
                memcpy(&h, w->data + (w->next - w->from), sizeof(h));
                b.type = h.type;
                b.size = h.size;
        }
        if (b.size >= sizeof(h) && b.size > w->size - w->next)
                b.fault = "is longer than what follows";
        return b;
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

/* Finds the data of a compressed record. */
static int compressed_data(const struct perf_event_header *h, const uint8_t *record, const uint8_t **ret, size_t *ret_size) {
        PerfRecordCompressed2 padded;

        *ret = record + sizeof(*h);
        *ret_size = h->size - sizeof(*h);
        if (h->type == PERF_RECORD_COMPRESSED)
                return 0;
        if (h->size < sizeof(padded))
                return -EBADMSG;
        memcpy(&padded, record, sizeof(padded));
        if (padded.data_size > h->size - sizeof(padded))
                return -EBADMSG;
        *ret = record + sizeof(padded);
        *ret_size = (size_t) padded.data_size;
        return 0;
}

static int enter(RecordWalk *w, const struct perf_event_header *h, const uint8_t *record) {
        const uint8_t *data;
        size_t size;
        int r = compressed_data(h, record, &data, &size);

        if (r >= 0 && !w->decompressor)
                r = decompressor_new(&w->decompressor);
        if (r < 0)
                return r;
        decompressor_put(w->decompressor, data, size);
        w->inside = true;
        (*(h->type == PERF_RECORD_COMPRESSED2 ? &w->n_compressed2 : &w->n_compressed))++;
        return 0;
}

/* Makes a record at w->next readable as a whole, unless the file ends before its end. The rest of a block moves to the
 * front, to an address that is as aligned as its offset. */
static int fill(RecordWalk *w) {
        size_t place = w->next % sizeof(uint64_t), kept = w->next < w->filled ? w->filled - w->next : 0;
        size_t wanted = MIN_OF(w->size - w->next, BLOCK_SIZE);
        ssize_t n;

        if (kept >= RECORD_MAX || kept == w->size - w->next)
                return 0;
        if (kept > 0)
                memmove(w->block + place, w->data + (w->next - w->from), kept);
        w->from = w->next - place;
        w->filled = w->next + kept;
        if (kept >= wanted)
                return 0;
        n = pread_up_to(w->fd, w->offset + w->filled, w->block + (w->filled - w->from), wanted - kept);
        if (n < 0)
                return (int) n;
        w->filled += (size_t) n;
        return 0;
}

static int next_outer(RecordWalk *w, const struct perf_event_header **ret) {
        const uint8_t *record;
        struct perf_event_header h;
        uint64_t span;
        int r;

        if (w->next == w->size)
                return 0;
        if (w->fd >= 0 && w->filled < w->next + RECORD_MAX && (r = fill(w)) < 0)
                return r;
        record = w->data + (w->next - w->from);
        if (w->filled < w->next + sizeof(h))
                return -EBADMSG;
        span = record_walk_span(record, w->size - w->next);
        memcpy(&h, record, sizeof(h));
        if (span == 0 || h.size > w->filled - w->next)
                return -EBADMSG;
        /* Sizes of the kernel's records are multiples of 8; those of perf's features and compressed records need not be. */
        if (h.type < PERF_RECORD_USER_TYPE_START && h.size % sizeof(uint64_t) != 0)
                return -EBADMSG;
        w->place = w->next;
        w->last = h;
        w->next += (size_t) span;
        if (h.type == PERF_RECORD_COMPRESSED || h.type == PERF_RECORD_COMPRESSED2)
                return enter(w, &h, record);
        r = align(w, record, h.size, ret);
        if (r > 0 && !w->lacking.fault && record_lacks_fields(*ret))
                w->lacking = (BrokenRecord) { w->place, h.type, h.size, "lacks a part of its fields" };
        return r;
}

int record_walk_next(RecordWalk *w, const struct perf_event_header **ret) {
        for (;;) {
                int r;

                if (w->inside) {
                        r = decompressor_next(w->decompressor, ret);
                        if (r == 0)
                                w->inside = false;
                }
                if (!w->inside)
                        r = next_outer(w, ret);
                if (r > 0)
                        count_unknown(&w->unknown, *ret);
                if (r != 0 || !w->inside)
                        return r;
        }
}
