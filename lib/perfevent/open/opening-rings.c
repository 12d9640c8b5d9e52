/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rings of a set: one for each CPU (or thread), into which all events of that CPU write, and a second one if only
 * some write backward, since the kernel lets only events of one direction share a ring. The side band may have another
 * one. The first event that needs a ring owns it: its descriptor is the one to map and to poll. A ring lives as long as its owner
 * does, so the place of one that may be closed, because its counters are lent, is taken by a holder: an event of no member,
 * which counts nothing. */

#include "array.h"
#include "event-set-lending.h"
#include "opening.h"

#define OTHER_CPU_PAGES 16u /* of a ring that has nothing but the side band of its CPU */

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

static unsigned opening_pages(const Opening *o, RingKind kind) {
        return kind == RING_KIND_SIDEBAND ? o->options->sideband_pages : o->pages;
}

/* They are those of a CPU of which only the side band is wanted; kind: that of its events. */
static unsigned opening_pages_elsewhere(const Opening *o, RingKind kind) {
        return MIN_OF(opening_pages(o, kind), OTHER_CPU_PAGES);
}

size_t opening_count_rings(const Opening *o, bool sideband, uint64_t *ret_pages) {
        size_t places = o->set->cpus[0] >= 0 ? o->set->n_cpus : o->set->n_tids, others = o->n_cpus - o->set->n_cpus, n = 0;
        RingKind elsewhere = RING_KIND_NORMAL;
        bool kinds[_RING_KIND_MAX] = {};
        uint64_t pages = 0;

        for (size_t i = 0; i < o->set->n_members && !o->attr.counting; i++) {
                RingKind kind = opening_ring_kind(o, &o->set->members[i]);

                kinds[kind] = true;
                if (o->set->members[i].only_sideband)
                        elsewhere = kind;
        }
        for (RingKind i = 0; i < _RING_KIND_MAX; i++) {
                n += kinds[i] && (i != RING_KIND_SIDEBAND || sideband) ? places : 0;
                pages += kinds[i] ? places * opening_pages(o, i) : 0;
        }
        if (ret_pages)
                *ret_pages = pages + others * opening_pages_elsewhere(o, elsewhere);
        return n + (sideband || elsewhere != RING_KIND_SIDEBAND ? others : 0);
}

/* Events share a ring if they are of one CPU (without one, of one thread), clock and direction. The owner also says when the
 * kernel wakes up who reads it. */
static int opening_open_holder(Opening *o, const Event *e) {
        const struct perf_event_attr *held = &o->set->members[e->member].attr;
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr), .disabled = true,
                .exclude_kernel = true, .exclude_hv = true,
                .watermark = held->watermark, .wakeup_watermark = held->wakeup_watermark,
                .write_backward = held->write_backward, .use_clockid = held->use_clockid, .clockid = held->clockid,
        };
        pid_t tid = e->cpu >= 0 ? -1 : e->tid;
        int fd = o->set->ops.open(o->set->ops.userdata, &attr, tid, e->cpu, -1, PERF_FLAG_FD_CLOEXEC);

        return fd < 0 ? attr_diagnose_open(o->d, fd, "ring's own", &attr, e->cpu, tid) : fd;
}

static int opening_map_ring(Opening *o, Event *e, RingKind kind) {
        EventSet *s = o->set;
        bool listed = e->cpu < 0 || ANY_OF(s->n_cpus, i, s->cpus[i] == e->cpu), held = event_set_may_lend(s, e->member);
        unsigned pages = listed ? opening_pages(o, kind) : opening_pages_elsewhere(o, kind);
        Ring *ring = &s->rings[s->n_rings];
        int fd = held ? opening_open_holder(o, e) : e->fd, r;

        if (fd < 0)
                return fd;
        r = ring_map(ring, fd, pages, kind == RING_KIND_OVERWRITE);
        if (r < 0 && held)
                safe_close(fd);
        if (r < 0)
                return attr_diagnose_mmap(o->d, r, pages);
        ring->held = held;
        ring->cpu = e->cpu;
        ring->tid = e->cpu < 0 ? e->tid : -1;
        ring->sideband = kind == RING_KIND_SIDEBAND;
        e->watch_input = kind != RING_KIND_OVERWRITE && !held;
        s->n_rings++;
        return 0;
}

/* Events are ordered by CPU, then thread: a new ring begins when the CPU, or without CPUs the thread, changes. */
int opening_map_rings(Opening *o) {
        EventSet *s = o->set;
        const Ring *rings[_RING_KIND_MAX] = {};
        int r = 0;

        s->rings = calloc(opening_count_rings(o, true, NULL) + 1, sizeof(Ring));
        if (!s->rings)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_events && r >= 0 && !o->attr.counting; i++) {
                Event *e = &s->events[i];
                RingKind kind = opening_ring_kind(o, &s->members[e->member]);

                if (i > 0 && (e->cpu != e[-1].cpu || (e->cpu < 0 && e->tid != e[-1].tid)))
                        memset(rings, 0, sizeof(rings));
                if (!rings[kind]) {
                        r = opening_map_ring(o, e, kind);
                        rings[kind] = &s->rings[s->n_rings - 1];
                }
                if (r < 0)
                        return r;
                e->ring = (unsigned) (rings[kind] - s->rings);
                if (e->fd < 0 || e->fd == rings[kind]->fd)
                        continue;
                r = event_set_output(e, &s->ops, &(Event) { .fd = rings[kind]->fd });
                if (r < 0)
                        return diagnosis_set(o->d, r, "The %s event can't share a ring: %s", s->members[e->member].name,
                                             strerror(-r));
        }
        return r < 0 ? r : 0;
}
