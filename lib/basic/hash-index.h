/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A hash table over entries that are stored elsewhere: it finds them by a hash, and knows nothing else of them. An
 * entry is a number (not 0) or a pointer, by which the owner finds the rest. Zero-initialise.
 *
 * The hashes do not withstand deliberate collisions: owners limit the number of entries that hostile input can
 * make. */
typedef struct HashIndex {
        uintptr_t *slots; /* 0: free */
        size_t n;         /* entries */
        unsigned bits;    /* of the number of slots */
} HashIndex;

/* Returns the hash of an entry of the index; called when the index grows or an entry is removed. */
typedef uint64_t HashOfEntry(const void *owner, uintptr_t entry);

void hash_index_done(HashIndex *x);

/* Adds an entry, without a check that it is new. 0 or -ENOMEM. */
int hash_index_add(HashIndex *x, uint64_t hash, uintptr_t entry, HashOfEntry *hash_of, const void *owner);
/* The entry must be in the index. */
void hash_index_remove(HashIndex *x, uint64_t hash, uintptr_t entry, HashOfEntry *hash_of, const void *owner);
/* Replaces the entry "from", which must be in the index, by another one with the same hash. */
void hash_index_replace(HashIndex *x, uint64_t hash, uintptr_t from, uintptr_t to);

size_t hash_index_memory(const HashIndex *x); /* bytes allocated */

static inline size_t hash_index_first_slot(const HashIndex *x, uint64_t hash) {
        return (size_t) (hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - x->bits));
}

/* The entry for which is_it, an expression of "entry", is true; 0: there is none. */
#define HASH_INDEX_FIND(x, hash, entry, is_it)                                                       \
        ({                                                                                           \
                const HashIndex *_x = (x);                                                           \
                size_t _slot = _x->bits > 0 ? hash_index_first_slot(_x, (hash)) : 0;                 \
                uintptr_t entry = _x->bits > 0 ? _x->slots[_slot] : 0;                               \
                                                                                                     \
                while (entry != 0 && !(is_it)) {                                                     \
                        _slot = (_slot + 1) & (((size_t) 1 << _x->bits) - 1);                        \
                        entry = _x->slots[_slot];                                                    \
                }                                                                                    \
                entry;                                                                               \
        })

/* An entry that is a number may have the upper half of its hash with it, if the hash has no other bits and pointers have 64: then
 * neither a look-up nor the growth of the index reads what is stored elsewhere of any other entry. Millions of entries are not in
 * the processor's caches. */
#define HASH_INDEX_HALF(hash) ((uint64_t) (hash) & ~(uint64_t) UINT32_MAX)
#define HASH_INDEX_HAS_HASH (sizeof(uintptr_t) >= sizeof(uint64_t))

static inline uintptr_t hash_index_entry(uint64_t half, uint32_t number) {
        return (uintptr_t) ((HASH_INDEX_HAS_HASH ? half : 0) | number);
}

static inline uint32_t hash_index_number(uintptr_t entry) {
        return (uint32_t) entry;
}

static inline bool hash_index_may_be(uintptr_t entry, uint64_t half) {
        return !HASH_INDEX_HAS_HASH || HASH_INDEX_HALF(entry) == half;
}

/* The mixer of all tables: adds a word to a hash, which may begin with any word. Different words give different hashes. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word) {
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash = (hash ^ hash >> 29) * UINT64_C(0xc4ceb9fe1a85ec53);
        return hash ^ hash >> 32;
}

/* Adds bytes, and their number. They may have any alignment. */
uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);
