/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fedora's binaries have their local functions in .gnu_debugdata ("MiniDebugInfo" in gdb's manual), and modules of the kernel
 * are files of xz or zstd. A few kilobytes of these can promise gigabytes, and their dictionaries may be as large, so both
 * have limits. */

#include "debug-data.h"

#include <lzma.h>

#include "decompress.h"
#include "fd-file.h"

#define EXPANDED_MAX ((uint64_t) 64 << 20) /* bytes */
#define MEMORY_MAX ((uint64_t) 64 << 20) /* of the decoder */
#define PIECE ((size_t) 64 << 10)

typedef struct Expansion {
        int fd;
        uint64_t left; /* bytes that it may have yet */
} Expansion;

static int take_piece(void *userdata, const void *piece, size_t size) {
        Expansion *e = userdata;

        if (size > e->left) {
                e->left = 0;
                return -EFBIG;
        }
        e->left -= size;
        return write_all(e->fd, piece, size);
}

static int data_expand(lzma_stream *stream, Expansion *e) {
        _cleanup_free_ uint8_t *piece = malloc(PIECE);
        lzma_ret result = LZMA_OK;
        int r = piece ? 0 : -ENOMEM;

        while (r >= 0 && result == LZMA_OK) {
                stream->next_out = piece;
                stream->avail_out = PIECE;
                result = lzma_code(stream, LZMA_FINISH);
                r = take_piece(e, piece, PIECE - stream->avail_out);
        }
        if (r < 0 || result == LZMA_STREAM_END)
                return r;
        return result == LZMA_MEM_ERROR ? -ENOMEM : result == LZMA_MEMLIMIT_ERROR ? -EFBIG : -EBADMSG;
}

static int expand_xz(const void *data, size_t size, Expansion *e) {
        lzma_stream stream = LZMA_STREAM_INIT;
        int r;

        if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
                return -ENOMEM;
        stream.next_in = data;
        stream.avail_in = size;
        r = data_expand(&stream, e);
        lzma_end(&stream);
        return r;
}

int debug_data_expand(const void *data, size_t size, uint64_t *left) {
        static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
        _cleanup_close_ int fd = open_memfd("debug-data", 0);
        const uint64_t allowed = MIN_OF(*left, EXPANDED_MAX);
        Expansion e = { .fd = fd, .left = allowed };
        int r;

        if (fd < 0)
                return fd;
        if (size >= sizeof(zstd) && memcmp(data, zstd, sizeof(zstd)) == 0)
                r = frames_decompress(data, size, take_piece, &e);
        else
                r = expand_xz(data, size, &e);
        *left -= allowed - e.left;
        return r < 0 ? r : steal_fd(&fd);
}
