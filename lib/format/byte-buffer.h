/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"

/* A growing block of bytes in the file's encoding. Zero-initialise. The first failure stays in error (-ENOMEM; -E2BIG
 * above BYTE_BUFFER_MAX) and makes every later put do nothing, so that builders check once.
 *
 * A buffer with a drain stays small: once its content is a piece, byte_buffer_relieve() passes it to the drain and
 * empties the buffer. */
typedef struct ByteBuffer {
        uint8_t *data;
        size_t size;
        size_t allocated;
        int error;
        int (*drain)(void *userdata, const struct iovec *bytes); /* NULL: all stays here */
        void *userdata;
} ByteBuffer;

#define BYTE_BUFFER_PIECE ((size_t) 512 * 1024)

#define BYTE_BUFFER_MAX ((size_t) 256 * 1024 * 1024)

void byte_buffer_done(ByteBuffer *b);
#define _cleanup_byte_buffer_ _cleanup_(byte_buffer_done)

static inline void byte_buffer_reset(ByteBuffer *b) {
        b->size = 0;
        b->error = 0;
}

/* Passes the content to the drain; byte_buffer_relieve() does so if it is a piece or more. Returns 0, the buffer's
 * error, or that of the drain. Without a drain it does nothing. */
int byte_buffer_flush(ByteBuffer *b);

static inline int byte_buffer_relieve(ByteBuffer *b) {
        return b->drain && b->size >= BYTE_BUFFER_PIECE ? byte_buffer_flush(b) : b->error;
}

/* Appends n bytes of zeros, to be filled, and returns them; NULL on failure. Valid until the next call. */
void *byte_buffer_extend(ByteBuffer *b, size_t n);
void byte_buffer_put(ByteBuffer *b, const void *data, size_t n);
void byte_buffer_put_u32(ByteBuffer *b, uint32_t v);
void byte_buffer_put_u64(ByteBuffer *b, uint64_t v);

/* Puts a string as perf's features have it: the padded length in 4 bytes, then the string and at least one zero,
 * padded to 64. */
void byte_buffer_put_string(ByteBuffer *b, const char *s);

/* Overwrites 4 bytes at offset: a count that is known afterwards. */
void byte_buffer_set_u32(ByteBuffer *b, size_t offset, uint32_t v);
