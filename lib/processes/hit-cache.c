/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Keys are hashes of 64 bits, and equal hashes are taken for equal things: a wrong match costs a build id, one time in
 * many lifetimes. The empty slot's key is 0, which a hash is as rarely. */

#include "hit-cache.h"

/* Four words at a time, so that multiplications do not wait for each other. */
uint64_t hit_cache_chain_key(const HitCache *c, uint32_t pid, uint32_t kernel_pid, const uint64_t *addresses, size_t n) {
        uint64_t lanes[4] = { hit_cache_begin(c, pid), hit_cache_begin(c, kernel_pid), n, ~(uint64_t) n };
        size_t i = 0;

        for (; i + ELEMENTSOF(lanes) <= n; i += ELEMENTSOF(lanes))
                for (size_t k = 0; k < ELEMENTSOF(lanes); k++)
                        lanes[k] = hit_cache_mix(lanes[k], addresses[i + k]);
        for (; i < n; i++)
                lanes[0] = hit_cache_mix(lanes[0], addresses[i]);
        return hit_cache_mix(hit_cache_mix(lanes[0], lanes[1]), hit_cache_mix(lanes[2], lanes[3]));
}
