/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "compress.h"
#include "history.h"
#include "sample-columns.h"

#include <pthread.h>

/* The layout of the region, for the files of this folder only.
 *
 *   head | slot 0 | slot 1 | block being filled | store
 *
 * A slot holds a whole state; head.committed is the sequence number of the state in force, and its lowest bit is the
 * slot. Invariant: nothing that the state in force refers to is written to; only the other slot, the rest of the block
 * being filled, and free space of the store are. The store is circular: offsets into it only grow, and are taken
 * modulo its size. A block is contiguous: if the end of the store is too near, the rest up to it stays empty. */

typedef struct RegionHead {
        uint64_t magic;
        uint64_t size;
        uint64_t max_age; /* µs */
        uint64_t n_rings;
        int32_t level;
        int32_t time_word;
        uint8_t unmark_maps;
        uint8_t sample_type; /* 0 in regions of previous versions, too */
        uint16_t chain_word;
        uint32_t switch_word;
        uint64_t checksum;  /* of all above */
        uint64_t committed;
} RegionHead;

typedef struct RegionState {
        uint64_t checksum;       /* of all below, tails too */
        uint64_t sequence;
        uint64_t first, end;     /* of the blocks in the store */
        uint64_t fill_position;  /* of the block being filled */
        uint64_t fill_size;
        uint64_t samples_before; /* samples of all blocks before the one being filled, since the beginning */
        uint64_t dropped;        /* samples of the blocks that were dropped */
        uint64_t newest;         /* the latest time of a sample or context switch */
        HistoryCounts fill;
        uint64_t tails[];
} RegionState;

#define BLOCK_MAGIC         UINT64_C(0x6b636f6c62747368) /* "hstblock" */
#define BLOCK_MAGIC_COLUMNS UINT64_C(0x736d756c6f637368) /* "hscolums" */

/* Before each block in the store. */
typedef struct RegionBlock {
        uint64_t checksum; /* of all below */
        uint64_t magic;    /* BLOCK_MAGIC; BLOCK_MAGIC_COLUMNS: what was compressed begins with its size, and has columns */
        uint64_t position;
        uint64_t samples_before;
        uint32_t size;     /* of the records */
        uint32_t stored;   /* bytes that follow; equal to size: not compressed */
        HistoryCounts counts;
} RegionBlock;

struct History {
        HistoryOptions options;
        int fd;
        uint8_t *region;
        size_t state_size;
        size_t fill_max, store_size;
        RegionHead *head;
        uint8_t *slots[2];
        uint8_t *fill;
        uint8_t *store;
        RegionState *state;   /* the next one: the state in force, and what was appended since */
        HistoryCounts appended; /* by this process */
        uint64_t now;         /* of history_tell_time(); 0: not known */
        BlockCompressor *compressor;
        SampleColumns *columns; /* NULL: blocks are not rearranged */
        ByteBuffer arranged;
        uint8_t *packed;      /* a block on its way into the store */
        pthread_mutex_t lock; /* for all that is in the region, and for the fields from state to now */
};

/* Maps a descriptor of options->size bytes; checks the options, not the region. On success the descriptor is the
 * History's. */
int history_map(int fd, const HistoryOptions *options, History **ret);
uint64_t history_region_size(uint64_t size); /* rounded up to whole pages */

uint64_t history_checksum(const void *data, size_t size); /* size: a multiple of 8 */
void history_seal_head(RegionHead *head);
bool history_head_is_valid(const RegionHead *head);

const RegionState *history_committed(const History *h);

/* Checks the whole of a region that was taken over: 0, or -EBADMSG. */
int history_check(const History *h);

/* Columns of a block of that size take fewer bytes, or it is not rearranged. */
size_t history_columns_max(uint32_t size);
SamplePlaces history_places(const HistoryOptions *o);

/* Returns the block at *at, which is below end; *at moves over the empty rest of the store, if there is one. NULL: the
 * region is damaged. */
const RegionBlock *history_block(const History *h, uint64_t *at, uint64_t end);
uint64_t history_block_span(uint32_t stored); /* bytes that it takes in the store */
void history_seal_block(RegionBlock *block);

/* Counts the whole records in size bytes at p, and mends them (options->unmark_maps). Returns their bytes; *ret_bad: the next
 * bytes are no record. */
size_t history_scan(const HistoryOptions *options, uint8_t *p, size_t size, HistoryCounts *counts, bool *ret_bad);
void history_counts_add(HistoryCounts *to, const HistoryCounts *counts);
