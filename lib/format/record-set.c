/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records are known by a hash of 64 bits of all their bytes, instead of the bytes: among ten million records, the chance that two
 * different ones are taken for the same is one in 400,000. Nothing is ever removed. */

#include "record-set.h"

#include "array.h"

void record_set_done(RecordSet *s) {
        hash_index_done(&s->index);
        free(s->hashes);
        *s = (RecordSet) {};
}

static uint64_t hash_of_record(const void *owner, uintptr_t entry) {
        const RecordSet *s = owner;

        return s->hashes[entry - 1];
}

int record_set_put(RecordSet *s, const void *record, size_t size) {
        uint64_t hash = hash_bytes(0, record, size);

        if (HASH_INDEX_FIND(&s->index, hash, entry, s->hashes[entry - 1] == hash) > 0)
                return 0;
        if (ARRAY_RESERVE(s->hashes, s->allocated, s->n + 1) < 0 ||
            hash_index_add(&s->index, hash, s->n + 1, hash_of_record, s) < 0)
                return -ENOMEM;
        s->hashes[s->n++] = hash;
        return 1;
}
