/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two levels: the records as they lie in the file, and those within a compressed one, which come from the decompressor
 * until it has used that one up. A file is read through a window, never mapped: no signal when it is cut meanwhile, and
 * memory does not grow with it. */

#include "record-walk.h"

#include "decompress.h"

#define WINDOW_SIZE ((size_t) 256 * 1024) /* above the longest record */

struct RecordWalk {
        int fd;                /* -EBADF: memory */
        uint64_t file_offset;  /* of the data's first byte in fd */
        const uint8_t *data;   /* memory, or the window */
        uint64_t size;         /* of all data */
        uint64_t next;         /* where the next record lies */
        uint64_t window_start; /* what of the data is at data[0] */
        size_t window_size;
        uint8_t *window;
        uint64_t *aligned;     /* a copy of a record */
        Decompressor *decompressor;
        bool inside;           /* a compressed record */
};

static int walk_new(uint64_t size, RecordWalk **ret) {
        RecordWalk *w = calloc(1, sizeof(*w));

        if (!w)
                return -ENOMEM;
        w->fd = -EBADF;
        w->size = size;
        *ret = w;
        return 0;
}

int record_walk_new(const void *data, uint64_t size, RecordWalk **ret) {
        int r = walk_new(size, ret);

        if (r < 0)
                return r;
        (*ret)->data = data;
        (*ret)->window_size = (size_t) size;
        return 0;
}

int record_walk_new_fd(int fd, uint64_t offset, uint64_t size, RecordWalk **ret) {
        _cleanup_(record_walk_freep) RecordWalk *w = NULL;
        int r = walk_new(size, &w);

        if (r < 0)
                return r;
        w->fd = fd;
        w->file_offset = offset;
        w->data = w->window = malloc(WINDOW_SIZE);
        if (!w->window)
                return -ENOMEM;
        *ret = steal_ptr(w);
        return 0;
}

RecordWalk *record_walk_free(RecordWalk *w) {
        if (!w)
                return NULL;
        decompressor_free(w->decompressor);
        free(w->aligned);
        free(w->window);
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

/* n bytes from where the next record lies: 1, 0 if the data has less. */
static int look(RecordWalk *w, size_t n, const uint8_t **ret) {
        if (n > w->size - w->next)
                return 0;
        if (w->fd >= 0 && (w->next < w->window_start || w->next + n > w->window_start + w->window_size)) {
                size_t want = (size_t) MIN_OF((uint64_t) WINDOW_SIZE, w->size - w->next);
                ssize_t k;

                w->window_start = w->next;
                w->window_size = 0;
                while (w->window_size < n) {
                        k = pread(w->fd, w->window + w->window_size, want - w->window_size,
                                  (off_t) (w->file_offset + w->next + w->window_size));
                        if (k < 0 && errno == EINTR)
                                continue;
                        if (k < 0)
                                return -errno;
                        if (k == 0)
                                return 0;
                        w->window_size += (size_t) k;
                }
        }
        *ret = w->data + (w->next - w->window_start);
        return 1;
}

/* What follows a record without being counted in its size. */
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
        struct perf_event_header h;
        const uint8_t *record;
        uint64_t payload;
        int r = look(w, sizeof(h), &record);

        if (r <= 0)
                return r < 0 || w->next == w->size ? r : -EBADMSG;
        memcpy(&h, record, sizeof(h));
        /* The kernel's are; of perf's own, features and compressed ones are not. */
        if (h.size < sizeof(h) || (h.type < PERF_RECORD_USER_TYPE_START && h.size % sizeof(uint64_t) != 0))
                return -EBADMSG;
        r = look(w, h.size, &record);
        if (r <= 0)
                return r < 0 ? r : -EBADMSG;
        r = payload_size(&h, record, &payload);
        if (r < 0)
                return r;
        if (payload > w->size - w->next - h.size)
                return -EBADMSG;
        w->next += h.size + payload;
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
