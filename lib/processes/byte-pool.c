/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Interned bytes in a table with open addressing, at most half full. A sweep builds the slots anew in place, so that it
 * needs no memory; the numbers that it frees are given again. */

#include "byte-pool.h"

#include "fnv.h"

#define BLOCKS_MAX (SIZE_MAX < (1u << 31) ? SIZE_MAX : 1u << 31)

void byte_pool_done(BytePool *p) {
        for (size_t i = 0; i < p->n; i++)
                free(p->blocks[i]);
        free(p->blocks);
        free(p->slots);
        free(p->spare);
        *p = (BytePool) {};
}

static uint32_t hash_bytes(const void *data, size_t size) {
        uint64_t h = fnv_bytes(FNV_BEGIN, data, size);

        return (uint32_t) (h ^ h >> 32);
}

static bool is_block(const ByteBlock *b, uint32_t hash, const void *data, size_t size) {
        return b->hash == hash && b->size == size && (size == 0 || memcmp(b->data, data, size) == 0);
}

static void enter_slot(BytePool *p, uint32_t number) {
        size_t i = p->blocks[number - 1]->hash & (p->n_slots - 1);

        while (p->slots[i] != 0)
                i = (i + 1) & (p->n_slots - 1);
        p->slots[i] = number;
}

static void fill_slots(BytePool *p) {
        memset(p->slots, 0, p->n_slots * sizeof(*p->slots));
        for (uint32_t i = 0; i < p->n; i++)
                if (p->blocks[i])
                        enter_slot(p, i + 1);
}

static int grow_slots(BytePool *p) {
        size_t n_slots = p->n_slots > 0 ? p->n_slots * 2 : 256;
        uint32_t *slots;

        if ((p->n - p->n_spare + 1) * 2 <= p->n_slots)
                return 0;
        slots = calloc(n_slots, sizeof(*slots));
        if (!slots)
                return -ENOMEM;
        free(p->slots);
        p->slots = slots;
        p->bytes += (n_slots - p->n_slots) * sizeof(*slots);
        p->n_slots = n_slots;
        fill_slots(p);
        return 0;
}

static int grow_blocks(BytePool *p) {
        size_t allocated = p->allocated > 0 ? p->allocated * 2 : 128;
        ByteBlock **blocks;
        uint32_t *spare;

        if (p->n_spare > 0 || p->n < p->allocated)
                return 0;
        if (p->n >= BLOCKS_MAX)
                return -ENOSPC;
        spare = reallocarray(p->spare, allocated, sizeof(*spare));
        if (!spare)
                return -ENOMEM;
        p->spare = spare;
        blocks = reallocarray(p->blocks, allocated, sizeof(ByteBlock *));
        if (!blocks)
                return -ENOMEM;
        p->blocks = blocks;
        p->bytes += (allocated - p->allocated) * (sizeof(ByteBlock *) + sizeof(*spare));
        p->allocated = allocated;
        return 0;
}

static int add(BytePool *p, uint32_t hash, const void *data, size_t size, uint32_t *ret) {
        ByteBlock *b;
        int r = grow_blocks(p);

        if (r < 0)
                return r;
        b = malloc(sizeof(*b) + size);
        if (!b)
                return -ENOMEM;
        *b = (ByteBlock) { .size = (uint32_t) size, .hash = hash };
        if (size > 0)
                memcpy(b->data, data, size);
        *ret = p->n_spare > 0 ? p->spare[--p->n_spare] : (uint32_t) ++p->n;
        p->blocks[*ret - 1] = b;
        p->bytes += sizeof(*b) + size;
        enter_slot(p, *ret);
        return 0;
}

int byte_pool_intern(BytePool *p, const void *data, size_t size, uint32_t *ret) {
        uint32_t hash = hash_bytes(data, size);
        int r;

        if (size > UINT32_MAX)
                return -ENOSPC;
        r = grow_slots(p);
        if (r < 0)
                return r;
        for (size_t i = hash & (p->n_slots - 1); p->slots[i] != 0; i = (i + 1) & (p->n_slots - 1))
                if (is_block(p->blocks[p->slots[i] - 1], hash, data, size)) {
                        *ret = p->slots[i];
                        return 0;
                }
        return add(p, hash, data, size, ret);
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
                p->bytes -= sizeof(*b) + b->size;
                free(b);
                p->blocks[i] = NULL;
                p->spare[p->n_spare++] = i + 1;
        }
        if (p->n_slots > 0)
                fill_slots(p);
}
