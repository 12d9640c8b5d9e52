/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"

/* Counts how often each address of each object was hit. Zero-initialise. */
typedef struct AddressCount {
        uint64_t address, count;
        uint32_t object;
} AddressCount;

typedef struct AddressCounts {
        AddressCount *counts;
        size_t n, allocated;
        HashIndex index; /* of number + 1 */
} AddressCounts;

#define ADDRESS_COUNTS_MAX (16u << 20) /* addresses; beyond it address 0 stands for all others of an object */

void address_counts_done(AddressCounts *c);
int address_counts_add(AddressCounts *c, uint32_t object, uint64_t address, uint64_t count); /* 0, -ENOMEM */
