/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fedora's binaries have their local functions in .gnu_debugdata ("MiniDebugInfo" in gdb's manual), and modules of the kernel
 * are files of xz or zstd. A few kilobytes of these can promise gigabytes, and their dictionaries may be as large, so both
 * have limits. */

#include "debug-data.h"

#include <lzma.h>

#include "decompress.h"
#include "fd-file.h"

#define EXPANDED_MAX ((size_t) 64 << 20) /* bytes */
#define MEMORY_MAX ((uint64_t) 64 << 20) /* of the decoder */
#define PIECE ((size_t) 64 << 10)

static int write_piece(int fd, const uint8_t *piece, size_t size, size_t *total) {
        *total += size;
        return *total > EXPANDED_MAX ? -EFBIG : write_all(fd, piece, size);
}

static int expand(lzma_stream *stream, int fd) {
        _cleanup_free_ uint8_t *piece = malloc(PIECE);
        lzma_ret result = LZMA_OK;
        size_t total = 0;
        int r = piece ? 0 : -ENOMEM;

        while (r >= 0 && result == LZMA_OK) {
                stream->next_out = piece;
                stream->avail_out = PIECE;
                result = lzma_code(stream, LZMA_FINISH);
                r = write_piece(fd, piece, PIECE - stream->avail_out, &total);
        }
        if (r < 0 || result == LZMA_STREAM_END)
                return r;
        return result == LZMA_MEM_ERROR ? -ENOMEM : result == LZMA_MEMLIMIT_ERROR ? -EFBIG : -EBADMSG;
}

static int expand_xz(const void *data, size_t size, int fd) {
        lzma_stream stream = LZMA_STREAM_INIT;
        int r;

        if (lzma_stream_decoder(&stream, MEMORY_MAX, 0) != LZMA_OK)
                return -ENOMEM;
        stream.next_in = data;
        stream.avail_in = size;
        r = expand(&stream, fd);
        lzma_end(&stream);
        return r;
}

typedef struct Expansion {
        int fd;
        size_t total;
} Expansion;

static int take_piece(void *userdata, const void *piece, size_t size) {
        Expansion *e = userdata;

        return write_piece(e->fd, piece, size, &e->total);
}

int debug_data_expand(const void *data, size_t size) {
        static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
        _cleanup_close_ int fd = open_memfd("debug-data", 0);
        Expansion expansion = { .fd = fd };
        int r;

        if (fd < 0)
                return fd;
        if (size >= sizeof(zstd) && memcmp(data, zstd, sizeof(zstd)) == 0)
                r = frames_decompress(data, size, take_piece, &expansion);
        else
                r = expand_xz(data, size, fd);
        return r < 0 ? r : steal_fd(&fd);
}
