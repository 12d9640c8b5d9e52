/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"

/* Records into PERF_RECORD_COMPRESSED records: one zstd stream over all of a file's data, flushed at the end of each
 * record, so that whatever was written can be read. One for each file. */
typedef struct Compressor Compressor;

#define COMPRESS_LEVEL_DEFAULT 1 /* perf record's */
#define COMPRESS_LEVEL_MAX 22

/* Bytes that one record grows to at most when it is read: readers are told (COMPRESSED feature), and perf 6.1 needs twice
 * of what there really is, because it can't go on after a full buffer. */
#define COMPRESS_READ_SIZE (256u * 1024)

/* -EINVAL: level; -ENOMEM. */
int compressor_new(int level, Compressor **ret);
Compressor *compressor_free(Compressor *c);
DEFINE_CLEANUP(Compressor *, compressor_free);

/* *ret: whole records that hold the segments' bytes; the compressor's, until its next call. -ENOMEM, -E2BIG (256 MiB). */
int compressor_put(Compressor *c, const struct iovec *segments, size_t n_segments, struct iovec *ret);

/* Whether what compressor_put() answered last is in the file. A reader must never miss a part of the stream: after
 * something was dropped, the next record ends the stream and begins another. */
void compressor_settle(Compressor *c, bool written);

/* Bytes that went in and came out, of what is in the file. */
void compressor_sizes(const Compressor *c, uint64_t *ret_in, uint64_t *ret_out);
int compressor_level(const Compressor *c);

/* Memory into one zstd frame that stands alone, with a checksum of what is in it; decompress.h has the way back. */
typedef struct BlockCompressor BlockCompressor;

int block_compressor_new(BlockCompressor **ret); /* -ENOMEM */
BlockCompressor *block_compressor_free(BlockCompressor *c);
DEFINE_CLEANUP(BlockCompressor *, block_compressor_free);

/* -E2BIG: it does not fit into capacity bytes; -EINVAL: level; -ENOMEM. */
int block_compress(BlockCompressor *c, int level, const void *data, size_t size, void *to, size_t capacity, size_t *ret_size);
