/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A growing block of bytes in the file's encoding. Zero-initialise. The first failure stays in error (-ENOMEM; -E2BIG
 * above BYTE_BUFFER_MAX) and makes every later put do nothing, so that builders check once. */
typedef struct ByteBuffer {
        uint8_t *data;
        size_t size;
        size_t allocated;
        int error;
} ByteBuffer;

#define BYTE_BUFFER_MAX ((size_t) 256 * 1024 * 1024)

void byte_buffer_done(ByteBuffer *b);
#define _cleanup_byte_buffer_ _cleanup_(byte_buffer_done)

static inline void byte_buffer_reset(ByteBuffer *b) {
        b->size = 0;
        b->error = 0;
}

/* n bytes of zeros at the end, to be filled; NULL on failure. Valid until the next call. */
void *byte_buffer_extend(ByteBuffer *b, size_t n);
void byte_buffer_put(ByteBuffer *b, const void *data, size_t n);
void byte_buffer_put_u32(ByteBuffer *b, uint32_t v);
void byte_buffer_put_u64(ByteBuffer *b, uint64_t v);

/* As perf's features hold strings: the padded length in 4 bytes, then the string with at least one zero, to 64. */
void byte_buffer_put_string(ByteBuffer *b, const char *s);

/* Overwrites 4 bytes at offset: a count that is known afterwards. */
void byte_buffer_set_u32(ByteBuffer *b, size_t offset, uint32_t v);
