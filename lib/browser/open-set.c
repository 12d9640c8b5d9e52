/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A user opens some rows, or some hundreds at once: a sorted array is enough. */

#include "open-set.h"

#include "array.h"

void open_set_done(OpenSet *s) {
        free(s->hashes);
        *s = (OpenSet) {};
}

static size_t set_find(const OpenSet *s, uint64_t hash) {
        size_t from = 0, to = s->n;

        while (from < to) {
                size_t middle = from + (to - from) / 2;

                if (s->hashes[middle] < hash)
                        from = middle + 1;
                else
                        to = middle;
        }
        return from;
}

bool open_set_has(const OpenSet *s, uint64_t hash) {
        size_t at = set_find(s, hash);

        return at < s->n && s->hashes[at] == hash;
}

int open_set_put(OpenSet *s, uint64_t hash, bool open) {
        size_t at = set_find(s, hash);

        if ((at < s->n && s->hashes[at] == hash) == open)
                return 0;
        if (!open) {
                memmove(s->hashes + at, s->hashes + at + 1, (--s->n - at) * sizeof(*s->hashes));
                return 0;
        }
        if (ARRAY_RESERVE(s->hashes, s->allocated, s->n + 1) < 0)
                return -ENOMEM;
        memmove(s->hashes + at + 1, s->hashes + at, (s->n++ - at) * sizeof(*s->hashes));
        s->hashes[at] = hash;
        return 0;
}

int open_set_copy(OpenSet *to, const OpenSet *from) {
        if (ARRAY_RESERVE(to->hashes, to->allocated, from->n) < 0)
                return -ENOMEM;
        if (from->n > 0)
                memcpy(to->hashes, from->hashes, from->n * sizeof(*to->hashes));
        to->n = from->n;
        return 0;
}
