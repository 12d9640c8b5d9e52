/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Open addressing with linear probing, at most two thirds full. A removed entry leaves no mark: those after it move up
 * as far as their hashes allow, so that a table from which many entries were removed stays as fast as a new one.
 *
 * Invariant: no slot is free between the slot of an entry's hash and the one that it is in. */

#include "hash-index.h"

#define FIRST_BITS 6u

static size_t hash_index_mask(const HashIndex *x) {
        return ((size_t) 1 << x->bits) - 1;
}

void hash_index_done(HashIndex *x) {
        free(x->slots);
        *x = (HashIndex) {};
}

size_t hash_index_memory(const HashIndex *x) {
        return x->bits > 0 ? sizeof(*x->slots) << x->bits : 0;
}

static void enter_slot(HashIndex *x, uint64_t hash, uintptr_t entry) {
        size_t i = hash_index_first_slot(x, hash);

        while (x->slots[i] != 0)
                i = (i + 1) & hash_index_mask(x);
        x->slots[i] = entry;
}

static int grow_slots(HashIndex *x, HashOfEntry *hash_of, const void *owner) {
        HashIndex larger = { .n = x->n, .bits = x->bits > 0 ? x->bits + 1 : FIRST_BITS };

        larger.slots = calloc((size_t) 1 << larger.bits, sizeof(*larger.slots));
        if (!larger.slots)
                return -ENOMEM;
        for (size_t i = 0; x->bits > 0 && i <= hash_index_mask(x); i++)
                if (x->slots[i] != 0)
                        enter_slot(&larger, hash_of(owner, x->slots[i]), x->slots[i]);
        free(x->slots);
        *x = larger;
        return 0;
}

int hash_index_add(HashIndex *x, uint64_t hash, uintptr_t entry, HashOfEntry *hash_of, const void *owner) {
        if (x->bits == 0 || (x->n + 1) * 3 > ((size_t) 2 << x->bits)) {
                int r = grow_slots(x, hash_of, owner);

                if (r < 0)
                        return r;
        }
        enter_slot(x, hash, entry);
        x->n++;
        return 0;
}

static size_t slot_of(const HashIndex *x, uint64_t hash, uintptr_t entry) {
        size_t i = hash_index_first_slot(x, hash);

        while (x->slots[i] != entry)
                i = (i + 1) & hash_index_mask(x);
        return i;
}

void hash_index_replace(HashIndex *x, uint64_t hash, uintptr_t from, uintptr_t to) {
        x->slots[slot_of(x, hash, from)] = to;
}

/* Each entry after the gap that may be in it moves there, and leaves the next gap. */
void hash_index_remove(HashIndex *x, uint64_t hash, uintptr_t entry, HashOfEntry *hash_of, const void *owner) {
        size_t mask = hash_index_mask(x), gap = slot_of(x, hash, entry);

        for (size_t i = (gap + 1) & mask; x->slots[i] != 0; i = (i + 1) & mask) {
                size_t first = hash_index_first_slot(x, hash_of(owner, x->slots[i]));

                if (((i - first) & mask) < ((i - gap) & mask))
                        continue;
                x->slots[gap] = x->slots[i];
                gap = i;
        }
        x->slots[gap] = 0;
        x->n--;
}

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
        const uint8_t *p = data;
        uint64_t word;

        hash = hash_mix(hash, size);
        for (; size >= sizeof(word); p += sizeof(word), size -= sizeof(word)) {
                memcpy(&word, p, sizeof(word));
                hash = hash_mix(hash, word);
        }
        if (size == 0)
                return hash;
        word = 0;
        memcpy(&word, p, size);
        return hash_mix(hash, word);
}
