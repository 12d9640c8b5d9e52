/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From addresses to places, by the maps of a view. Generated code of which the process keeps a jitdump has its places in that file,
 * at the time of the sample.
 *
 * Invariant: place 0 is the unmapped address 0. */

#include "code-places.h"

#include "array.h"
#include "map-record.h"
#include "symbols.h"

int code_places_init(CodePlaces *p, ProcessView *view) {
        uint32_t first;

        p->view = view;
        p->dsos = &view->dsos;
        return code_places_find(p, 0, PERF_RECORD_MISC_USER, 0, &first);
}

void code_places_done(CodePlaces *p) {
        free(p->places);
        free(p->map_sizes);
        hash_index_done(&p->index);
        jit_files_done(&p->jit);
        *p = (CodePlaces) {};
}

/* *ret is NULL if the process has no jitdump that can be read. */
static int find_codes(CodePlaces *p, const Process *process, const JitCodes **ret) {
        uint32_t dso = process->jit_dump - 1;

        *ret = NULL;
        return process->jit_dump > 0 ? jit_files_get(&p->jit, dso, p->dsos->dsos + dso, p->view->monotonic, ret) : 0;
}

uint32_t code_places_generation(CodePlaces *p, uint32_t pid) {
        const Process *process = process_table_find(&p->view->processes, pid);
        const JitCodes *codes;
        JitState state;

        if (!process || !p->view->jit_dumps || find_codes(p, process, &codes) < 0 || !codes)
                return process ? process->generation : 0;
        state = (JitState) { .maps = process->generation, .dso = process->jit_dump };
        state.n_functions = jit_codes_until(codes, p->time);
        return jit_files_generation(&p->jit, &state);
}

static uint64_t place_hash(const CodePlace *place) {
        return HASH_INDEX_HALF(hash_mix(hash_mix(place->dso, place->ip), place->address ^ (uint64_t) place->level << 56 ^
                                        (uint64_t) place->caller << 48));
}

static uint64_t place_hash_of(const void *owner, uintptr_t entry) {
        const CodePlaces *p = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : place_hash(p->places + hash_index_number(entry) - 1);
}

static bool place_equal(const CodePlace *a, const CodePlace *b) {
        return a->ip == b->ip && a->address == b->address && a->dso == b->dso && a->level == b->level && a->caller == b->caller;
}

static int place_intern(CodePlaces *p, const CodePlace *place, uint32_t *ret) {
        uint64_t hash = place_hash(place);
        uintptr_t found = HASH_INDEX_FIND(&p->index, hash, entry,
                                          hash_index_may_be(entry, hash) &&
                                                  place_equal(p->places + hash_index_number(entry) - 1, place));
        int r;

        if (found > 0 || p->n >= CODE_PLACES_MAX) {
                *ret = found > 0 ? hash_index_number(found) - 1 : 0;
                return 0;
        }
        if (ARRAY_RESERVE(p->places, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        p->places[p->n] = *place;
        r = hash_index_add(&p->index, hash, hash_index_entry(hash, (uint32_t) p->n + 1), place_hash_of, p);
        if (r >= 0)
                *ret = (uint32_t) p->n++;
        return r;
}

static char level_of(uint16_t cpumode) {
        switch (cpumode) {
        case PERF_RECORD_MISC_KERNEL:
                return 'k';
        case PERF_RECORD_MISC_HYPERVISOR:
                return 'H';
        case PERF_RECORD_MISC_GUEST_KERNEL:
                return 'g';
        case PERF_RECORD_MISC_GUEST_USER:
                return 'u';
        default:
                return '.';
        }
}

/* Returns whether the address is in memory of no file, or of one in memory. */
static bool may_be_generated(const CodePlaces *p, const Map *map) {
        const char *path = map && map->object < p->dsos->n ? p->dsos->dsos[map->object].path : NULL;

        return !path || symbols_is_perf_map(path) || !map_record_has_file(path) || map_record_is_memfd(path);
}

static int code_find_generated(CodePlaces *p, uint32_t pid, const Map *map, CodePlace *place) {
        const Process *process = p->view->jit_dumps ? process_table_find(&p->view->processes, pid) : NULL;
        const JitCodes *codes;
        int r;

        if (!process || !may_be_generated(p, map))
                return 0;
        r = find_codes(p, process, &codes);
        if (r < 0 || !codes || !jit_codes_find(codes, place->ip - place->caller, p->time, &place->address))
                return r;
        place->dso = process->jit_dump - 1;
        place->address += place->caller;
        return 0;
}

/* The sizes are not known of places that were found before they were wanted. */
static int set_map_size(CodePlaces *p, uint32_t place, const Map *map) {
        size_t n = p->n_map_sizes;

        if (place < n)
                return 0;
        if (ARRAY_RESERVE(p->map_sizes, p->map_sizes_allocated, place + 1u) < 0)
                return -ENOMEM;
        for (; n < place; n++)
                p->map_sizes[n] = 0;
        p->map_sizes[n] = map ? map->end - map->start : 0;
        p->n_map_sizes = n + 1;
        return 0;
}

/* Finds the map of an address; a mode that is any becomes the one of the map. */
static const Map *find_map_of_mode(CodePlaces *p, uint32_t pid, uint16_t *cpumode, uint64_t ip) {
        static const uint16_t modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL };
        const Map *map = NULL;

        if (*cpumode != CODE_PLACES_ANY_MODE)
                return process_view_find_map(p->view, pid, *cpumode, ip);
        for (size_t i = 0; !map && i < ELEMENTSOF(modes); i++) {
                *cpumode = modes[i];
                map = process_view_find_map(p->view, pid, *cpumode, ip);
        }
        if (!map)
                *cpumode = PERF_RECORD_MISC_HYPERVISOR;
        return map;
}

static int code_find_place(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, bool caller, uint32_t *ret) {
        const Map *map = find_map_of_mode(p, pid, &cpumode, ip - (caller && ip > 0));
        CodePlace place = { .ip = ip, .address = ip, .dso = DSO_NONE, .level = level_of(cpumode), .caller = caller && ip > 0 };
        int r;

        if (map) {
                place.dso = map->object;
                place.address = ip - map->start + map->page_offset;
        }
        r = cpumode == PERF_RECORD_MISC_USER ? code_find_generated(p, pid, map, &place) : 0;
        if (r < 0)
                return r;
        place.caller = place.caller && place.dso != DSO_NONE;
        if (p->by_file && place.level == '.' && place.dso != DSO_NONE)
                place.ip = place.address;
        else if (p->by_file && place.level == '.' && caller)
                place = (CodePlace) { .ip = CODE_PLACE_NOWHERE, .dso = DSO_NONE, .level = place.level };
        r = place_intern(p, &place, ret);
        return r >= 0 && p->with_map_sizes ? set_map_size(p, *ret, map) : r;
}

int code_places_find(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_find_place(p, pid, cpumode, ip, false, ret);
}

int code_places_find_caller(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_find_place(p, pid, cpumode, ip, true, ret);
}
