/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Bytes of call frame information, read one after the other. What lies behind the end is zero, and marks them as broken. */
typedef struct FrameBytes {
        const uint8_t *at, *end;
        bool broken;
} FrameBytes;

static inline size_t frame_bytes_left(const FrameBytes *b) {
        return (size_t) (b->end - b->at);
}

/* Returns a piece of so many bytes. */
static inline FrameBytes frame_bytes_take(FrameBytes *b, uint64_t size) {
        FrameBytes piece = { .at = b->at, .end = b->at };

        if (size > frame_bytes_left(b)) {
                piece.broken = b->broken = true;
                b->at = b->end;
                return piece;
        }
        b->at += size;
        piece.end = b->at;
        return piece;
}

/* Returns a number of that many bytes, 8 at most, in this machine's byte order, which is the file's. */
static inline uint64_t frame_bytes_unsigned(FrameBytes *b, size_t size) {
        uint64_t value = 0;
        FrameBytes piece = frame_bytes_take(b, size);

        if (piece.end > piece.at)
                memcpy(&value, piece.at, size);
        return value;
}

static inline int64_t frame_bytes_signed(FrameBytes *b, size_t size) {
        unsigned shift = 64 - 8 * (unsigned) size;

        return (int64_t) (frame_bytes_unsigned(b, size) << shift) >> shift;
}

/* Numbers of 7 bits in each byte, of which the last one has the sign (DWARF 5, 7.6). Bits above 64 are lost. */
static inline uint64_t frame_bytes_leb(FrameBytes *b, bool has_sign) {
        uint64_t value = 0;
        unsigned shift = 0;
        uint8_t byte;

        do {
                byte = (uint8_t) frame_bytes_unsigned(b, 1);
                if (shift < 64)
                        value |= (uint64_t) (byte & 0x7f) << shift;
                shift += 7;
        } while (byte & 0x80);
        if (has_sign && byte & 0x40 && shift < 64)
                value |= ~UINT64_C(0) << shift;
        return value;
}

static inline uint64_t frame_bytes_uleb(FrameBytes *b) {
        return frame_bytes_leb(b, false);
}

static inline int64_t frame_bytes_sleb(FrameBytes *b) {
        return (int64_t) frame_bytes_leb(b, true);
}
