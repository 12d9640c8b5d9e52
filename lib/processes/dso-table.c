/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Binaries by path and inode. The inode is part of the key, because a package that is upgraded during a recording
 * gives two binaries under one path. A generation that is not known equals any other: maps that exist at the start
 * have none, later maps of the same file do. */

#include "dso-table.h"

#include "array.h"

void dso_table_done(DsoTable *t) {
        for (size_t i = 0; i < t->n; i++)
                free((char *) t->dsos[i].path);
        free(t->dsos);
        free(t->hit);
        free(t->spare);
        hash_index_done(&t->index);
        *t = (DsoTable) {};
}

void dso_table_forget(DsoTable *t) {
        hash_index_done(&t->index);
        t->index = (HashIndex) {};
}

static uint64_t hash_of_dso(const DsoHit *d) {
        return hash_mix(hash_bytes(0, d->path, strlen(d->path)), d->inode);
}

static uint64_t hash_of_entry(const void *owner, uintptr_t entry) {
        const DsoTable *t = owner;

        return hash_of_dso(t->dsos + entry - 1);
}

static bool same_dso(const DsoHit *a, const DsoHit *b) {
        return a->inode == b->inode && (a->generation == b->generation || a->generation == 0 || b->generation == 0) &&
               a->major == b->major && a->minor == b->minor && a->cpumode == b->cpumode && build_id_equal(&a->id, &b->id) &&
               streq(a->path, b->path);
}

static int reserve_dso(DsoTable *t) {
        size_t room = array_room(t->allocated, t->n + 1, sizeof(*t->dsos));

        if (t->n_spare > 0 || t->n < t->allocated)
                return 0;
        if (ARRAY_RESIZE(t->spare, room) < 0 || ARRAY_RESIZE(t->dsos, room) < 0 || ARRAY_RESIZE(t->hit, room) < 0)
                return -ENOMEM;
        t->allocated = room;
        return 0;
}

static size_t size_of(size_t length) {
        return length + 1 + sizeof(DsoHit) + 2 * sizeof(void *);
}

static int add_dso(DsoTable *t, const DsoHit *dso, uint64_t hash, uint32_t *ret) {
        _cleanup_free_ char *path = NULL;
        size_t length = strlen(dso->path);
        size_t room = length > DSO_TABLE_LONG_NAME ? DSO_TABLE_BYTES_MAX / 4 * 3 : DSO_TABLE_BYTES_MAX;
        uint32_t number;
        int r;

        if (t->n - t->n_spare >= DSO_TABLE_MAX || t->bytes + size_of(length) > room)
                return -ENOSPC;
        r = reserve_dso(t);
        if (r < 0)
                return r;
        path = strdup(dso->path);
        if (!path)
                return -ENOMEM;
        number = t->n_spare > 0 ? t->spare[t->n_spare - 1] : (uint32_t) t->n;
        r = hash_index_add(&t->index, hash, (uintptr_t) number + 1, hash_of_entry, t);
        if (r < 0)
                return r;
        if (t->n_spare > 0)
                t->n_spare--;
        else
                t->n++;
        t->dsos[number] = *dso;
        t->dsos[number].path = steal_ptr(path);
        t->hit[number] = false;
        t->bytes += size_of(length);
        *ret = number;
        return 0;
}

int dso_table_intern(DsoTable *t, const DsoHit *dso, uint32_t *ret) {
        uint64_t hash = hash_of_dso(dso);
        uintptr_t found = HASH_INDEX_FIND(&t->index, hash, entry, same_dso(t->dsos + entry - 1, dso));
        DsoHit *d;

        if (found == 0)
                return add_dso(t, dso, hash, ret);
        d = t->dsos + found - 1;
        d->pid = dso->pid;
        if (d->generation == 0)
                d->generation = dso->generation;
        *ret = (uint32_t) found - 1;
        return 0;
}

void dso_table_sweep(DsoTable *t, const bool *used) {
        for (uint32_t i = 0; i < t->n; i++) {
                const char *path = t->dsos[i].path;

                if (!path || used[i] || t->hit[i])
                        continue;
                hash_index_remove(&t->index, hash_of_dso(t->dsos + i), (uintptr_t) i + 1, hash_of_entry, t);
                t->bytes -= size_of(strlen(path));
                free((char *) path);
                t->dsos[i].path = NULL;
                t->spare[t->n_spare++] = i;
        }
}
