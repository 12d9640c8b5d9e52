/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"

/* Packs records into PERF_RECORD_COMPRESSED records: one zstd stream over all of a file's data, flushed at the end of
 * each record, so that all that was written can be read. Each file needs a compressor of its own. */
typedef struct Compressor Compressor;

#define COMPRESS_LEVEL_DEFAULT 1 /* perf record's */
#define COMPRESS_LEVEL_MAX 22

/* The most bytes that one record becomes when it is read, for the COMPRESSED feature: perf 6.1 needs twice the real
 * number, because it can't continue after a full buffer. */
#define COMPRESS_READ_SIZE (256u * 1024)

/* -EINVAL: wrong level; -ENOMEM. */
int compressor_new(int level, Compressor **ret);
Compressor *compressor_free(Compressor *c);
DEFINE_CLEANUP(Compressor *, compressor_free);

/* *ret are whole records with the segments' bytes; the compressor's, until its next call. -ENOMEM, -E2BIG (256 MiB). */
int compressor_put(Compressor *c, const struct iovec *segments, size_t n_segments, struct iovec *ret);

/* To be called after the records of the last compressor_put() were written or dropped. A reader must not miss a part
 * of the stream: after a drop, the next record ends the stream and begins another. */
void compressor_settle(Compressor *c, bool written);

/* Returns the bytes before and after compression, of all that was written. */
void compressor_sizes(const Compressor *c, uint64_t *ret_in, uint64_t *ret_out);

/* Packs memory into a single zstd frame with a checksum of its content; block_decompress() unpacks it. */
typedef struct BlockCompressor BlockCompressor;

int block_compressor_new(BlockCompressor **ret); /* -ENOMEM */
BlockCompressor *block_compressor_free(BlockCompressor *c);
DEFINE_CLEANUP(BlockCompressor *, block_compressor_free);

/* -E2BIG: it does not fit into capacity bytes; -EINVAL: wrong level; -ENOMEM. */
int block_compress(BlockCompressor *c, int level, const void *data, size_t size, void *to, size_t capacity, size_t *ret_size);
