/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An address space as a sorted array: a look-up is a binary search without pointers, and a fork is one copy. A map
 * that is put over others cuts them, as mmap(2) does. Unmapping is not followed, since the kernel does not report it,
 * so the lists of long-lived processes fill up. */

#include "map-list.h"

#include "array.h"

#define ALLOCATED_SMALL 256u /* maps that are not worth freeing */

void map_list_done(MapList *l) {
        free(l->maps);
        *l = (MapList) {};
}

/* The first map that ends after the address. */
static size_t map_list_bound(const MapList *l, uint64_t address) {
        return LOWER_BOUND(l->n, i, l->maps[i].end <= address);
}

const Map *map_list_find(const MapList *l, uint64_t address) {
        size_t i = map_list_bound(l, address);

        return i < l->n && l->maps[i].start <= address ? l->maps + i : NULL;
}

const Map *map_list_before(const MapList *l, uint64_t address) {
        size_t n = LOWER_BOUND(l->n, i, l->maps[i].start <= address);

        return n > 0 ? l->maps + n - 1 : NULL;
}

/* Replaces the maps [from, to) by the pieces. */
static int splice(MapList *l, size_t from, size_t to, const Map *pieces, size_t n_pieces) {
        size_t n = l->n - (to - from) + n_pieces;

        if (n > MAP_LIST_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(l->maps, l->allocated, n) < 0)
                return -ENOMEM;
        memmove(l->maps + from + n_pieces, l->maps + to, (l->n - to) * sizeof(*l->maps));
        memcpy(l->maps + from, pieces, n_pieces * sizeof(*pieces));
        l->n = n;
        return 0;
}

void map_list_hidden(const MapList *l, const Map *map, size_t *ret_from, size_t *ret_to) {
        size_t to = *ret_from = map_list_bound(l, map->start);

        while (to < l->n && l->maps[to].start < map->end)
                to++;
        *ret_to = to;
}

int map_list_put(MapList *l, const Map *map) {
        size_t from, to, n = 0;
        Map pieces[3];
        int r;

        if (map->start >= map->end)
                return -EINVAL;
        map_list_hidden(l, map, &from, &to);
        if (from < to && l->maps[from].start < map->start) {
                pieces[n] = l->maps[from];
                pieces[n++].end = map->start;
        }
        pieces[n] = *map;
        pieces[n++].serial = l->serial + 1;
        if (from < to && l->maps[to - 1].end > map->end) {
                pieces[n] = l->maps[to - 1];
                pieces[n].page_offset += map->end - pieces[n].start;
                pieces[n++].start = map->end;
        }
        r = splice(l, from, to, pieces, n);
        l->serial += r >= 0;
        return r;
}

void map_list_keep(MapList *l, const bool *kept) {
        size_t n = 0;

        for (size_t i = 0; i < l->n; i++)
                if (kept[i])
                        l->maps[n++] = l->maps[i];
        l->n = n;
        if (l->allocated < 4 * n + ALLOCATED_SMALL)
                return;
        if (ARRAY_RESIZE(l->maps, 2 * n + 1) == 0)
                l->allocated = 2 * n + 1;
}

static int compare_serials(const void *a, const void *b) {
        const uint32_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

int map_list_keep_newest(MapList *l, size_t n) {
        _cleanup_free_ uint32_t *serials = calloc(l->n + 1, sizeof(*serials));
        _cleanup_free_ bool *kept = calloc(l->n + 1, sizeof(*kept));

        if (!serials || !kept)
                return -ENOMEM;
        if (n >= l->n)
                return 0;
        for (size_t i = 0; i < l->n; i++)
                serials[i] = l->maps[i].serial;
        qsort(serials, l->n, sizeof(*serials), compare_serials);
        for (size_t i = 0; i < l->n; i++)
                kept[i] = n > 0 && l->maps[i].serial >= serials[l->n - n];
        map_list_keep(l, kept);
        return 0;
}

int map_list_copy(MapList *l, const MapList *from) {
        if (from->n > 0) {
                if (ARRAY_RESERVE(l->maps, l->allocated, from->n) < 0)
                        return -ENOMEM;
                memcpy(l->maps, from->maps, from->n * sizeof(*l->maps));
        }
        l->n = from->n;
        l->serial = from->serial;
        return 0;
}
