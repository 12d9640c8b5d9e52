/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The maps of one address space: ranges that do not overlap, in ascending order, each with a number of the caller's
 * for the object that is mapped. Zero-initialise. */
typedef struct Map {
        uint64_t start, end;  /* [start, end) */
        uint64_t page_offset; /* of start, in the object */
        uint32_t object;
        uint32_t serial; /* the number of maps put so far, this one included */
} Map;

typedef struct MapList {
        Map *maps;
        size_t n, allocated;
        uint32_t serial; /* of the newest */
} MapList;

#define MAP_LIST_MAX 16384u

void map_list_done(MapList *l);

/* Puts a map, which hides others in whole or in part. 0; -ENOSPC beyond MAP_LIST_MAX maps (nothing changed);
 * -EINVAL (empty range), -ENOMEM. */
int map_list_put(MapList *l, const Map *map);
/* Returns the indices [*ret_from, *ret_to) of the maps that a map hides, in whole or in part. */
void map_list_hidden(const MapList *l, const Map *map, size_t *ret_from, size_t *ret_to);
/* Keeps the maps whose element is true, of l->n, and shrinks the array if it is much too large. */
void map_list_keep(MapList *l, const bool *kept);
/* Keeps the newest n of them. 0 or -ENOMEM. */
int map_list_keep_newest(MapList *l, size_t n);
int map_list_copy(MapList *l, const MapList *from); /* replaces what l held */

static inline int map_list_insert(MapList *l, uint64_t start, uint64_t end, uint32_t object) {
        return map_list_put(l, &(Map) { .start = start, .end = end, .object = object });
}

const Map *map_list_find(const MapList *l, uint64_t address); /* NULL: not mapped */
/* The last map that begins at the address or before it; NULL: there is none. */
const Map *map_list_before(const MapList *l, uint64_t address);
