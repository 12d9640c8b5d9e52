/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A window with the decompressed bytes that were not handed out yet. It is only filled again when it has no whole
 * record left; then the rest moves to the front, so that records stay aligned as long as their sizes are. */

#include "decompress.h"

#include <zstd.h>
#include <zstd_errors.h>

#define WINDOW_SIZE ((size_t) 256 * 1024) /* above the longest record by far */
#define FOREIGN_WINDOW_LOG_MAX 26
#define PIECE ((size_t) 64 * 1024)
#define WINDOW_LOG_MAX 27                 /* 128 MiB of memory, what level 22 asks for; also libzstd's own limit */

struct Decompressor {
        ZSTD_DCtx *context;
        ZSTD_inBuffer in;
        bool more;  /* the context holds bytes that did not fit */
        size_t head, tail;
        uint64_t taken, made; /* bytes, in all */
        _Alignas(8) uint8_t window[WINDOW_SIZE];
};

int decompressor_new(Decompressor **ret) {
        _cleanup_(decompressor_freep) Decompressor *d = malloc(sizeof(*d));

        if (!d)
                return -ENOMEM;
        memset(d, 0, offsetof(Decompressor, window));
        d->context = ZSTD_createDCtx();
        if (!d->context || ZSTD_isError(ZSTD_DCtx_setParameter(d->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
                return -ENOMEM;
        *ret = steal_ptr(d);
        return 0;
}

Decompressor *decompressor_free(Decompressor *d) {
        if (!d)
                return NULL;
        (void) ZSTD_freeDCtx(d->context);
        free(d);
        return NULL;
}

void decompressor_put(Decompressor *d, const void *data, size_t size) {
        d->in = (ZSTD_inBuffer) { .src = data, .size = size };
        d->taken += size;
}

void decompressor_reset(Decompressor *d) {
        (void) ZSTD_DCtx_reset(d->context, ZSTD_reset_session_only);
        d->in = (ZSTD_inBuffer) {};
        d->head = d->tail = 0;
        d->taken = d->made = 0;
        d->more = false;
}

/* Returns 1 if the window has more bytes now, 0 if nothing was left to decompress. */
static int fill(Decompressor *d) {
        ZSTD_outBuffer out = { .dst = d->window, .size = WINDOW_SIZE };

        if (d->head > 0) {
                memmove(d->window, d->window + d->head, d->tail - d->head);
                d->tail -= d->head;
                d->head = 0;
        }
        out.pos = d->tail;
        while (d->in.pos < d->in.size || d->more) {
                if (ZSTD_isError(ZSTD_decompressStream(d->context, &out, &d->in)))
                        return -EBADMSG;
                d->more = out.pos == out.size;
                if (out.pos > d->tail) {
                        d->made += out.pos - d->tail;
                        d->tail = out.pos;
                        return d->made > DECOMPRESSOR_FREE + d->taken * DECOMPRESSOR_RATIO_MAX ? -EBADMSG : 1;
                }
                d->more = false;
        }
        return 0;
}

int decompressor_next(Decompressor *d, const struct perf_event_header **ret) {
        for (;;) {
                const struct perf_event_header *h = (const void *) (d->window + d->head);
                int r;

                if (d->tail - d->head >= sizeof(*h)) {
                        if (h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0)
                                return -EBADMSG;
                        if (h->size <= d->tail - d->head) {
                                d->head += h->size;
                                *ret = h;
                                return 1;
                        }
                }
                r = fill(d);
                if (r <= 0)
                        return r;
        }
}

int block_decompress(const void *data, size_t size, void *to, size_t expected) {
        size_t n = ZSTD_decompress(to, expected, data, size);

        if (ZSTD_isError(n) && ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
                return -ENOMEM;
        return !ZSTD_isError(n) && n == expected ? 0 : -EBADMSG;
}

static int decompress_pieces(ZSTD_DCtx *context, ZSTD_inBuffer *in, int (*take)(void *userdata, const void *piece, size_t size),
                             void *userdata) {
        _cleanup_free_ uint8_t *piece = malloc(PIECE);
        size_t left = 1;
        int r = piece ? 0 : -ENOMEM;

        while (r >= 0 && (in->pos < in->size || left > 0)) {
                ZSTD_outBuffer out = { .dst = piece, .size = PIECE };
                size_t before = in->pos;

                left = ZSTD_decompressStream(context, &out, in);
                if (ZSTD_isError(left))
                        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? -ENOMEM : -EBADMSG;
                if (out.pos == 0 && in->pos == before && left > 0)
                        return -EBADMSG; /* the end is missing */
                if (out.pos > 0)
                        r = take(userdata, piece, out.pos);
        }
        return r;
}

int frames_decompress(const void *data, size_t size, int (*take)(void *userdata, const void *piece, size_t size), void *userdata) {
        ZSTD_inBuffer in = { .src = data, .size = size };
        ZSTD_DCtx *context = ZSTD_createDCtx();
        int r = context ? 0 : -ENOMEM;

        if (r >= 0 && ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, FOREIGN_WINDOW_LOG_MAX)))
                r = -ENOMEM;
        if (r >= 0)
                r = decompress_pieces(context, &in, take, userdata);
        (void) ZSTD_freeDCtx(context);
        return r;
}
