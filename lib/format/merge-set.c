/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records by a hash of 64 bits of all their bytes, in place of the bytes: of ten million records two different ones are
 * taken for the same with a chance of one in 400,000. Open addressing; nothing is ever removed. */

#include "merge-parts.h"

void record_set_done(RecordSet *s) {
        free(s->hashes);
        *s = (RecordSet) {};
}

static uint64_t hash(const void *record, size_t size) {
        const uint8_t *p = record;
        uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ size;

        for (size_t left = size; left > 0;) {
                size_t n = MIN_OF(left, sizeof(uint64_t));
                uint64_t word = 0;

                memcpy(&word, p, n);
                h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
                h ^= h >> 29;
                h *= UINT64_C(0xc4ceb9fe1a85ec53);
                h ^= h >> 32;
                p += n;
                left -= n;
        }
        return h ?: 1;
}

static uint64_t *find(const RecordSet *s, uint64_t h) {
        size_t i = h & (s->n_slots - 1);

        while (s->hashes[i] != 0 && s->hashes[i] != h)
                i = (i + 1) & (s->n_slots - 1);
        return &s->hashes[i];
}

/* At most half full. */
static int grow(RecordSet *s) {
        RecordSet larger = *s;

        if (s->n * 2 < s->n_slots)
                return 0;
        larger.n_slots = s->n_slots > 0 ? s->n_slots * 2 : 1024;
        larger.hashes = calloc(larger.n_slots, sizeof(*larger.hashes));
        if (!larger.hashes)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_slots; i++)
                if (s->hashes[i] != 0)
                        *find(&larger, s->hashes[i]) = s->hashes[i];
        free(s->hashes);
        *s = larger;
        return 0;
}

int record_set_put(RecordSet *s, const void *record, size_t size) {
        uint64_t h = hash(record, size), *slot;
        int r = grow(s);

        if (r < 0)
                return r;
        slot = find(s, h);
        if (*slot == h)
                return 0;
        *slot = h;
        s->n++;
        return 1;
}
