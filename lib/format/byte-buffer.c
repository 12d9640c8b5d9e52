/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A growing buffer with a sticky error. All features and records that this library writes are put together in one. It at most
 * doubles when it grows and never exceeds BYTE_BUFFER_MAX. */

#include "byte-buffer.h"
#include "array.h"
#include "format.h"

void byte_buffer_done(ByteBuffer *b) {
        free(b->data);
        *b = (ByteBuffer) {};
}

int byte_buffer_flush(ByteBuffer *b) {
        const struct iovec bytes = { .iov_base = b->data, .iov_len = b->size };

        if (b->error || !b->drain || b->size == 0)
                return b->error;
        b->size = 0;
        return b->drain(b->userdata, &bytes);
}

void *byte_buffer_extend(ByteBuffer *b, size_t n) {
        uint8_t *p;

        if (b->error)
                return NULL;
        b->error = n > BYTE_BUFFER_MAX - b->size ? -E2BIG : ARRAY_RESERVE(b->data, b->allocated, b->size + n);
        if (b->error)
                return NULL;
        p = b->data + b->size;
        memset(p, 0, n);
        b->size += n;
        return p;
}

void byte_buffer_put(ByteBuffer *b, const void *data, size_t n) {
        void *p = byte_buffer_extend(b, n);

        if (p && n > 0)
                memcpy(p, data, n);
}

void byte_buffer_put_u32(ByteBuffer *b, uint32_t v) {
        byte_buffer_put(b, &v, sizeof(v));
}

void byte_buffer_put_u64(ByteBuffer *b, uint64_t v) {
        byte_buffer_put(b, &v, sizeof(v));
}

void byte_buffer_put_string(ByteBuffer *b, const char *s) {
        size_t n = strlen(s), padded = PERF_ALIGN_UP(n + 1, PERF_FILE_NAME_ALIGN);
        char *p;

        byte_buffer_put_u32(b, (uint32_t) padded);
        p = byte_buffer_extend(b, padded);
        if (p)
                memcpy(p, s, n);
}

void byte_buffer_set_u32(ByteBuffer *b, size_t offset, uint32_t v) {
        if (!b->error && offset + sizeof(v) <= b->size)
                memcpy(b->data + offset, &v, sizeof(v));
}
