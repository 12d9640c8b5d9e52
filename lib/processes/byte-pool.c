/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Interned bytes. Numbers that a sweep frees are given again, so that the array of blocks is never longer than the
 * largest number of blocks that existed at once. */

#include "byte-pool.h"

#include "array.h"

#define BLOCKS_MAX (SIZE_MAX < (1u << 31) ? SIZE_MAX : 1u << 31)

void byte_pool_done(BytePool *p) {
        for (size_t i = 0; i < p->n; i++)
                free(p->blocks[i]);
        free(p->blocks);
        free(p->spare);
        hash_index_done(&p->index);
        *p = (BytePool) {};
}

size_t byte_pool_memory(const BytePool *p) {
        return p->block_bytes + p->allocated * (sizeof(ByteBlock *) + sizeof(*p->spare)) + hash_index_memory(&p->index);
}

static uint64_t hash_of_block(const void *owner, uintptr_t number) {
        const BytePool *p = owner;

        return p->blocks[number - 1]->hash;
}

static bool is_block(const ByteBlock *b, uint32_t hash, const void *data, size_t size) {
        return b->hash == hash && b->size == size && (size == 0 || memcmp(b->data, data, size) == 0);
}

static int reserve_block(BytePool *p) {
        size_t room = array_room(p->allocated, p->n + 1, sizeof(ByteBlock *));

        if (p->n_spare > 0 || p->n < p->allocated)
                return 0;
        if (p->n >= BLOCKS_MAX)
                return -ENOSPC;
        if (ARRAY_RESIZE(p->spare, room) < 0 || ARRAY_RESIZE(p->blocks, room) < 0)
                return -ENOMEM;
        p->allocated = room;
        return 0;
}

static int add_block(BytePool *p, uint32_t hash, const void *data, size_t size, uint32_t *ret) {
        _cleanup_free_ ByteBlock *b = NULL;
        uint32_t number;
        int r = reserve_block(p);

        if (r < 0)
                return r;
        b = malloc(sizeof(*b) + size);
        if (!b)
                return -ENOMEM;
        *b = (ByteBlock) { .size = (uint32_t) size, .hash = hash };
        if (size > 0)
                memcpy(b->data, data, size);
        number = p->n_spare > 0 ? p->spare[p->n_spare - 1] : (uint32_t) p->n + 1;
        r = hash_index_add(&p->index, hash, number, hash_of_block, p);
        if (r < 0)
                return r;
        if (p->n_spare > 0)
                p->n_spare--;
        else
                p->n++;
        p->blocks[number - 1] = steal_ptr(b);
        p->block_bytes += sizeof(*b) + size;
        *ret = number;
        return 0;
}

int byte_pool_intern(BytePool *p, const void *data, size_t size, uint32_t *ret) {
        uint32_t hash;
        uintptr_t found;

        if (size > UINT32_MAX)
                return -ENOSPC;
        hash = (uint32_t) hash_bytes(0, data, size);
        found = HASH_INDEX_FIND(&p->index, hash, number, is_block(p->blocks[number - 1], hash, data, size));
        if (found == 0)
                return add_block(p, hash, data, size, ret);
        *ret = (uint32_t) found;
        return 0;
}

void byte_pool_sweep(BytePool *p) {
        for (uint32_t i = 0; i < p->n; i++) {
                ByteBlock *b = p->blocks[i];

                if (!b)
                        continue;
                if (b->marked) {
                        b->marked = false;
                        continue;
                }
                hash_index_remove(&p->index, b->hash, i + 1, hash_of_block, p);
                p->block_bytes -= sizeof(*b) + b->size;
                free(b);
                p->blocks[i] = NULL;
                p->spare[p->n_spare++] = i + 1;
        }
}
