/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A hash table with open addressing. Millions of samples hit some ten thousand addresses, so that names are looked up
 * once for each of these, at the end. */

#include "profile-counts.h"

void address_counts_done(AddressCounts *c) {
        free(c->slots);
        *c = (AddressCounts) {};
}

static AddressCount *find_slot(const AddressCounts *c, uint32_t object, uint64_t address) {
        uint64_t hash = (address ^ (uint64_t) object << 40) * UINT64_C(0x9e3779b97f4a7c15);
        size_t i = (hash ^ hash >> 32) & (c->n_slots - 1);

        while (c->slots[i].count > 0 && (c->slots[i].object != object || c->slots[i].address != address))
                i = (i + 1) & (c->n_slots - 1);
        return c->slots + i;
}

static int grow(AddressCounts *c) {
        AddressCounts larger = { .n = c->n, .n_slots = c->n_slots > 0 ? c->n_slots * 2 : 1024 };

        if (c->n * 2 < c->n_slots)
                return 0;
        larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
        if (!larger.slots)
                return -ENOMEM;
        for (size_t i = 0; i < c->n_slots; i++)
                if (c->slots[i].count > 0)
                        *find_slot(&larger, c->slots[i].object, c->slots[i].address) = c->slots[i];
        free(c->slots);
        *c = larger;
        return 0;
}

int address_counts_add(AddressCounts *c, uint32_t object, uint64_t address, uint64_t count) {
        AddressCount *slot;
        int r = grow(c);

        if (r < 0)
                return r;
        slot = find_slot(c, object, address);
        if (slot->count == 0 && c->n >= ADDRESS_COUNTS_MAX)
                slot = find_slot(c, object, 0);
        if (slot->count == 0) {
                *slot = (AddressCount) { .address = c->n >= ADDRESS_COUNTS_MAX ? 0 : address, .object = object };
                c->n++;
        }
        slot->count += count;
        return 0;
}
