/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Opens a set of events: members from specs, attributes, the target's CPUs and threads, checks, opening, rings,
 * filters. It opens all or nothing.
 *
 * During this, events are in a full table of CPUs × threads × members; the places of threads that exited in the meantime,
 * and of CPUs that a PMU is not on, stay empty and are removed at the end. opening-places.c opens one place with its
 * fallbacks, opening-rings.c maps the rings. */

#include "opening.h"

#include <sys/stat.h>
#include "array.h"
#include "cgroup.h"
#include "event-set-groups.h"
#include "format-text.h"
#include "parse-size.h"
#include "resource-limits.h"
#include "tracepoint.h"

/* Probes and the other members of their groups are not inherited: see opening_forbid_inherited_probes(). */
static bool spec_is_near_probe(const EventSpecs *l, const EventSpec *s) {
        return ANY_OF(l->n_specs, i, l->specs[i].probe_kind != PROBE_NONE &&
                                     (&l->specs[i] == s || (s->group > 0 && l->specs[i].group == s->group)));
}

/* The event that carries the side band of tasks: the first that new ones inherit, so that all of them are known. */
static size_t find_tracking(const EventSpecs *l) {
        for (size_t i = 0; i < l->n_specs; i++)
                if (!spec_is_near_probe(l, &l->specs[i]))
                        return i;
        return 0;
}

/* For whole CPUs a dummy event carries the side band: it counts nothing, and is enabled from its opening, so that
 * processes before the first sample are known. For tasks one of the requested events carries it, unless these are
 * enabled after the command starts. */
static int opening_add_members(Opening *o) {
        EventSet *s = o->set;
        size_t tracking = o->attr.has_cpu || o->options->delayed ? 0 : find_tracking(o->specs);
        bool wanted = !o->options->no_sideband && !o->attr.counting, add = o->sideband_apart;

        if (wanted && (o->attr.has_cpu || o->options->delayed) && !attr_is_dummy(&o->specs->specs[0].attr))
                add = true;
        s->members = calloc(o->specs->n_specs + 1, sizeof(SetMember));
        if (!s->members)
                return -ENOMEM;
        for (size_t i = 0; i < o->specs->n_specs; i++) {
                const EventSpec *spec = &o->specs->specs[i];
                char *name = strdup(spec->name);

                if (!name)
                        return -ENOMEM;
                s->members[s->n_members++] = (SetMember){
                        .name = name, .spec = spec, .group = spec->group, .leader = spec->leader,
                        .tracking = wanted && !add && i == tracking,
                        .immediate = wanted && !add && i == 0 && o->attr.has_cpu,
                };
        }
        if (add) {
                s->added_spec = (EventSpec){
                        .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .sample_period = 1 }, .leader = true,
                        .scale = 1,
                };
                s->members[s->n_members++] = (SetMember){
                        .name = strdup("dummy:HG"), .spec = &s->added_spec, .leader = true, .tracking = true, .only_sideband = true,
                        .immediate = o->attr.has_cpu || (!o->options->delayed && !o->attr.enable_on_exec),
                };
                if (!s->members[s->n_members - 1].name)
                        return -ENOMEM;
        }
        return 0;
}

static void opening_build_attr(Opening *o, SetMember *m) {
        attr_build(m->spec, &o->attr, m->tracking, &m->attr);
        if (!o->attr.counting)
                attr_ask_times(&m->attr, m->spec);
        if (m->immediate)
                m->attr.disabled = m->attr.enable_on_exec = false;
        else if (m->tracking && o->options->delayed)
                m->attr.enable_on_exec = true;
        if (m->only_sideband && o->sideband_apart)
                m->attr.write_backward = false;
        m->enabled = m->immediate || m->attr.enable_on_exec;
}

/* When a process with an inherited probe forks, the kernel reads the probe's path or function at our address in that
 * process's memory, and fork() fails (up to 6.18 at least). A group is inherited as a whole. */
static int opening_forbid_inherited_probes(Opening *o) {
        EventSet *s = o->set;
        bool inherited = false;

        for (size_t i = 0; i < o->specs->n_specs; i++)
                if (spec_is_near_probe(o->specs, s->members[i].spec)) {
                        inherited = inherited || s->members[i].attr.inherit;
                        s->members[i].attr.inherit = false;
                }
        if (inherited && (!o->attr.has_cpu || target_has_task(o->options->target)))
                return strv_extendf(&s->notes, "Probes can't be handed on to new processes and threads: those are not recorded; "
                                    "all CPUs (-a) have them all");
        return 0;
}

/* Returns whether k has all context switches that m would have. The first of two equal ones covers the other. */
static bool covers_switches(const SetMember *k, const SetMember *m) {
        const EventSpec *a = k->spec, *b = m->spec;

        if (!streq(a->cgroup ?: "", b->cgroup ?: ""))
                return false;
        if (k->attr.inherit != m->attr.inherit)
                return k->attr.inherit;
        if (a->n_cpus == 0 || b->n_cpus == 0)
                return a->n_cpus == b->n_cpus ? k < m : a->n_cpus == 0;
        return k < m && a->n_cpus == b->n_cpus && memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(int)) == 0;
}

/* A flight recorder keeps context switches, which are too many for the rings of the side band: they go to the samples'
 * rings. One event carries them for each control group and each set of CPUs, so that no record comes twice. */
static void opening_move_switches(Opening *o) {
        EventSet *s = o->set;

        for (size_t i = 0; i < s->n_members; i++) {
                SetMember *m = &s->members[i];
                bool covered = m->only_sideband;

                for (size_t k = 0; k < s->n_members && !covered; k++)
                        covered = k != i && !s->members[k].only_sideband && covers_switches(&s->members[k], m);
                m->attr.context_switch = !covered;
        }
}

static int opening_build_attrs(Opening *o) {
        EventSet *s = o->set;
        _cleanup_free_ struct perf_event_attr **attrs = calloc(s->n_members, sizeof(void *));
        const SetMember *leader = NULL;
        int r;

        if (!attrs)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_members; i++) {
                SetMember *m = &s->members[i];

                opening_build_attr(o, m);
                if (m->leader)
                        leader = m;
                else if (leader && leader->spec->sample_read && !o->attr.counting)
                        attr_follow_leader(&m->attr, m->spec, &leader->attr);
                attrs[i] = &m->attr;
        }
        attr_unify(attrs, s->n_members, o->attr.identifier || o->attr.counting);
        r = opening_forbid_inherited_probes(o);
        if (o->attr.switches && o->sideband_apart)
                opening_move_switches(o);
        return r;
}

static void diagnose_filter(const EventSpec *spec, Diagnosis *d) {
        _cleanup_strv_free_ char **fields = NULL;
        _cleanup_free_ char *root = NULL, *list = NULL;
        char *longer;

        if (!d || !d->sentence || tracefs_find(&root) < 0 ||
            tracepoint_fields(root, spec->tracepoint_system, spec->tracepoint_name, &fields) < 0)
                return;
        list = strv_join(fields, ", ");
        longer = list ? format_text("%s; it has %s", d->sentence, list) : NULL;
        if (longer) {
                free(d->sentence);
                d->sentence = longer;
        }
}

static int opening_set_filters(Opening *o) {
        EventSet *s = o->set;
        int r;

        for (size_t i = 0; i < s->n_events; i++) {
                const SetMember *m = &s->members[s->events[i].member];

                if (!m->spec->filter || s->events[i].fd < 0)
                        continue;
                r = event_set_filter(&s->events[i], &s->ops, m->spec->filter, m->name, o->d);
                if (r < 0) {
                        if (r == -EINVAL)
                                diagnose_filter(m->spec, o->d);
                        return r;
                }
        }
        return 0;
}

/* Moves the events into the set without the gaps of the table, and drops the threads that have exited. One event of
 * each thread is watched for the thread's exit. */
static int opening_take_events(Opening *o) {
        EventSet *s = o->set;
        size_t n = opening_n_places(o), n_tids = 0;
        _cleanup_free_ bool *watched = calloc(s->n_tids, sizeof(bool));

        if (!watched)
                return -ENOMEM;
        s->events = steal_ptr(o->table);
        for (size_t i = 0; i < n; i++) {
                size_t tid = i / s->n_members % s->n_tids;
                Event e = s->events[i];

                if (e.fd < 0 && (e.cpu < 0 && e.tid < 0))
                        continue;
                if (e.fd < 0 && !s->members[e.member].closed && o->cgroup_fds[e.member] != -ESRCH)
                        continue;
                e.watch_hangup = e.tid >= 0 && e.fd >= 0 && !watched[tid];
                watched[tid] = watched[tid] || e.fd >= 0;
                s->events[s->n_events++] = e;
        }
        for (size_t t = 0; t < s->n_tids; t++)
                if (!o->gone[t])
                        s->tids[n_tids++] = s->tids[t];
        s->n_tids = n_tids;
        return 0;
}

/* Each member has a descriptor of its own, even for the same group: they are few. */
static int opening_open_cgroups(Opening *o) {
        EventSet *s = o->set;
        struct stat st;

        o->cgroup_fds = malloc((s->n_members + 1) * sizeof(int));
        if (!o->cgroup_fds)
                return -ENOMEM;
        for (; o->n_cgroup_fds < s->n_members; o->n_cgroup_fds++)
                o->cgroup_fds[o->n_cgroup_fds] = -EBADF;
        for (size_t i = 0; i < s->n_members; i++) {
                const char *name = s->members[i].spec->cgroup;

                if (!name)
                        continue;
                if (!o->attr.has_cpu)
                        return diagnosis_set(o->d, -EINVAL, "Control groups are recorded on CPUs: add all of them (-a) or a "
                                             "list (-C)");
                o->cgroup_fds[i] = cgroup_open(o->options->cgroup_root, name, s->groups ? NULL : o->d);
                if (o->cgroup_fds[i] == -ESRCH && s->groups)
                        continue;
                if (o->cgroup_fds[i] < 0)
                        return o->cgroup_fds[i];
                if (fstat(o->cgroup_fds[i], &st) < 0)
                        return -errno;
                s->members[i].cgroup = st.st_ino;
        }
        return 0;
}

/* The side band's rings count here, as in event_set_ring_bytes(). */
static int opening_check_left(const Opening *o, size_t rings, uint64_t pages) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), size = o->pages * page, total;
        char wanted[32], each[32], left[32];

        if (!o->options->locked_left)
                return 0;
        if (__builtin_mul_overflow(page, pages, &total))
                total = UINT64_MAX;
        if (total <= *o->options->locked_left)
                return 0;
        return diagnosis_set(o->d, -ENOBUFS, "its rings would lock %s of memory (%zu of %s), and MaxLockedMemory= leaves %s: make "
                             "them smaller (BufferSize=, -m), or stop another session", format_size(wanted, sizeof(wanted), total),
                             rings, format_size(each, sizeof(each), size),
                             format_size(left, sizeof(left), *o->options->locked_left));
}

static int opening_check(Opening *o) {
        EventSet *s = o->set;
        uint64_t pages;
        size_t n, rings;
        int r = opening_open_cgroups(o);

        if (r < 0)
                return r;
        if (__builtin_mul_overflow(o->n_cpus * s->n_tids, s->n_members, &n))
                return -E2BIG;
        rings = opening_count_rings(o, false, &pages); /* the side band's are small */
        r = resource_limits_raise_descriptors(n + (s->lendings ? rings : 0), o->d);
        if (r < 0)
                return r;
        r = resource_limits_check_rings(rings, o->pages, o->d);
        return r < 0 ? r : opening_check_left(o, rings, pages);
}

static int opening_make_table(Opening *o) {
        EventSet *s = o->set;
        size_t n = opening_n_places(o);

        o->gone = calloc(s->n_tids, sizeof(bool));
        o->table = calloc(n, sizeof(Event));
        if (!o->gone || !o->table)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                o->table[i] = (Event) EVENT_EMPTY;
                o->table[i].member = (unsigned) (i % s->n_members);
        }
        return 0;
}

static void opening_done(Opening *o) {
        size_t n = o->table ? opening_n_places(o) : 0;

        for (size_t i = 0; i < n; i++)
                event_done(&o->table[i]);
        for (size_t i = 0; i < o->n_cgroup_fds; i++)
                safe_close(o->cgroup_fds[i]);
        free(o->cgroup_fds);
        free(o->cpus);
        free(o->table);
        free(o->gone);
        (void) event_set_free(o->set);
}

/* A process may begin, be named and map its files on another CPU than those that are recorded, so the side band is that of all. */
static int opening_find_cpus(Opening *o) {
        const Target *t = o->options->target;
        EventSet *s = o->set;

        o->n_cpus = s->n_cpus;
        o->cpus = calloc(s->n_cpus, sizeof(int));
        if (!o->cpus)
                return -ENOMEM;
        memcpy(o->cpus, s->cpus, s->n_cpus * sizeof(int));
        if (t->n_cpus == 0 || target_has_task(t) || !ANY_OF(s->n_members, i, s->members[i].only_sideband))
                return 0;
        return target_add_online_cpus(&o->cpus, &o->n_cpus);
}

static int opening_prepare(Opening *o) {
        const Target *t = o->options->target;
        EventSet *s = o->set;
        int r;

        s->ops = o->options->ops ? *o->options->ops : event_ops_kernel;
        s->lendings = o->options->lendings;
        if (o->options->groups) {
                r = event_set_add_groups(s, o->specs, o->options->groups, &o->group_specs);
                if (r < 0)
                        return r;
                o->specs = &o->group_specs;
        }
        o->attr.has_cpu = target_has_cpu(t);
        o->attr.per_thread = t->per_thread;
        o->attr.enable_on_exec = target_is_command(t) && !o->options->delayed;
        o->sideband_apart = o->options->sideband_pages > 0 && !o->options->no_sideband && !o->attr.counting;
        if (t->per_thread && !o->attr.counting) /* the kernel has no rings for inherited events that are not bound to a CPU */
                o->attr.inherit = false;

        r = opening_add_members(o);
        if (r >= 0)
                r = opening_build_attrs(o);
        if (r >= 0)
                r = target_resolve(t, o->options->proc_root, &s->cpus, &s->n_cpus, &s->tids, &s->n_tids, o->d);
        if (r >= 0)
                r = opening_find_cpus(o);
        if (r >= 0)
                r = opening_check(o);
        return r < 0 ? r : opening_make_table(o);
}

/* The kernel accepts these fields for every event, and few events have them. */
static int opening_note_zeros(Opening *o) {
        EventSet *s = o->set;

        if (!o->attr.weight && !o->attr.transaction)
                return 0;
        for (size_t i = 0; i < s->n_members; i++) {
                uint32_t type = s->members[i].attr.type;

                if (type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT && type != PERF_TYPE_BREAKPOINT)
                        return 0;
        }
        return strv_extend(&s->notes, "Weights and transactions (-W, --transaction) are zero in all samples: only hardware "
                           "events for memory and transactions have them");
}

static int opening_open_all(Opening *o) {
        int r = 0;

        for (size_t i = 0; i < o->set->n_members && r >= 0;)
                r = opening_open_member(o, &i);
        if (r >= 0)
                r = opening_take_events(o);
        if (r >= 0 && o->set->n_events == 0)
                r = diagnosis_set(o->d, -ENOENT, "None of the events is supported here");
        if (r >= 0)
                r = opening_set_filters(o);
        if (r >= 0)
                r = opening_note_zeros(o);
        return r < 0 ? r : opening_map_rings(o);
}

int event_set_open(const EventSpecs *specs, const EventSetOptions *options, EventSet **ret, Diagnosis *d) {
        _cleanup_(opening_done) Opening o = { .specs = specs, .options = options, .attr = options->attr, .d = d };
        int r;

        if (specs->n_specs == 0)
                return diagnosis_set(d, -EINVAL, "There is no event to record");
        o.pages = options->pages ?: ring_default_pages();
        o.set = calloc(1, sizeof(EventSet));
        if (!o.set)
                return -ENOMEM;
        r = opening_prepare(&o);
        if (r >= 0)
                r = opening_open_all(&o);
        if (r < 0)
                return diagnosis_set(d, r, "Opening the events failed: %s", strerror(-r));
        *ret = steal_ptr(o.set);
        return 0;
}
