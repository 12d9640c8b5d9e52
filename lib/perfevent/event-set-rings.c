/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings of a set: one for each CPU (or thread), into which all events of that CPU write, and a second one where some
 * write backward and others do not, since the kernel lets only events of one direction share. The first event that
 * needs a ring owns it: its descriptor is the one to map and to poll. */

#include "event-set-opening.h"

/* A ring for every CPU, or thread where there are no CPUs, and a second one where events of both directions meet. */
size_t opening_count_rings(const Opening *o) {
        size_t places = o->set->cpus[0] >= 0 ? o->set->n_cpus : o->set->n_tids;
        bool kinds[2] = {};

        for (size_t i = 0; i < o->set->n_members; i++)
                kinds[o->set->members[i].attr.write_backward] = true;
        return places * (kinds[0] + kinds[1]);
}

static unsigned pages_of(const Opening *o, bool backward) {
        if (backward || !opening_sideband_apart(o))
                return o->pages;
        for (size_t i = 0; i < o->set->n_members; i++) /* no-overwrite samples need the room of samples */
                if (!o->set->members[i].added && !o->set->members[i].attr.write_backward)
                        return o->pages;
        return o->options->sideband_pages;
}

static int map_ring(Opening *o, Event *e, bool backward) {
        EventSet *s = o->set;
        unsigned pages = pages_of(o, backward);
        Ring *ring = &s->rings[s->n_rings];
        int r;

        r = ring_map(ring, e->fd, pages, backward);
        if (r < 0)
                return attr_diagnose_mmap(o->d, r, pages);
        ring->cpu = e->cpu;
        ring->tid = e->cpu < 0 ? e->tid : -1;
        e->watch_input = !backward;
        e->ring = (unsigned) s->n_rings++;
        return 0;
}

/* Events come by CPU, then thread: a new ring begins where the CPU, or without CPUs the thread, changes. */
int opening_map_rings(Opening *o) {
        EventSet *s = o->set;
        Event *owners[2] = {};
        int r;

        s->rings = calloc(opening_count_rings(o) + 1, sizeof(Ring));
        if (!s->rings)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_events; i++) {
                Event *e = &s->events[i];
                bool backward = s->members[e->member].attr.write_backward;
                Event **owner = &owners[backward];

                if (i > 0 && (e->cpu != e[-1].cpu || (e->cpu < 0 && e->tid != e[-1].tid)))
                        owners[0] = owners[1] = NULL;
                if (!*owner) {
                        r = map_ring(o, e, backward);
                        *owner = e;
                } else {
                        r = event_set_output(e, &s->ops, *owner);
                        if (r < 0)
                                return diagnosis_set(o->d, r, "The %s event can't share a ring: %s",
                                                     s->members[e->member].name, strerror(-r));
                        e->ring = (*owner)->ring;
                }
                if (r < 0)
                        return r;
        }
        return 0;
}

