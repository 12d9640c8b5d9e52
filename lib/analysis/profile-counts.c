/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Millions of samples hit some ten thousand addresses, so names are looked up once for each of these, at the end. */

#include "profile-counts.h"

#include "array.h"

void address_counts_done(AddressCounts *c) {
        hash_index_done(&c->index);
        free(c->counts);
        *c = (AddressCounts) {};
}

static uint64_t hash_of_address(uint32_t object, uint64_t address) {
        return hash_mix(object, address);
}

static uint64_t hash_of_count(const void *owner, uintptr_t entry) {
        const AddressCount *count = ((const AddressCounts *) owner)->counts + entry - 1;

        return hash_of_address(count->object, count->address);
}

static AddressCount *find_count(const AddressCounts *c, uint32_t object, uint64_t address) {
        uintptr_t found = HASH_INDEX_FIND(&c->index, hash_of_address(object, address), entry,
                                          c->counts[entry - 1].object == object && c->counts[entry - 1].address == address);

        return found > 0 ? c->counts + found - 1 : NULL;
}

int address_counts_add(AddressCounts *c, uint32_t object, uint64_t address, uint64_t count) {
        AddressCount *found = find_count(c, object, address);

        if (!found && c->n >= ADDRESS_COUNTS_MAX) {
                address = 0;
                found = find_count(c, object, address);
        }
        if (!found) {
                if (ARRAY_RESERVE(c->counts, c->allocated, c->n + 1) < 0 ||
                    hash_index_add(&c->index, hash_of_address(object, address), c->n + 1, hash_of_count, c) < 0)
                        return -ENOMEM;
                found = c->counts + c->n++;
                *found = (AddressCount) { .address = address, .object = object };
        }
        found->count += count;
        return 0;
}
