/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"

/* The records, or other bytes, that were put already. Zero-initialise. */
typedef struct RecordSet {
        uint64_t *hashes;
        size_t n, allocated;
        HashIndex index; /* of number + 1 */
} RecordSet;

void record_set_done(RecordSet *s);
/* 1: it is new, and in the set now; 0: it was in the set; -ENOMEM. */
int record_set_put(RecordSet *s, const void *record, size_t size);
