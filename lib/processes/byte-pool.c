/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Interned bytes. Numbers that a sweep frees are given again, so that the array of blocks is never longer than the
 * largest number of blocks that existed at once. */

#include "byte-pool.h"

#include "array.h"

#define BLOCKS_MAX (SIZE_MAX < (1u << 31) ? SIZE_MAX : 1u << 31)

#define CHUNK_SIZE ((size_t) 256 << 10)

void byte_pool_done(BytePool *p) {
        for (size_t i = 0; i < p->n && !p->chunks.used; i++)
                free(p->blocks[i]);
        for (size_t i = 0; i < p->chunks.n; i++)
                free(p->chunks.chunks[i]);
        free(p->chunks.chunks);
        free(p->blocks);
        free(p->spare);
        hash_index_done(&p->index);
        *p = (BytePool) {};
}

size_t byte_pool_memory(const BytePool *p) {
        return p->block_bytes + p->allocated * (sizeof(ByteBlock *) + sizeof(*p->spare)) + hash_index_memory(&p->index);
}

static uint64_t half_of(const ByteBlock *b) {
        return (uint64_t) b->hash << 32;
}

static const ByteBlock *entry_block(const BytePool *p, uintptr_t entry) {
        return p->blocks[hash_index_number(entry) - 1];
}

static uint64_t entry_hash(const void *owner, uintptr_t entry) {
        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : half_of(entry_block(owner, entry));
}

static bool entry_is(const BytePool *p, uintptr_t entry, uint64_t half, const void *data, size_t size) {
        const ByteBlock *b;

        if (!hash_index_may_be(entry, half))
                return false;
        b = entry_block(p, entry);
        return half_of(b) == half && b->size == size && (size == 0 || memcmp(b->data, data, size) == 0);
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

/* NULL: no memory. */
static void *chunks_take(ByteChunks *c, size_t size) {
        uint8_t *chunk;

        if (size > c->size - c->filled) {
                size_t room = MAX_OF(size, CHUNK_SIZE);

                if (ARRAY_RESERVE(c->chunks, c->allocated, c->n + 1) < 0)
                        return NULL;
                chunk = malloc(room);
                if (!chunk)
                        return NULL;
                c->chunks[c->n++] = chunk;
                c->filled = 0;
                c->size = room;
        }
        chunk = c->chunks[c->n - 1] + c->filled;
        c->filled += MIN_OF((size + _Alignof(ByteBlock) - 1) & ~(_Alignof(ByteBlock) - 1), c->size - c->filled);
        return chunk;
}

static int add_block(BytePool *p, uint64_t half, const void *data, size_t size, uint32_t *ret) {
        _cleanup_free_ ByteBlock *own = NULL;
        ByteBlock *b;
        uint32_t number;
        int r = reserve_block(p);

        if (r < 0)
                return r;
        if (p->chunks.used)
                b = chunks_take(&p->chunks, sizeof(*b) + size);
        else
                b = own = malloc(sizeof(*b) + size);
        if (!b)
                return -ENOMEM;
        *b = (ByteBlock) { .size = (uint32_t) size, .hash = (uint32_t) (half >> 32) };
        if (size > 0)
                memcpy(b->data, data, size);
        number = p->n_spare > 0 ? p->spare[p->n_spare - 1] : (uint32_t) p->n + 1;
        r = hash_index_add(&p->index, half, hash_index_entry(half, number), entry_hash, p);
        if (r < 0)
                return r;
        if (p->n_spare > 0)
                p->n_spare--;
        else
                p->n++;
        p->blocks[number - 1] = b;
        (void) steal_ptr(own);
        p->block_bytes += sizeof(*b) + size;
        *ret = number;
        return 0;
}

static uint32_t find_block(const BytePool *p, uint64_t half, const void *data, size_t size) {
        return hash_index_number(HASH_INDEX_FIND(&p->index, half, entry, entry_is(p, entry, half, data, size)));
}

uint32_t byte_pool_find(const BytePool *p, const void *data, size_t size) {
        return find_block(p, HASH_INDEX_HALF(hash_bytes(0, data, size)), data, size);
}

int byte_pool_intern(BytePool *p, const void *data, size_t size, uint32_t *ret) {
        uint64_t half;

        if (size > UINT32_MAX)
                return -ENOSPC;
        half = HASH_INDEX_HALF(hash_bytes(0, data, size));
        *ret = find_block(p, half, data, size);
        return *ret > 0 ? 0 : add_block(p, half, data, size, ret);
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
                hash_index_remove(&p->index, half_of(b), hash_index_entry(half_of(b), i + 1), entry_hash, p);
                p->block_bytes -= sizeof(*b) + b->size;
                free(b);
                p->blocks[i] = NULL;
                p->spare[p->n_spare++] = i + 1;
        }
}
