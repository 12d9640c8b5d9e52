/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A table of binaries with open addressing, whose slots a sweep fills anew in place, so that it needs no memory. The inode is
 * part of the key, because a package that is upgraded while it is recorded gives two binaries under one path. A generation that
 * is not known is any: maps that were there at the start have none, and those of the same file that follow do. */

#include "dso-table.h"

#include "fnv.h"

void dso_table_done(DsoTable *t) {
        for (size_t i = 0; i < t->n; i++)
                free((char *) t->dsos[i].path);
        free(t->dsos);
        free(t->hit);
        free(t->spare);
        free(t->slots);
        *t = (DsoTable) {};
}

static uint64_t hash_dso(const DsoHit *d) {
        uint64_t h = fnv_mix(fnv_text(FNV_BEGIN, d->path), d->inode);

        return h ^ h >> 32;
}

static bool same_dso(const DsoHit *a, const DsoHit *b) {
        return a->inode == b->inode && (a->generation == b->generation || a->generation == 0 || b->generation == 0) &&
               a->major == b->major && a->minor == b->minor && a->cpumode == b->cpumode && build_id_equal(&a->id, &b->id) &&
               streq(a->path, b->path);
}

static size_t find_slot(const DsoTable *t, const DsoHit *d) {
        size_t i = hash_dso(d) & (t->n_slots - 1);

        while (t->slots[i] != 0 && !same_dso(t->dsos + t->slots[i] - 1, d))
                i = (i + 1) & (t->n_slots - 1);
        return i;
}

static void fill_slots(DsoTable *t) {
        memset(t->slots, 0, t->n_slots * sizeof(*t->slots));
        for (uint32_t i = 0; i < t->n; i++)
                if (t->dsos[i].path)
                        t->slots[find_slot(t, t->dsos + i)] = i + 1;
}

/* At most half full. */
static int grow_slots(DsoTable *t) {
        DsoTable larger = *t;

        if ((t->n - t->n_spare) * 2 < t->n_slots)
                return 0;
        larger.n_slots = t->n_slots > 0 ? t->n_slots * 2 : 256;
        larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
        if (!larger.slots)
                return -ENOMEM;
        fill_slots(&larger);
        free(t->slots);
        *t = larger;
        return 0;
}

static int grow_dsos(DsoTable *t) {
        size_t allocated = t->allocated > 0 ? t->allocated * 2 : 64;
        uint32_t *spare;
        DsoHit *dsos;
        bool *hit;

        if (t->n_spare > 0 || t->n < t->allocated)
                return 0;
        spare = reallocarray(t->spare, allocated, sizeof(*spare));
        if (!spare)
                return -ENOMEM;
        t->spare = spare;
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

static size_t size_of(size_t length) {
        return length + 1 + sizeof(DsoHit) + 2 * sizeof(void *);
}

static bool has_room(const DsoTable *t, size_t length) {
        size_t room = length > DSO_TABLE_LONG_NAME ? DSO_TABLE_BYTES_MAX / 4 * 3 : DSO_TABLE_BYTES_MAX;

        return t->n - t->n_spare < DSO_TABLE_MAX && t->bytes + size_of(length) <= room;
}

int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret) {
        size_t slot, length = strlen(dso->path);
        char *path;
        int r;

        r = grow_slots(t);
        if (r < 0)
                return r;
        slot = find_slot(t, dso);
        if (t->slots[slot] != 0) {
                *ret = t->slots[slot] - 1;
                t->dsos[*ret].pid = dso->pid;
                if (t->dsos[*ret].generation == 0)
                        t->dsos[*ret].generation = dso->generation;
                return 0;
        }
        if (!has_room(t, length))
                return -ENOSPC;
        r = grow_dsos(t);
        if (r < 0)
                return r;
        path = strdup(dso->path);
        if (!path)
                return -ENOMEM;
        *ret = t->n_spare > 0 ? t->spare[--t->n_spare] : (uint32_t) t->n++;
        t->dsos[*ret] = *dso;
        t->dsos[*ret].path = path;
        t->hit[*ret] = false;
        t->bytes += size_of(length);
        t->slots[slot] = *ret + 1;
        return 0;
}

void dso_table_sweep(DsoTable *t, const bool *used) {
        for (uint32_t i = 0; i < t->n; i++) {
                const char *path = t->dsos[i].path;

                if (!path || used[i] || t->hit[i])
                        continue;
                t->bytes -= size_of(strlen(path));
                free((char *) path);
                t->dsos[i].path = NULL;
                t->spare[t->n_spare++] = i;
        }
        if (t->n_slots > 0)
                fill_slots(t);
}
