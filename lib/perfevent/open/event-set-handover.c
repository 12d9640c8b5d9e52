/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The flat form: a head, a byte for each member that is 1 if it is enabled, then members, events, rings, CPUs and threads, the
 * members' former ids, then their names, the text of what is lent, and the paths of the groups, a line each. The descriptors are
 * those of the events that are open, in their order, then those of the rings' holders. All of it has the byte order and the
 * structures of this machine and this build, which the head identifies: it goes only from a process to its successor.
 *
 * A block is checked as hostile input: counts against the block's size, indices against counts, the specs' number and
 * kinds against those of the command line, and each descriptor's id against the one that it had. */

#include "event-set-handover.h"

#include "event-set-groups.h"
#include "fd-file.h"
#include "strv.h"

#define FLAT_MAGIC UINT64_C(0x3330746573767065) /* "epvset03", little endian */

typedef struct FlatHead {
        uint64_t magic;
        uint32_t size, head_size, member_size, event_size, ring_size, missing_size;
        uint32_t n_members, n_events, n_rings, n_cpus, n_tids, n_former, lent_size, groups_size;
        AttrMissing missing;
} FlatHead;

typedef struct FlatMember {
        struct perf_event_attr attr;
        uint64_t cgroup;
        uint32_t spec; /* UINT32_MAX: added by the set itself */
        uint32_t group, name_size, n_former;
        uint8_t tracking, immediate, leader, closed;
} FlatMember;

typedef struct FlatEvent {
        uint64_t id;
        int32_t cpu, tid;
        uint32_t member, ring;
        uint8_t watch_input, watch_hangup, open, padding[5];
} FlatEvent;

typedef struct FlatRing {
        uint64_t bytes; /* of data */
        int32_t cpu, tid;
        uint32_t owner; /* event whose descriptor is mapped; UINT32_MAX: a holder's is */
        uint8_t overwrite, sideband, padding[2];
} FlatRing;

#define FLAT_HEAD_SIZE ((sizeof(FlatHead) + 7) / 8 * 8)

static size_t padded(size_t n) {
        return (n + 7) / 8 * 8;
}

static uint32_t ring_owner(const EventSet *s, const Ring *ring) {
        for (size_t i = 0; i < s->n_events && !ring->held; i++)
                if (s->events[i].fd == ring->fd)
                        return (uint32_t) i;
        return UINT32_MAX;
}

static void flat_put(FILE *f, const void *data, size_t size) {
        static const uint8_t zeros[8];

        (void) fwrite(data, 1, size, f);
        (void) fwrite(zeros, 1, padded(size) - size, f);
}

static void put_members(FILE *f, const EventSet *s, const EventSpec *first) {
        for (size_t i = 0; i < s->n_members; i++) {
                const SetMember *m = &s->members[i];
                const FlatMember flat = {
                        .attr = m->attr, .cgroup = m->cgroup,
                        .spec = m->only_sideband ? UINT32_MAX : (uint32_t) (m->spec - first), .group = m->group,
                        .name_size = (uint32_t) strlen(m->name), .n_former = (uint32_t) m->n_former_ids, .tracking = m->tracking,
                        .immediate = m->immediate, .leader = m->leader, .closed = m->closed,
                };

                flat_put(f, &flat, sizeof(flat));
        }
}

static void put_events(FILE *f, const EventSet *s) {
        for (size_t i = 0; i < s->n_events; i++) {
                const Event *e = &s->events[i];
                const FlatEvent flat = {
                        .id = e->id, .cpu = e->cpu, .tid = e->tid, .member = e->member, .ring = e->ring,
                        .watch_input = e->watch_input, .watch_hangup = e->watch_hangup, .open = e->fd >= 0,
                };

                flat_put(f, &flat, sizeof(flat));
        }
}

static void put_rings(FILE *f, const EventSet *s) {
        for (size_t i = 0; i < s->n_rings; i++) {
                const Ring *r = &s->rings[i];
                const FlatRing flat = {
                        .bytes = r->size, .cpu = r->cpu, .tid = r->tid, .owner = ring_owner(s, r), .overwrite = r->overwrite,
                        .sideband = r->sideband,
                };

                flat_put(f, &flat, sizeof(flat));
        }
}

/* Returns the size of a block without the names; UINT64_MAX: too many members. */
static uint64_t flat_fixed_size(const FlatHead *h) {
        if (h->n_members > EVENT_SPECS_MAX + 1) /* the others have 32 bits: the sum fits into 64 */
                return UINT64_MAX;
        return FLAT_HEAD_SIZE + padded(h->n_members) + h->n_members * (uint64_t) padded(sizeof(FlatMember)) +
               h->n_events * (uint64_t) padded(sizeof(FlatEvent)) + h->n_rings * (uint64_t) padded(sizeof(FlatRing)) +
               padded(h->n_cpus * sizeof(int32_t)) + padded(h->n_tids * sizeof(int32_t)) +
               h->n_former * sizeof(uint64_t) + h->lent_size + (uint64_t) h->groups_size;
}

size_t event_set_flat_enabled(const EventSet *s, uint8_t *ret_enabled, size_t *ret_offset) {
        for (size_t i = 0; i < s->n_members; i++)
                ret_enabled[i] = s->members[i].enabled;
        *ret_offset = FLAT_HEAD_SIZE;
        return s->n_members;
}

/* The specs are one array, which begins with the first member's. */
int event_set_flatten(const EventSet *s, void **ret, size_t *ret_size) {
        const EventSpec *first = s->members[0].spec;
        _cleanup_free_ char *lent = s->lendings ? lendings_format(s->lendings, 0, UINT64_MAX) : strdup("");
        _cleanup_free_ char *groups = strv_join(s->groups, "\n");
        _cleanup_free_ uint8_t *enabled = calloc(s->n_members, 1);
        FlatHead head = {
                .magic = FLAT_MAGIC, .head_size = sizeof(FlatHead), .member_size = sizeof(FlatMember),
                .event_size = sizeof(FlatEvent), .ring_size = sizeof(FlatRing), .missing_size = sizeof(AttrMissing),
                .n_members = (uint32_t) s->n_members, .n_events = (uint32_t) s->n_events, .n_rings = (uint32_t) s->n_rings,
                .n_cpus = (uint32_t) s->n_cpus, .n_tids = (uint32_t) s->n_tids, .missing = s->missing,
        };
        char *text = NULL;
        size_t size = 0, offset;
        FILE *f;

        if (!enabled || !lent || !groups)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_members; i++)
                head.n_former += (uint32_t) s->members[i].n_former_ids;
        head.lent_size = (uint32_t) strlen(lent);
        head.groups_size = (uint32_t) strlen(groups);
        f = open_memstream(&text, &size);
        if (!f)
                return -ENOMEM;
        flat_put(f, &head, sizeof(head));
        flat_put(f, enabled, event_set_flat_enabled(s, enabled, &offset));
        put_members(f, s, first);
        put_events(f, s);
        put_rings(f, s);
        flat_put(f, s->cpus, s->n_cpus * sizeof(int));
        flat_put(f, s->tids, s->n_tids * sizeof(pid_t));
        for (size_t i = 0; i < s->n_members; i++)
                if (s->members[i].n_former_ids > 0)
                        (void) fwrite(s->members[i].former_ids, sizeof(uint64_t), s->members[i].n_former_ids, f);
        for (size_t i = 0; i < s->n_members; i++)
                (void) fwrite(s->members[i].name, 1, strlen(s->members[i].name), f);
        (void) fwrite(lent, 1, head.lent_size, f);
        (void) fwrite(groups, 1, head.groups_size, f);
        if (fclose(f) != 0 || size > EVENT_SET_FLAT_MAX) {
                free(text);
                return size > EVENT_SET_FLAT_MAX ? -E2BIG : -ENOMEM;
        }
        head.size = (uint32_t) size;
        memcpy(text, &head, sizeof(head));
        *ret = text;
        *ret_size = size;
        return 0;
}

size_t event_set_descriptors(const EventSet *s, int *ret_fds, uint64_t *ret_map_bytes) {
        size_t n = 0;

        for (size_t i = 0; i < s->n_events; i++) {
                const Event *e = &s->events[i];

                if (e->fd < 0)
                        continue;
                ret_fds[n] = e->fd;
                ret_map_bytes[n++] = !event_set_counts(s) && s->rings[e->ring].fd == e->fd ? s->rings[e->ring].mapped : 0;
        }
        for (size_t i = 0; i < s->n_rings; i++)
                if (s->rings[i].held) {
                        ret_fds[n] = s->rings[i].fd;
                        ret_map_bytes[n++] = s->rings[i].mapped;
                }
        return n;
}

/* The block that is read, and the position in it. */
typedef struct Source {
        const uint8_t *at;
        FlatHead head;
        const EventSpecs *specs;
        EventSpecs group_specs; /* … for the groups */
        EventSet *set;
        size_t n_taken; /* of the descriptors */
        Diagnosis *d;
} Source;

static void source_get(Source *src, void *to, size_t size) {
        memcpy(to, src->at, size);
        src->at += padded(size);
}

static int refuse_layout(Source *src) {
        return diagnosis_set(src->d, -EBADMSG, "The description of the events is not whole, or of another version");
}

static int read_head(Source *src, size_t size) {
        FlatHead *h = &src->head;

        if (size < FLAT_HEAD_SIZE)
                return refuse_layout(src);
        source_get(src, h, sizeof(*h));
        if (h->magic != FLAT_MAGIC || h->size != size || h->head_size != sizeof(FlatHead) || h->member_size != sizeof(FlatMember) ||
            h->event_size != sizeof(FlatEvent) || h->ring_size != sizeof(FlatRing) || h->missing_size != sizeof(AttrMissing) ||
            h->n_members == 0 || h->n_cpus == 0 || h->n_tids == 0 || flat_fixed_size(h) > size)
                return refuse_layout(src);
        return 0;
}

static int source_allocate(Source *src) {
        EventSet *s = src->set;
        const FlatHead *h = &src->head;

        s->members = calloc(h->n_members, sizeof(SetMember));
        s->events = calloc(h->n_events + 1, sizeof(Event));
        s->rings = calloc(h->n_rings + 1, sizeof(Ring));
        s->cpus = calloc(h->n_cpus, sizeof(int));
        s->tids = calloc(h->n_tids, sizeof(pid_t));
        s->missing = h->missing;
        return s->members && s->events && s->rings && s->cpus && s->tids ? 0 : -ENOMEM;
}

/* A function that has moved since is another place. cpu-clock replaces cycles on a machine without that counter. */
static bool is_of_spec(const FlatMember *m, const EventSpec *spec) {
        if (m->attr.type == spec->attr.type && m->attr.config == spec->attr.config)
                return spec->probe_kind == PROBE_NONE || m->attr.config2 == spec->attr.config2;
        return m->attr.type == PERF_TYPE_SOFTWARE && spec->attr.type == PERF_TYPE_HARDWARE;
}

static int read_member(Source *src, size_t i, uint8_t enabled, uint32_t *ret_name_size) {
        EventSet *s = src->set;
        SetMember *m = &s->members[i];
        FlatMember flat;

        source_get(src, &flat, sizeof(flat));
        if (flat.name_size > src->head.size || flat.n_former > src->head.n_former)
                return refuse_layout(src);
        *m = (SetMember){
                .attr = flat.attr, .tracking = flat.tracking, .only_sideband = flat.spec == UINT32_MAX, .immediate = flat.immediate,
                .enabled = enabled, .group = flat.group, .leader = flat.leader, .cgroup = flat.cgroup, .closed = flat.closed,
                .former_ids = flat.n_former > 0 ? calloc(flat.n_former, sizeof(uint64_t)) : NULL,
        };
        if (flat.n_former > 0 && !m->former_ids)
                return -ENOMEM;
        m->n_former_ids = flat.n_former;
        if (m->only_sideband) {
                if (i + 1 != src->head.n_members)
                        return refuse_layout(src);
                s->added_spec = (EventSpec){ .attr = flat.attr, .leader = true, .scale = 1 };
                m->spec = &s->added_spec;
        } else if (flat.spec != i || i >= src->specs->n_specs || !is_of_spec(&flat, &src->specs->specs[i]))
                return diagnosis_set(src->d, -ESTALE, "The events differ from those that are asked for now");
        else {
                m->spec = &src->specs->specs[i];
                if (m->spec->probe_kind != PROBE_NONE) /* the attribute has a pointer into the memory of its opener */
                        m->attr.config1 = m->spec->attr.config1;
        }
        m->name = calloc(1, flat.name_size + 1UL);
        *ret_name_size = flat.name_size;
        return m->name ? 0 : -ENOMEM;
}

static int read_former_ids(Source *src) {
        uint32_t left = src->head.n_former;

        for (size_t i = 0; i < src->set->n_members; i++) {
                SetMember *m = &src->set->members[i];

                if (m->n_former_ids > left)
                        return refuse_layout(src);
                left -= (uint32_t) m->n_former_ids;
                if (m->n_former_ids > 0)
                        source_get(src, m->former_ids, m->n_former_ids * sizeof(uint64_t));
        }
        return left > 0 ? refuse_layout(src) : 0;
}

/* The texts are at the end; the members have the lengths of their names. */
static int read_texts(Source *src, const uint8_t *end, const uint32_t *sizes, Lendings *ret_lendings) {
        _cleanup_free_ char *lent = NULL;
        EventSet *s = src->set;

        for (size_t i = 0; i < s->n_members; i++) {
                if (!sizes || !s->members[i].name || sizes[i] > (size_t) (end - src->at))
                        return refuse_layout(src);
                memcpy(s->members[i].name, src->at, sizes[i]);
                src->at += sizes[i];
        }
        if ((size_t) (end - src->at) != src->head.lent_size)
                return refuse_layout(src);
        lent = strndup((const char *) src->at, src->head.lent_size);
        if (!lent)
                return -ENOMEM;
        return lendings_parse(lent, ret_lendings) < 0 ? refuse_layout(src) : 0;
}

static int read_events(Source *src) {
        EventSet *s = src->set;

        for (; s->n_events < src->head.n_events; s->n_events++) {
                FlatEvent flat;

                source_get(src, &flat, sizeof(flat));
                if (flat.member >= src->head.n_members || flat.ring >= MAX_OF(src->head.n_rings, 1U))
                        return refuse_layout(src);
                s->events[s->n_events] = (Event){
                        .fd = flat.open ? 0 : -EBADF, .cpu = flat.cpu, .tid = flat.tid, .id = flat.id, .member = flat.member,
                        .ring = flat.ring, .watch_input = flat.watch_input, .watch_hangup = flat.watch_hangup,
                };
        }
        return 0;
}

/* A descriptor of another event has another id; the request fails for one that is not an event. */
static int check_descriptor(Source *src, const Event *e, int fd) {
        const EventSet *s = src->set;
        uint64_t id = 0;
        int r;

        if (fd < 0)
                return diagnosis_set(src->d, -EBADF, "A descriptor of %s is missing", s->members[e->member].spec->name ?: "dummy");
        r = s->ops.ioctl(s->ops.userdata, fd, PERF_EVENT_IOC_ID, (unsigned long) &id);
        if (r < 0)
                return diagnosis_set(src->d, r, "Descriptor %d is no event: %s", fd, strerror(-r));
        if ((s->members[e->member].attr.read_format & PERF_FORMAT_ID) && id != e->id)
                return diagnosis_set(src->d, -ESTALE, "Descriptor %d is another event than it was", fd);
        return 0;
}

/* The set borrows the descriptors until all is read. */
static int read_descriptors(Source *src, const int *fds, size_t n_fds) {
        EventSet *s = src->set;
        int r = 0;

        for (size_t i = 0; i < s->n_events && r >= 0; i++) {
                Event *e = &s->events[i];

                if (e->fd < 0)
                        continue;
                if (src->n_taken == n_fds)
                        return diagnosis_set(src->d, -EBADF, "There are %zu descriptors, too few", n_fds);
                r = check_descriptor(src, e, fds[src->n_taken]);
                e->fd = fds[src->n_taken++];
        }
        return r;
}

static int read_ring(Source *src, uint32_t i, const int *fds, size_t n_fds) {
        size_t page = (size_t) sysconf(_SC_PAGESIZE);
        EventSet *s = src->set;
        FlatRing flat;
        int r, fd;

        source_get(src, &flat, sizeof(flat));
        if (flat.bytes / page > UINT32_MAX)
                return refuse_layout(src);
        if (flat.owner == UINT32_MAX) {
                if (src->n_taken == n_fds || fds[src->n_taken] < 0)
                        return diagnosis_set(src->d, -EBADF, "The descriptor of the ring of CPU %d is missing", flat.cpu);
                fd = fds[src->n_taken++];
        } else {
                if (flat.owner >= s->n_events || s->events[flat.owner].ring != i || s->events[flat.owner].fd < 0)
                        return refuse_layout(src);
                fd = s->events[flat.owner].fd;
        }
        r = ring_map(&s->rings[i], fd, (unsigned) (flat.bytes / page), flat.overwrite);
        if (r < 0)
                return diagnosis_set(src->d, r, "The ring of CPU %d can't be mapped again: %s", flat.cpu, strerror(-r));
        s->n_rings++;
        if (!flat.overwrite)
                s->rings[i].position = s->rings[i].page->data_tail;
        s->rings[i].held = flat.owner == UINT32_MAX;
        s->rings[i].sideband = flat.sideband;
        s->rings[i].cpu = flat.cpu;
        s->rings[i].tid = flat.tid;
        return 0;
}

static int read_rings(Source *src, const int *fds, size_t n_fds) {
        int r = 0;

        for (uint32_t i = 0; i < src->head.n_rings && r >= 0; i++)
                r = read_ring(src, i, fds, n_fds);
        if (r >= 0 && src->n_taken != n_fds)
                r = diagnosis_set(src->d, -EBADF, "There are %zu descriptors, %zu are used", n_fds, src->n_taken);
        return r;
}

static int read_members(Source *src, uint32_t **ret_sizes) {
        _cleanup_free_ uint32_t *sizes = calloc(src->head.n_members, sizeof(uint32_t));
        const uint8_t *enabled = src->at;
        EventSet *s = src->set;

        if (!sizes)
                return -ENOMEM;
        src->at += padded(src->head.n_members);
        for (; s->n_members < src->head.n_members; s->n_members++) {
                int r = read_member(src, s->n_members, enabled[s->n_members], &sizes[s->n_members]);

                if (r < 0)
                        return r;
        }
        if (s->n_members - (s->members[s->n_members - 1].only_sideband ? 1 : 0) != src->specs->n_specs)
                return diagnosis_set(src->d, -ESTALE, "There are %zu events now, previously %zu", src->specs->n_specs,
                                     s->n_members);
        *ret_sizes = steal_ptr(sizes);
        return 0;
}

/* Members have the specs of their groups, which come last. */
static int read_groups(Source *src, const uint8_t *groups) {
        _cleanup_free_ char *text = strndup((const char *) groups, src->head.groups_size);
        _cleanup_strv_free_ char **names = NULL;
        char *rest = text;
        int r = text ? 0 : -ENOMEM;

        for (char *name; r >= 0 && src->head.groups_size > 0 && (name = strsep(&rest, "\n"));)
                r = path_leads_up(name) ? refuse_layout(src) : strv_extend(&names, name);
        if (r < 0 || !names)
                return r;
        r = event_set_add_groups(src->set, src->specs, names, &src->group_specs);
        src->specs = &src->group_specs;
        return r == -E2BIG ? refuse_layout(src) : r;
}

static int source_read(Source *src, const uint8_t *end, const int *fds, size_t n_fds, Lendings *ret_lendings) {
        _cleanup_free_ uint32_t *sizes = NULL;
        EventSet *s = src->set;
        int r = read_groups(src, end);

        if (r >= 0)
                r = read_members(src, &sizes);
        if (r >= 0)
                r = read_events(src);
        if (r >= 0)
                r = read_descriptors(src, fds, n_fds);
        if (r >= 0)
                r = read_rings(src, fds, n_fds);
        if (r < 0)
                return r;
        s->n_cpus = src->head.n_cpus;
        s->n_tids = src->head.n_tids;
        source_get(src, s->cpus, s->n_cpus * sizeof(int));
        source_get(src, s->tids, s->n_tids * sizeof(pid_t));
        r = read_former_ids(src);
        return r < 0 ? r : read_texts(src, end, sizes, ret_lendings);
}

int event_set_take_over(const EventSpecs *specs, const void *flat, size_t size, int *fds, size_t n_fds, const EventOps *ops,
                        Lendings *ret_lendings, EventSet **ret, Diagnosis *d) {
        _cleanup_(event_set_freep) EventSet *s = calloc(1, sizeof(EventSet));
        Source src = { .at = flat, .specs = specs, .set = s, .d = d };
        int r;

        if (!s)
                return -ENOMEM;
        s->ops = ops ? *ops : event_ops_kernel;
        r = read_head(&src, size);
        if (r >= 0)
                r = source_allocate(&src);
        if (r >= 0)
                r = source_read(&src, (const uint8_t *) flat + size - src.head.groups_size, fds, n_fds, ret_lendings);
        if (r < 0) { /* a set that is not whole owns no descriptor */
                for (size_t i = 0; i < s->n_events; i++)
                        s->events[i].fd = -EBADF;
                for (size_t i = 0; i < s->n_rings; i++)
                        s->rings[i].held = false;
                return diagnosis_set(d, r, "The events can't be taken over: %s", strerror(-r));
        }
        s->lendings = ret_lendings;
        for (size_t i = 0; i < n_fds; i++)
                fds[i] = -EBADF;
        *ret = steal_ptr(s);
        return 0;
}
