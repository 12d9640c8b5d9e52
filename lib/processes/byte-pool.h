/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"

/* Blocks of bytes, each kept once and found by a number, such as names of files that thousands of processes have
 * mapped. Numbers begin with 1, so that 0 can stand for none. References are not counted: a caller that knows all
 * numbers in use marks them, and a sweep frees the others. Zero-initialise. */
typedef struct ByteBlock {
        uint32_t size;
        uint32_t hash;
        bool marked;
        _Alignas(4) uint8_t data[];
} ByteBlock;

/* Memory of a pool that is never swept: blocks lie one behind the other, and are freed together. */
typedef struct ByteChunks {
        bool used;           /* the owner sets it before the first block */
        uint8_t **chunks;
        size_t n, allocated; /* chunks */
        size_t filled, size; /* bytes of the last one */
} ByteChunks;

typedef struct BytePool {
        ByteBlock **blocks;  /* by number - 1; NULL: free */
        size_t n, allocated; /* of the array: numbers in use or spare */
        HashIndex index;     /* of numbers, with the hash above them */
        uint32_t *spare;     /* numbers that were swept, to be given again; room for all */
        size_t n_spare;
        size_t block_bytes;  /* allocated for blocks */
        ByteChunks chunks;
} BytePool;

void byte_pool_done(BytePool *p);

/* Returns the number of that block; 0: there is none. It changes nothing. */
uint32_t byte_pool_find(const BytePool *p, const void *data, size_t size);

/* Returns the number of that block, which is copied if it is new. -ENOMEM; -ENOSPC: there are 2^31 blocks. size may be
 * 0. */
int byte_pool_intern(BytePool *p, const void *data, size_t size, uint32_t *ret);

static inline const ByteBlock *byte_pool_get(const BytePool *p, uint32_t number) {
        return p->blocks[number - 1];
}

/* Marks a block as used. The number 0 marks nothing. */
static inline void byte_pool_mark(BytePool *p, uint32_t number) {
        if (number > 0)
                p->blocks[number - 1]->marked = true;
}

/* Frees the blocks that are not marked, and removes the marks. Not of a pool in chunks. */
void byte_pool_sweep(BytePool *p);

size_t byte_pool_memory(const BytePool *p); /* bytes allocated for all of it */
