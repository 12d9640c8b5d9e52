/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The lock is for a chain that is new, which is rare: its block stays where it is, and the array of blocks may move. */

#include "recorded-chains.h"

#define BYTES_MAX ((size_t) 1 << 30)

void recorded_chains_init(RecordedChains *c) {
        *c = (RecordedChains) { .pool.chunks.used = true };
        (void) pthread_mutex_init(&c->lock, NULL);
}

void recorded_chains_done(RecordedChains *c) {
        byte_pool_done(&c->pool);
        (void) pthread_mutex_destroy(&c->lock);
}

void recorded_chains_clear(RecordedChains *c) {
        byte_pool_done(&c->pool);
        c->pool.chunks.used = true;
}

bool recorded_chains_has_room(const RecordedChains *c) {
        return c->pool.block_bytes <= BYTES_MAX;
}

/* Most chains are known, and to find them changes nothing. */
int recorded_chains_intern(RecordedChains *c, const uint64_t *chain, size_t n, uint32_t *ret) {
        int r;

        *ret = byte_pool_find(&c->pool, chain, n * sizeof(*chain));
        if (*ret > 0)
                return 0;
        (void) pthread_mutex_lock(&c->lock);
        r = byte_pool_intern(&c->pool, chain, n * sizeof(*chain), ret);
        (void) pthread_mutex_unlock(&c->lock);
        return r;
}

const void *recorded_chains_get(RecordedChains *c, uint32_t number, size_t *ret_n) {
        const ByteBlock *block;

        *ret_n = 0;
        if (number == 0)
                return NULL;
        (void) pthread_mutex_lock(&c->lock);
        block = byte_pool_get(&c->pool, number);
        (void) pthread_mutex_unlock(&c->lock);
        *ret_n = block->size / sizeof(uint64_t);
        return block->data;
}
