/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings of a set: one for each CPU (or thread), into which all events of that CPU write, and a second one if only
 * some write backward, since the kernel lets only events of one direction share a ring. The side band may have another
 * one. The first event that needs a ring owns it: its descriptor is the one to map and to poll. */

#include "opening.h"

typedef enum RingKind {
        RING_KIND_NORMAL,
        RING_KIND_OVERWRITE,
        RING_KIND_SIDEBAND,
        _RING_KIND_MAX,
} RingKind;

static RingKind opening_ring_kind(const Opening *o, const SetMember *m) {
        if (m->only_sideband && o->sideband_apart)
                return RING_KIND_SIDEBAND;
        return m->attr.write_backward ? RING_KIND_OVERWRITE : RING_KIND_NORMAL;
}

/* There is a ring of each kind in use for every CPU, or for every thread if there are no CPUs; on CPUs of which only the side
 * band is wanted, one for that. */
size_t opening_count_rings(const Opening *o, bool sideband) {
        size_t places = o->set->cpus[0] >= 0 ? o->set->n_cpus : o->set->n_tids, n = 0;
        bool kinds[_RING_KIND_MAX] = {};

        for (size_t i = 0; i < o->set->n_members; i++)
                kinds[opening_ring_kind(o, &o->set->members[i])] = true;
        for (size_t i = 0; i < _RING_KIND_MAX; i++)
                n += kinds[i] && (i != RING_KIND_SIDEBAND || sideband);
        return places * n + (sideband || !kinds[RING_KIND_SIDEBAND] ? o->n_cpus - o->set->n_cpus : 0);
}

static int opening_map_ring(Opening *o, Event *e, RingKind kind) {
        EventSet *s = o->set;
        unsigned pages = kind == RING_KIND_SIDEBAND ? o->options->sideband_pages : o->pages;
        Ring *ring = &s->rings[s->n_rings];
        int r = ring_map(ring, e->fd, pages, kind == RING_KIND_OVERWRITE);

        if (r < 0)
                return attr_diagnose_mmap(o->d, r, pages);
        ring->cpu = e->cpu;
        ring->tid = e->cpu < 0 ? e->tid : -1;
        ring->sideband = kind == RING_KIND_SIDEBAND;
        e->watch_input = kind != RING_KIND_OVERWRITE;
        e->ring = (unsigned) s->n_rings++;
        return 0;
}

/* Events are ordered by CPU, then thread: a new ring begins when the CPU, or without CPUs the thread, changes. */
int opening_map_rings(Opening *o) {
        EventSet *s = o->set;
        Event *owners[_RING_KIND_MAX] = {};
        int r = 0;

        s->rings = calloc(opening_count_rings(o, true) + 1, sizeof(Ring));
        if (!s->rings)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_events && r >= 0; i++) {
                Event *e = &s->events[i];
                RingKind kind = opening_ring_kind(o, &s->members[e->member]);

                if (i > 0 && (e->cpu != e[-1].cpu || (e->cpu < 0 && e->tid != e[-1].tid)))
                        memset(owners, 0, sizeof(owners));
                if (!owners[kind]) {
                        r = opening_map_ring(o, e, kind);
                        owners[kind] = e;
                        continue;
                }
                e->ring = owners[kind]->ring;
                r = event_set_output(e, &s->ops, owners[kind]);
                if (r < 0)
                        return diagnosis_set(o->d, r, "The %s event can't share a ring: %s", s->members[e->member].name,
                                             strerror(-r));
        }
        return r < 0 ? r : 0;
}
