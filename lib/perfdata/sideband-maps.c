/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Mappings that are shared from a fork until one side maps anew: most processes that are forked call exec, or live long
 * with what they inherited. A process that maps and unmaps for months, as one that compiles while it runs, has nothing left of
 * most of it: when its list is full, what is neither of its begin nor of its newer half goes. */

#include "sideband-parts.h"

#define FIRST_KEPT 512u /* mappings of a program's begin, which last as long as it does */

static size_t maps_size(const SidebandMaps *m) {
        return sizeof(*m) + m->list.allocated * sizeof(Map) + 2 * SIDEBAND_MALLOC_OVERHEAD;
}

SidebandMaps *sideband_maps_ref(SidebandMaps *m) {
        if (m)
                m->refs++;
        return m;
}

SidebandMaps *sideband_maps_unref(SidebandTable *t, SidebandMaps *m) {
        if (!m || --m->refs > 0)
                return NULL;
        t->base_bytes -= maps_size(m);
        map_list_done(&m->list);
        free(m);
        return NULL;
}

static int own(SidebandTable *t, SidebandMaps **m) {
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
        t->base_bytes += maps_size(copy);
        (void) sideband_maps_unref(t, *m);
        *m = copy;
        return 0;
}

int sideband_maps_put(SidebandTable *t, SidebandMaps **m, const Map *map) {
        size_t before;
        int r;

        if (t->base_bytes >= SIDEBAND_BASE_MAX)
                return -ENOSPC;
        r = own(t, m);
        if (r < 0)
                return r;
        before = maps_size(*m);
        r = map_list_put(&(*m)->list, map);
        if (r == -ENOSPC) {
                r = map_list_drop_old(&(*m)->list, FIRST_KEPT);
                if (r >= 0)
                        r = map_list_put(&(*m)->list, map);
        }
        t->base_bytes += maps_size(*m) - before;
        return r;
}
