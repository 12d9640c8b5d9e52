/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists of mappings. A child shares its parent's list until one of them maps anything: most children call exec soon,
 * or keep the mappings that they inherited for long.
 *
 * A list has a share, in mappings and in bytes of the records that it unfolds to, each with a path of up to 4 KiB. A
 * process that maps and unmaps for months, such as a JIT compiler, has unmapped most of its list, which the kernel
 * does not report. A list that exceeds its share shrinks to three quarters: mappings of the program's start stay, then
 * the newest; mappings of data go first.
 *
 * Invariant: t->base_records is the sum of bytes over all references to all lists. */

#include "sideband-parts.h"

#define FIRST_KEPT 512u /* mappings of the program's start, which last as long as it does */

static size_t sideband_maps_size(const SidebandMaps *m) {
        return sizeof(*m) + m->list.allocated * sizeof(Map) + 2 * SIDEBAND_MALLOC_OVERHEAD;
}

SidebandMaps *sideband_maps_ref(SidebandTable *t, SidebandMaps *m) {
        if (m) {
                m->refs++;
                t->base_records += m->bytes;
        }
        return m;
}

SidebandMaps *sideband_maps_unref(SidebandTable *t, SidebandMaps *m) {
        if (!m)
                return NULL;
        t->base_records -= m->bytes;
        if (--m->refs > 0)
                return NULL;
        t->base_bytes -= sideband_maps_size(m);
        map_list_done(&m->list);
        free(m);
        return NULL;
}

static int sideband_maps_own(SidebandTable *t, SidebandMaps **m) {
        SidebandMaps *copy;

        if (*m && (*m)->refs == 1)
                return 0;
        copy = calloc(1, sizeof(*copy));
        if (!copy)
                return -ENOMEM;
        if (*m && map_list_copy(&copy->list, &(*m)->list) < 0) {
                free(copy);
                return -ENOMEM;
        }
        copy->refs = 1;
        if (*m) {
                copy->bytes = (*m)->bytes;
                copy->left_out = (*m)->left_out;
        }
        t->base_records += copy->bytes;
        t->base_bytes += sideband_maps_size(copy);
        (void) sideband_maps_unref(t, *m);
        *m = copy;
        return 0;
}

/* The bytes of the record that a mapping of the object unfolds to. */
static size_t sideband_map_record_size(const SidebandTable *t, uint32_t object) {
        size_t fixed = sizeof(PerfRecordMmap) - sizeof(struct perf_event_header); /* the object has a header */

        return fixed + byte_pool_get(&t->pool, object)->size + t->trailer_size;
}

typedef struct Rank {
        uint64_t key; /* the lowest are kept */
        uint32_t index;
} Rank;

static int compare_ranks(const void *a, const void *b) {
        const Rank *x = a, *y = b;

        return x->key < y->key ? -1 : x->key > y->key;
}

/* Code of the program's start comes first, in its order, then other code, then data, the newest of each first. */
static uint64_t sideband_map_rank(const SidebandTable *t, const Map *m) {
        struct perf_event_header h;

        memcpy(&h, byte_pool_get(&t->pool, m->object)->data, sizeof(h));
        if (h.misc & PERF_RECORD_MISC_MMAP_DATA)
                return UINT64_C(2) << 32 | (UINT32_MAX - m->serial);
        return m->serial <= FIRST_KEPT ? m->serial : UINT64_C(1) << 32 | (UINT32_MAX - m->serial);
}

static bool is_turn_of(unsigned pass, uint64_t key, size_t sum, size_t bytes) {
        switch (pass) {
        case 0:
                return key <= FIRST_KEPT && sum <= bytes / 4;
        case 1:
                return key > FIRST_KEPT && key >> 32 < 2;
        default:
                return true;
        }
}

/* The program's start has a quarter of the room for sure. Then comes the newest code, then the rest by rank. */
static size_t sideband_maps_choose(const SidebandTable *t, const MapList *l, const Rank *ranks, size_t bytes, size_t n,
                                   bool *kept) {
        size_t sum = 0, n_kept = 0;

        for (unsigned pass = 0; pass < 3; pass++)
                for (size_t i = 0; i < l->n && n_kept < n; i++) {
                        uint32_t index = ranks[i].index;
                        size_t size = sideband_map_record_size(t, l->maps[index].object);

                        if (kept[index] || sum + size > bytes || !is_turn_of(pass, ranks[i].key, sum + size, bytes))
                                continue;
                        kept[index] = true;
                        sum += size;
                        n_kept++;
                }
        return sum;
}

static int sideband_maps_shrink_to(SidebandTable *t, SidebandMaps *m, size_t bytes, size_t n) {
        size_t before = sideband_maps_size(m), n_before = m->list.n, left;
        _cleanup_free_ Rank *ranks = calloc(n_before + 1, sizeof(*ranks));
        _cleanup_free_ bool *kept = calloc(n_before + 1, sizeof(*kept));

        if (!ranks || !kept)
                return -ENOMEM;
        for (uint32_t i = 0; i < n_before; i++)
                ranks[i] = (Rank) { .key = sideband_map_rank(t, m->list.maps + i), .index = i };
        qsort(ranks, n_before, sizeof(*ranks), compare_ranks);
        left = sideband_maps_choose(t, &m->list, ranks, bytes, n, kept);
        map_list_keep(&m->list, kept);
        m->left_out += n_before - m->list.n;
        t->base_records -= m->refs * (m->bytes - left);
        m->bytes = left;
        t->base_bytes -= before - sideband_maps_size(m);
        t->left_out = true;
        return 0;
}

int sideband_maps_shrink(SidebandTable *t, SidebandMaps *m, size_t bytes) {
        return sideband_maps_shrink_to(t, m, bytes, MAP_LIST_MAX);
}

/* The bytes of the records that the maps [from, to) unfold to. */
static size_t sideband_map_records_size(const SidebandTable *t, const MapList *l, size_t from, size_t to) {
        size_t bytes = 0;

        for (size_t i = from; l->maps && i < to; i++) /* clang's analyzer does not see that to is 0 for an empty list */
                bytes += sideband_map_record_size(t, l->maps[i].object);
        return bytes;
}

int sideband_maps_put(SidebandTable *t, SidebandMaps **m, const Map *map) {
        size_t before, n, from, to, hidden;
        MapList *l;
        int r;

        if (t->base_bytes >= SIDEBAND_BASE_MAX)
                return -ENOSPC;
        r = sideband_maps_own(t, m);
        if (r >= 0 && ((*m)->bytes > t->share || (*m)->list.n + 2 > MAP_LIST_MAX)) /* putting may cut a map in two and add one */
                r = sideband_maps_shrink_to(t, *m, t->share / 4 * 3, MAP_LIST_MAX / 4 * 3);
        if (r < 0)
                return r;
        l = &(*m)->list;
        n = l->n;
        before = sideband_maps_size(*m);
        map_list_hidden(l, map, &from, &to);
        hidden = sideband_map_records_size(t, l, from, to);
        r = map_list_put(l, map);
        if (r >= 0) {
                size_t bytes = (*m)->bytes - hidden + sideband_map_records_size(t, l, from, to + l->n - n);

                t->base_records += bytes - (*m)->bytes;
                (*m)->bytes = bytes;
        }
        t->base_bytes += sideband_maps_size(*m) - before;
        return r;
}
