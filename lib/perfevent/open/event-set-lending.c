/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lending closes events: a disabled one still has its breakpoint register, and other programs that look see that the PMU is in
 * use. A ring lives on, since an event without samples holds it (opening-rings.c). The kernel gives each event a new id, which its
 * samples have, so the old ones are kept for the files that have older samples.
 *
 * An event that is closed stays in the array, with its place and without a descriptor. */

#include "event-set-lending.h"

#include "array.h"
#include "attr-kind.h"
#include "cgroup.h"

#define FORMER_IDS_MAX 16384u /* of a member; the oldest are forgotten */

CounterKind event_counter_kind(const struct perf_event_attr *attr, ProbeKind probe, const char *name) {
        static const char *const free_running[] = { "msr/", "power/", "cstate_" };

        if (attr->type == PERF_TYPE_BREAKPOINT)
                return COUNTER_BREAKPOINT;
        if (attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT || probe != PROBE_NONE ||
            ANY_OF(ELEMENTSOF(free_running), i, startswith(name, free_running[i])))
                return _COUNTER_KIND_INVALID;
        return COUNTER_HARDWARE;
}

static CounterKind member_kind(const SetMember *m) {
        return event_counter_kind(&m->attr, m->spec ? m->spec->probe_kind : PROBE_NONE, m->name);
}

bool event_set_lends(const EventSet *s, CounterKind kind) {
        return s->lendings && ANY_OF(s->n_members, i, member_kind(&s->members[i]) == kind);
}

static bool member_goes_with(const EventSet *s, size_t a, size_t b) {
        return a == b || (s->members[a].group != 0 && s->members[a].group == s->members[b].group);
}

bool event_set_may_lend(const EventSet *s, size_t member) {
        return s->lendings && ANY_OF(s->n_members, i, member_goes_with(s, i, member) && member_kind(&s->members[i]) >= 0);
}

/* but: this kind counts as given back. */
static bool member_is_lent(const EventSet *s, size_t member, CounterKind but) {
        for (size_t i = 0; s->lendings && i < s->n_members; i++) {
                CounterKind kind = member_kind(&s->members[i]);

                if (member_goes_with(s, i, member) && kind >= 0 && kind != but && lendings_current(s->lendings, kind))
                        return true;
        }
        return false;
}

bool event_set_leaves_out(const EventSet *s, size_t member) {
        return member_is_lent(s, member, _COUNTER_KIND_INVALID);
}

/* The end of a thread is seen by one of its events: by another one, if there is one. */
static void pass_watch(EventSet *s, Event *closed) {
        for (size_t i = 0; i < s->n_events && closed->watch_hangup; i++) {
                Event *e = &s->events[i];

                if (e->fd < 0 || e->tid != closed->tid)
                        continue;
                e->watch_hangup = true;
                closed->watch_hangup = false;
        }
}

bool event_set_close_lent(EventSet *s) {
        bool any = false;

        for (size_t i = 0; i < s->n_members; i++) {
                if (s->members[i].closed || !member_is_lent(s, i, _COUNTER_KIND_INVALID))
                        continue;
                s->members[i].closed = any = true;
                for (size_t k = 0; k < s->n_events; k++)
                        if (s->events[k].member == i)
                                event_done(&s->events[k]);
        }
        for (size_t i = 0; i < s->n_events && any; i++)
                if (s->events[i].fd < 0)
                        pass_watch(s, &s->events[i]);
        return any;
}

/* Events are in the order of CPUs and threads, and a leader comes before the others of its group. */
static int leader_fd(const EventSet *s, size_t event) {
        const Event *e = &s->events[event];
        unsigned group = s->members[e->member].group;

        for (size_t i = event; i > 0 && !s->members[e->member].leader; i--) {
                const Event *o = &s->events[i - 1];

                if (o->cpu == e->cpu && o->tid == e->tid && s->members[o->member].group == group && s->members[o->member].leader)
                        return o->fd;
        }
        return -1;
}

/* A thread that has ended in the meantime is no failure. The event gets its number in opened only. */
static int open_event(EventSet *s, size_t event, int cgroup_fd, Event *opened, Diagnosis *d) {
        const Event *e = &s->events[event];
        const SetMember *m = &s->members[e->member];
        struct perf_event_attr attr = m->attr;
        int r;

        attr.disabled = m->leader;
        attr.enable_on_exec = false;
        r = event_open(opened, &s->ops, &attr, cgroup_fd >= 0 ? cgroup_fd : e->tid, e->cpu, leader_fd(s, event),
                       PERF_FLAG_FD_CLOEXEC | (cgroup_fd >= 0 ? PERF_FLAG_PID_CGROUP : 0));
        if (r == -ESRCH && e->tid > 0)
                return 0;
        if (r < 0)
                return attr_diagnose_open(d, r, m->name, &attr, e->cpu, e->tid);
        if (m->spec->filter)
                r = event_set_filter(opened, &s->ops, m->spec->filter, m->name, d);
        if (r >= 0 && !event_set_counts(s))
                r = event_set_output(opened, &s->ops, &(Event) { .fd = s->rings[e->ring].fd });
        return r;
}

static void note_former_id(SetMember *m, uint64_t id) {
        if (id == 0)
                return;
        if (m->n_former_ids == FORMER_IDS_MAX)
                memmove(m->former_ids, m->former_ids + 1, --m->n_former_ids * sizeof(uint64_t));
        else if (ARRAY_RESERVE_NEXT(m->former_ids, m->n_former_ids) < 0)
                return; /* readers do not know some samples */
        m->former_ids[m->n_former_ids++] = id;
}

static int open_member(EventSet *s, size_t member, Diagnosis *d) {
        SetMember *m = &s->members[member];
        _cleanup_close_ int cgroup_fd = m->spec->cgroup ? cgroup_open(NULL, m->spec->cgroup, d) : -EBADF;
        int r = m->spec->cgroup && cgroup_fd < 0 ? cgroup_fd : 0;

        if (r == -ESRCH && s->groups) /* the others are opened */
                return 0;

        for (size_t i = 0; i < s->n_events && r >= 0; i++) {
                Event *e = &s->events[i], opened = EVENT_EMPTY;

                if (e->member != member)
                        continue;
                r = open_event(s, i, cgroup_fd, &opened, d);
                if (opened.fd < 0)
                        continue;
                note_former_id(m, e->id);
                e->fd = opened.fd;
                e->id = opened.id;
        }
        return r;
}

/* A leader is enabled when all of its group are there. */
static int enable_opened(EventSet *s, const bool *opened) {
        int r = 0;

        for (size_t i = 0; i < s->n_events && r >= 0; i++) {
                const SetMember *m = &s->members[s->events[i].member];

                if (opened[s->events[i].member] && m->leader && m->enabled && s->events[i].fd >= 0)
                        r = event_enable(&s->events[i], &s->ops, true);
        }
        return r;
}

int event_set_open_lent(EventSet *s, CounterKind kind, Diagnosis *d) {
        _cleanup_free_ bool *opened = calloc(s->n_members, sizeof(bool));
        bool any = false;
        int r = opened ? 0 : -ENOMEM;

        for (size_t i = 0; i < s->n_members && r >= 0; i++) {
                if (!s->members[i].closed || member_is_lent(s, i, kind))
                        continue;
                opened[i] = any = true;
                r = open_member(s, i, d);
                s->members[i].closed = false;
        }
        if (r >= 0)
                r = enable_opened(s, opened);
        if (r >= 0)
                return any;
        (void) event_set_close_lent(s);
        return r;
}

bool event_set_is_lent(const EventSet *s) {
        return !ANY_OF(s->n_members, i, !s->members[i].only_sideband && !s->members[i].closed);
}
