/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A table of binaries with open addressing; nothing is ever removed. The inode is part of the key, because a package that
 * is upgraded while it is recorded gives two binaries under one path. */

#include "dso-table.h"

#include "fnv.h"

void dso_table_done(DsoTable *t) {
        for (size_t i = 0; i < t->n; i++)
                free((char *) t->dsos[i].path);
        free(t->dsos);
        free(t->hit);
        free(t->slots);
        *t = (DsoTable) {};
}

static uint64_t hash_dso(const DsoHit *d) {
        uint64_t h = fnv_mix(fnv_text(FNV_BEGIN, d->path), d->inode);

        return h ^ h >> 32;
}

static bool same_dso(const DsoHit *a, const DsoHit *b) {
        return a->inode == b->inode && a->major == b->major && a->minor == b->minor && a->cpumode == b->cpumode &&
               a->id.size == b->id.size && memcmp(a->id.bytes, b->id.bytes, a->id.size) == 0 && streq(a->path, b->path);
}

static size_t find_slot(const DsoTable *t, const DsoHit *d) {
        size_t i = hash_dso(d) & (t->n_slots - 1);

        while (t->slots[i] != 0 && !same_dso(t->dsos + t->slots[i] - 1, d))
                i = (i + 1) & (t->n_slots - 1);
        return i;
}

/* At most half full. */
static int grow_slots(DsoTable *t) {
        DsoTable larger = *t;

        if (t->n * 2 < t->n_slots)
                return 0;
        larger.n_slots = t->n_slots > 0 ? t->n_slots * 2 : 256;
        larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
        if (!larger.slots)
                return -ENOMEM;
        for (uint32_t i = 0; i < t->n; i++)
                larger.slots[find_slot(&larger, t->dsos + i)] = i + 1;
        free(t->slots);
        *t = larger;
        return 0;
}

static int grow_dsos(DsoTable *t) {
        size_t allocated = t->allocated > 0 ? t->allocated * 2 : 64;
        DsoHit *dsos;
        bool *hit;

        if (t->n < t->allocated)
                return 0;
        dsos = reallocarray(t->dsos, allocated, sizeof(*dsos));
        if (!dsos)
                return -ENOMEM;
        t->dsos = dsos;
        hit = reallocarray(t->hit, allocated, sizeof(*hit));
        if (!hit)
                return -ENOMEM;
        t->hit = hit;
        t->allocated = allocated;
        return 0;
}

int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret) {
        size_t slot;
        char *path;
        int r;

        r = grow_slots(t);
        if (r < 0)
                return r;
        slot = find_slot(t, dso);
        if (t->slots[slot] != 0) {
                *ret = t->slots[slot] - 1;
                t->dsos[*ret].pid = dso->pid;
                return 0;
        }
        if (t->n >= DSO_TABLE_MAX)
                return -ENOSPC;
        r = grow_dsos(t);
        if (r < 0)
                return r;
        path = strdup(dso->path);
        if (!path)
                return -ENOMEM;
        t->dsos[t->n] = *dso;
        t->dsos[t->n].path = path;
        t->hit[t->n] = false;
        *ret = (uint32_t) t->n++;
        t->slots[slot] = *ret + 1;
        return 0;
}
