/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A cache of pages of processes, and of whole call chains, that were looked up lately. Its size is fixed; a newer one
 * replaces an older one. Zero-initialise.
 *
 * Keys are hashes of 64 bits, and equal hashes count as equal things: a wrong match, one in many lifetimes, costs a
 * build id. The key of an empty slot is 0, which is as rare a hash. */
#define HIT_CACHE_SLOTS 8192u
#define HIT_CACHE_GENERATIONS 1024u

typedef struct HitCache {
        uint64_t seen[HIT_CACHE_SLOTS];
        uint32_t generations[HIT_CACHE_GENERATIONS]; /* by pid; a change makes all its keys miss */
} HitCache;

/* Forgets that process, since something was mapped in it. */
static inline void hit_cache_forget(HitCache *c, uint32_t pid) {
        c->generations[pid % HIT_CACHE_GENERATIONS]++;
}

/* All addresses of a page are in the same map. */
#define HIT_CACHE_PAGE_SHIFT 12

static inline uint64_t hit_cache_mix(uint64_t h, uint64_t v) {
        h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
        return h ^ h >> 32;
}

static inline uint64_t hit_cache_begin(const HitCache *c, uint32_t pid) {
        return hit_cache_mix(pid, (uint64_t) c->generations[pid % HIT_CACHE_GENERATIONS] << 32 | 1);
}

static inline uint64_t hit_cache_page_key(const HitCache *c, uint32_t pid, uint64_t address) {
        return hit_cache_mix(hit_cache_begin(c, pid), address >> HIT_CACHE_PAGE_SHIFT);
}

/* The key of a call chain of the process, which may pass through the kernel. It takes four words at a time, so that
 * multiplications do not wait for each other. */
static inline uint64_t hit_cache_chain_key(const HitCache *c, uint32_t pid, uint32_t kernel_pid, const uint64_t *addresses,
                                           size_t n) {
        uint64_t lanes[4] = { hit_cache_begin(c, pid), hit_cache_begin(c, kernel_pid), n, ~(uint64_t) n };
        size_t i = 0;

        for (; i + ELEMENTSOF(lanes) <= n; i += ELEMENTSOF(lanes))
                for (size_t k = 0; k < ELEMENTSOF(lanes); k++)
                        lanes[k] = hit_cache_mix(lanes[k], addresses[i + k]);
        for (; i < n; i++)
                lanes[0] = hit_cache_mix(lanes[0], addresses[i]);
        return hit_cache_mix(hit_cache_mix(lanes[0], lanes[1]), hit_cache_mix(lanes[2], lanes[3]));
}

static inline bool hit_cache_has(const HitCache *c, uint64_t key) {
        return c->seen[key % HIT_CACHE_SLOTS] == key;
}

static inline void hit_cache_put(HitCache *c, uint64_t key) {
        c->seen[key % HIT_CACHE_SLOTS] = key;
}
