/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Opens one member of a set at all its places (CPUs × threads), with fallbacks for when the kernel refuses. These are
 * perf record's, in its order: less precision (if the highest was asked for), a thread that has exited, more
 * descriptors, features that the kernel lacks (remembered for later events), cpu-clock for cycles, only user level if
 * the kernel's is forbidden, a weak group dissolved. The set's notes report the changes. */

#include "array.h"
#include "opening.h"

#include "event-name.h"
#include "event-set-lending.h"
#include "privilege.h"
#include "probe.h"
#include "resource-limits.h"
#include "sysctl.h"
#include "tracepoint.h"

static size_t opening_leader(const Opening *o, size_t member) {
        while (!o->set->members[member].leader)
                member--;
        return member;
}

static int opening_open_event(Opening *o, size_t member) {
        EventSet *s = o->set;
        SetMember *m = &s->members[member];
        int cgroup_fd = o->cgroup_fds[member];
        unsigned long flags = PERF_FLAG_FD_CLOEXEC | (cgroup_fd >= 0 ? PERF_FLAG_PID_CGROUP : 0);
        int group_fd = m->leader ? -1 : opening_event(o, o->cpu, o->tid, opening_leader(o, member))->fd;

        attr_drop_missing(&m->attr, &s->missing);
        return event_open(opening_event(o, o->cpu, o->tid, member), &s->ops, &m->attr,
                          cgroup_fd >= 0 ? cgroup_fd : s->tids[o->tid], o->cpus[o->cpu], MAX_OF(group_fd, -1), flags);
}

static void opening_close_member(Opening *o, size_t member) {
        for (size_t c = 0; c < o->n_cpus; c++)
                for (size_t t = 0; t < o->set->n_tids; t++)
                        event_done(opening_event(o, c, t, member));
}

/* A thread may exit after it was listed; it is an error only for the last one. */
static bool opening_drop_thread(Opening *o) {
        EventSet *s = o->set;

        if (!target_has_task(o->options->target) || s->n_tids - o->n_gone < 2)
                return false;
        for (size_t c = 0; c < o->n_cpus; c++)
                for (size_t m = 0; m < s->n_members; m++)
                        event_done(opening_event(o, c, o->tid, m));
        o->gone[o->tid] = true;
        o->n_gone++;
        return true;
}

/* Returns the name that users know: fallbacks change the member's name to the one that perf writes to the file. */
static const char *member_asked_name(const SetMember *m) {
        return m->spec->by_default ? "cycles" : m->spec->name ?: m->name;
}

static int noted(int r) {
        return r < 0 ? r : 1;
}

/* Returns 1: something has changed, try this member again from its first event; 0: this fallback does not apply;
 * negative: an error. */
static int fall_back_to_clock(Opening *o, SetMember *m, int error) {
        char *name;

        if (o->attr.counting || (error != -ENOENT && error != -ENXIO && error != -ENODEV) || m->attr.type != PERF_TYPE_HARDWARE ||
            m->attr.config != PERF_COUNT_HW_CPU_CYCLES)
                return 0;
        attr_fall_back_to_clock(&m->attr, &o->attr);
        name = event_name_of(&m->attr);
        if (!name)
                return -ENOMEM;
        free(m->name);
        m->name = name;
        return noted(strv_extendf(&o->set->notes, "The %s event is not supported here: falling back to cpu-clock",
                                  member_asked_name(m)));
}

static int fall_back_to_user(Opening *o, SetMember *m, int error) {
        int paranoid = sysctl_read("kernel/perf_event_paranoid", 2);

        if (error != -EACCES || m->attr.exclude_kernel || m->attr.exclude_user || paranoid < 2 ||
            (m->attr.namespaces && !privilege_have_perfmon()) || tracepoint_is_syscall(m->name)) /* these are in the kernel only */
                return 0;
        m->attr.exclude_kernel = m->attr.exclude_hv = true;
        if (event_name_add_user(&m->name) < 0)
                return -ENOMEM;
        return noted(strv_extendf(&o->set->notes, "kernel.perf_event_paranoid is %d: %s leaves out the kernel", paranoid,
                                  member_asked_name(m)));
}

/* The members of a weak group become single events. *member: the one to continue with. */
static int dissolve_group(Opening *o, size_t *member, int error) {
        EventSet *s = o->set;
        size_t first = opening_leader(o, *member);
        const SetMember *leader = &s->members[first];
        unsigned group = leader->group;

        if (first == *member || !s->members[*member].spec->weak || (error != -EINVAL && error != -EBADF))
                return 0;
        for (size_t i = first; i < s->n_members && s->members[i].group == group; i++) {
                opening_close_member(o, i);
                s->members[i].leader = true;
                s->members[i].group = 0;
                s->members[i].attr.disabled = leader->attr.disabled;
                s->members[i].attr.enable_on_exec = leader->attr.enable_on_exec;
                s->members[i].enabled = leader->enabled;
        }
        *member = first;
        return noted(strv_extendf(&s->notes, "The group of %s can't be opened as one: its events are recorded separately",
                                  member_asked_name(leader)));
}

/* Counting goes on without an event that the machine does not have, as perf stat does. Returns 1, and *member is the next one; 0:
 * this fallback does not apply. */
static int count_without(Opening *o, size_t *member, int error) {
        static const int missing[] = { -ENOENT, -ENXIO, -ENODEV, -EOPNOTSUPP };
        const SetMember *m = &o->set->members[*member];
        int r;

        if (!o->attr.counting || m->group > 0 || !ANY_OF(ELEMENTSOF(missing), i, missing[i] == error))
                return 0;
        r = strv_extendf(&o->set->notes, "The %s event is not supported here: it is not counted", member_asked_name(m));
        ++*member;
        return noted(r);
}

static bool lower_precision(SetMember *m) {
        if (m->attr.precise_ip == 0) { /* no precision works, so it is not the reason */
                m->attr.precise_ip = 3;
                return false;
        }
        m->attr.precise_ip--;
        return true;
}

/* Opens one place, with the fallbacks for this place. 1: it is open, 0: its thread has exited. */
static int opening_open_place(Opening *o, size_t member, bool first) {
        SetMember *m = &o->set->members[member];

        for (;;) {
                int r = opening_open_event(o, member);

                if (r >= 0)
                        return 1;
                if (r == -ESRCH && opening_drop_thread(o))
                        return 0;
                if (m->spec->precise_max && lower_precision(m))
                        continue;
                if (r == -EMFILE && !o->raised) {
                        o->raised = true;
                        if (resource_limits_raise_descriptors(opening_n_places(o) * 2 + 1024, NULL) >= 0)
                                continue;
                }
                if (r == -EINVAL && first && attr_give_up_feature(&o->set->missing, &m->attr, m->spec->keep_guest, &o->why))
                        continue;
                return r;
        }
}

static int opening_open_places(Opening *o, size_t member) {
        EventSet *s = o->set;
        const SetMember *m = s->members + member;
        const EventSpec *spec = m->spec;
        size_t n_cpus = m->only_sideband ? o->n_cpus : s->n_cpus;
        bool first = true;
        int r;

        o->why = NULL;
        for (o->cpu = 0; o->cpu < n_cpus; o->cpu++)
                for (o->tid = 0; o->tid < s->n_tids; o->tid++) {
                        int cpu = o->cpus[o->cpu];

                        if (o->gone[o->tid])
                                continue;
                        if (spec->n_cpus > 0 && cpu >= 0 && !ANY_OF(spec->n_cpus, i, spec->cpus[i] == cpu))
                                continue;
                        r = opening_open_place(o, member, first);
                        if (r < 0)
                                return r;
                        first = first && r == 0;
                }
        o->cpu = o->tid = 0;
        return first ? -ENODEV : 0;
}

static int opening_failed(Opening *o, const SetMember *m, int error) {
        if (o->why)
                return diagnosis_set(o->d, error, "The %s event can't be opened: %s", member_asked_name(m), o->why);
        if (m->spec->probe_kind != PROBE_NONE && !privilege_is_filtered() &&
            probe_diagnose_open(o->d, error, m->spec, &m->attr) < 0)
                return error;
        return attr_diagnose_open(o->d, error, member_asked_name(m), &m->attr, o->cpus[o->cpu], o->set->tids[o->tid]);
}

/* The places stay without descriptors until event_set_open_lent() opens them; of a group that has gone, for ever. */
static void opening_leave_out(Opening *o, size_t member) {
        SetMember *m = &o->set->members[member];
        const EventSpec *spec = m->spec;

        m->closed = o->cgroup_fds[member] != -ESRCH;
        for (size_t c = 0; c < o->set->n_cpus; c++)
                for (size_t t = 0; t < o->set->n_tids; t++) {
                        Event *e = opening_event(o, c, t, member);

                        if (spec->n_cpus > 0 && o->cpus[c] >= 0 && !ANY_OF(spec->n_cpus, i, spec->cpus[i] == o->cpus[c]))
                                continue;
                        e->cpu = o->cpus[c];
                        e->tid = o->cgroup_fds[member] >= 0 ? -1 : o->set->tids[t];
                }
}

int opening_open_member(Opening *o, size_t *member) {
        SetMember *m = &o->set->members[*member];
        int r, again;

        if (o->cgroup_fds[*member] == -ESRCH || event_set_leaves_out(o->set, *member)) {
                opening_leave_out(o, (*member)++);
                return 0;
        }

        do {
                r = opening_open_places(o, *member);
                if (r >= 0) {
                        ++*member;
                        return 0;
                }
                opening_close_member(o, *member);
                again = fall_back_to_clock(o, m, r);
                if (again == 0)
                        again = fall_back_to_user(o, m, r);
        } while (again > 0);
        if (again == 0)
                again = count_without(o, member, r);
        if (again == 0)
                again = dissolve_group(o, member, r);
        return again == 0 ? opening_failed(o, m, r) : MIN_OF(again, 0);
}
