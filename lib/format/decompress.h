/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* The inverse of compress.h: a zstd stream that comes in pieces, and the records in it, which need not end where a
 * piece does. Memory is bounded, whatever size the stream states, and so is time: a few bytes can decompress to
 * gigabytes, while those of records become some ten times as many. */
typedef struct Decompressor Decompressor;

#define DECOMPRESSOR_RATIO_MAX 1000u               /* bytes that a byte may become … */
#define DECOMPRESSOR_FREE (UINT64_C(64) << 20)     /* … beyond this many */

int decompressor_new(Decompressor **ret); /* -ENOMEM */
Decompressor *decompressor_free(Decompressor *d);
DEFINE_CLEANUP(Decompressor *, decompressor_free);

/* Adds the next piece, which must stay valid until decompressor_next() has returned 0. */
void decompressor_put(Decompressor *d, const void *data, size_t size);

/* 1: *ret is the next record, aligned, valid until the next call; 0: the piece is used up; -EBADMSG, also above the limit. */
int decompressor_next(Decompressor *d, const struct perf_event_header **ret);

void decompressor_reset(Decompressor *d);

/* Unpacks a frame of block_compress(), or frames that others made, into exactly that many bytes. -EBADMSG: it is damaged or of
 * another size; -ENOMEM. */
int block_decompress(const void *data, size_t size, void *to, size_t expected);

/* Unpacks zstd frames that others made, and gives take what they hold piece by piece, until that returns an error. 0;
 * -EBADMSG: they are damaged, not whole, or ask for more than 64 MiB of memory; -ENOMEM, take's. */
int frames_decompress(const void *data, size_t size, int (*take)(void *userdata, const void *piece, size_t size), void *userdata);
