/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf 6.1's layout: a header, then bytes of the zstd stream, of any length: the record after it may begin at any
 * address. Three things are avoided that perf 6.1 cannot read. A record that decompresses to nothing is an error, so a
 * block of the stream is never split over two records: a record has one of the largest blocks, or, if that does not
 * fit, as little as always does, even if it can't be compressed. A record that decompresses to more than
 * COMPRESS_READ_SIZE is an error. And perf loses its place if the decompressor stops in the middle of the output: so
 * the end of a stream is at the front of a record, before the first byte.
 *
 * A stream has to end without its context if the bytes that were compressed last did not get into the file: then a
 * last block of no bytes is written without zstd (RFC 8878, 3.1.1.2). */

#include "compress.h"

#include <zstd.h>
#include <zstd_errors.h>
#include "byte-buffer.h"
#include "format.h"

#define INPUT_MAX ((size_t) 128 * 1024) /* bytes in a record: zstd's largest block */
#define INPUT_SAFE ((size_t) 63 * 1024) /* ZSTD_compressBound() of it and a frame's header fit in 64 KiB */
#define OUTPUT_MAX ((size_t) UINT16_MAX - sizeof(struct perf_event_header))

static const uint8_t empty_last_block[] = { 1, 0, 0 };

struct Compressor {
        ZSTD_CCtx *context;
        ByteBuffer records;
        bool open;    /* the file has a stream without an end */
        bool broken;  /* … and the context is not where the file is */
        uint64_t in, out;
        uint64_t last_in;
};

_Static_assert(ZSTD_COMPRESSBOUND(INPUT_SAFE) + 64 < OUTPUT_MAX, "a block may need two records");
_Static_assert(INPUT_MAX < COMPRESS_READ_SIZE, "readers have too little room");

int compressor_new(int level, Compressor **ret) {
        _cleanup_(compressor_freep) Compressor *c = NULL;

        if (level < 1 || level > COMPRESS_LEVEL_MAX)
                return -EINVAL;
        c = calloc(1, sizeof(*c));
        if (!c)
                return -ENOMEM;
        c->context = ZSTD_createCCtx();
        if (!c->context || ZSTD_isError(ZSTD_CCtx_setParameter(c->context, ZSTD_c_compressionLevel, level)))
                return -ENOMEM;
        *ret = steal_ptr(c);
        return 0;
}

Compressor *compressor_free(Compressor *c) {
        if (!c)
                return NULL;
        (void) ZSTD_freeCCtx(c->context);
        byte_buffer_done(&c->records);
        free(c);
        return NULL;
}

/* The bytes for one record, from as many segments as they take. */
typedef struct Source {
        const struct iovec *segments;
        size_t n_segments;
        size_t offset; /* in the first one */
} Source;

/* The next stretch of memory, at most max bytes of it; none at the end. */
static ZSTD_inBuffer take(Source *s, size_t max) {
        ZSTD_inBuffer in = {};

        while (s->n_segments > 0 && s->offset == s->segments->iov_len) {
                s->segments++;
                s->n_segments--;
                s->offset = 0;
        }
        if (s->n_segments == 0)
                return in;
        in.src = (const uint8_t *) s->segments->iov_base + s->offset;
        in.size = MIN_OF(max, s->segments->iov_len - s->offset);
        s->offset += in.size;
        return in;
}

static int feed(Compressor *c, ZSTD_outBuffer *out, ZSTD_inBuffer *in, ZSTD_EndDirective how) {
        for (;;) {
                size_t left = ZSTD_compressStream2(c->context, out, in, how);

                if (ZSTD_isError(left))
                        return -ENOMEM; /* the only way in which valid parameters fail */
                if (in->pos == in->size && (how == ZSTD_e_continue || left == 0))
                        return 0;
                if (out->pos == out->size)
                        return -E2BIG;
        }
}

static int put_payload(Compressor *c, Source *s, size_t max, ZSTD_outBuffer *out) {
        size_t n = 0;
        int r;

        while (n < max) {
                ZSTD_inBuffer in = take(s, max - n);

                if (in.size == 0)
                        break;
                n += in.size;
                r = feed(c, out, &in, ZSTD_e_continue);
                if (r < 0)
                        return r;
        }
        r = feed(c, out, &(ZSTD_inBuffer) {}, ZSTD_e_flush);
        if (r >= 0)
                c->last_in += n;
        return r;
}

/* Begins a new stream; one that is open is ended first. */
static void mend(Compressor *c, bool open, ZSTD_outBuffer *out) {
        if (!c->broken)
                return;
        (void) ZSTD_CCtx_reset(c->context, ZSTD_reset_session_only);
        if (open) {
                memcpy(out->dst, empty_last_block, sizeof(empty_last_block));
                out->pos = sizeof(empty_last_block);
        }
        c->broken = false;
}

static int put_record(Compressor *c, Source *s) {
        struct perf_event_header h = { .type = PERF_RECORD_COMPRESSED };
        size_t start = c->records.size;
        uint8_t *p = byte_buffer_extend(&c->records, sizeof(h) + OUTPUT_MAX);
        ZSTD_outBuffer out = { .size = OUTPUT_MAX };
        Source saved = *s;
        int r;

        if (!p)
                return c->records.error;
        out.dst = p + sizeof(h);
        mend(c, c->open || start > 0, &out);
        r = put_payload(c, s, INPUT_MAX, &out);
        if (r == -E2BIG) {
                *s = saved;
                out.pos = 0;
                c->broken = true;
                mend(c, c->open || start > 0, &out);
                r = put_payload(c, s, INPUT_SAFE, &out);
        }
        if (r < 0)
                return r;
        h.size = (uint16_t) (sizeof(h) + out.pos);
        memcpy(p, &h, sizeof(h));
        c->records.size = start + h.size;
        return 0;
}

int compressor_put(Compressor *c, const struct iovec *segments, size_t n_segments, struct iovec *ret) {
        Source s = { .segments = segments, .n_segments = n_segments };
        int r = 0;

        byte_buffer_reset(&c->records);
        c->last_in = 0;
        while (r >= 0) {
                Source ahead = s;

                if (take(&ahead, 1).size == 0)
                        break;
                r = put_record(c, &s);
        }
        if (r < 0) {
                c->broken = true;
                return r;
        }
        *ret = (struct iovec) { .iov_base = c->records.data, .iov_len = c->records.size };
        return 0;
}

void compressor_settle(Compressor *c, bool written) {
        if (c->records.size == 0)
                return;
        if (!written) {
                c->broken = true;
                return;
        }
        c->open = true;
        c->in += c->last_in;
        c->out += c->records.size;
}

void compressor_sizes(const Compressor *c, uint64_t *ret_in, uint64_t *ret_out) {
        *ret_in = c->in;
        *ret_out = c->out;
}

struct BlockCompressor {
        ZSTD_CCtx *context;
};

int block_compressor_new(BlockCompressor **ret) {
        _cleanup_(block_compressor_freep) BlockCompressor *c = calloc(1, sizeof(*c));

        if (!c)
                return -ENOMEM;
        c->context = ZSTD_createCCtx();
        if (!c->context || ZSTD_isError(ZSTD_CCtx_setParameter(c->context, ZSTD_c_checksumFlag, 1)))
                return -ENOMEM;
        *ret = steal_ptr(c);
        return 0;
}

BlockCompressor *block_compressor_free(BlockCompressor *c) {
        if (!c)
                return NULL;
        (void) ZSTD_freeCCtx(c->context);
        free(c);
        return NULL;
}

int block_compress(BlockCompressor *c, int level, const void *data, size_t size, void *to, size_t capacity, size_t *ret_size) {
        size_t n;

        if (level < 1 || level > COMPRESS_LEVEL_MAX)
                return -EINVAL;
        (void) ZSTD_CCtx_setParameter(c->context, ZSTD_c_compressionLevel, level); /* between frames it can't fail */
        n = ZSTD_compress2(c->context, to, capacity, data, size);
        if (ZSTD_isError(n))
                return ZSTD_getErrorCode(n) == ZSTD_error_dstSize_tooSmall ? -E2BIG : -ENOMEM;
        *ret_size = n;
        return 0;
}
