/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events are opened group by group, each at all places. Software events always have a counter, so that neighbours without a group
 * are made one of the kernel's: then one system call reads them all, and nobody sees another difference. This is not done for tasks
 * that run already, whose children are counted, too: a child that is forked while the group is opened inherits a part of it, and
 * the kernel (since 6.6) refuses to read such a group. */

#include "count-set.h"

#include <sys/ioctl.h>

#include "array.h"
#include "attr.h"
#include "cgroup.h"
#include "fd-file.h"
#include "format-text.h"
#include "resource-limits.h"
#include "utf8.h"

#define COMM_SIZE ((size_t) 64)
#define GROUP_MAX 1000u /* members, whose read(2) the kernel takes */

/* The opening of a set. */
typedef struct CountOpening {
        CountSet *set;
        const CountSetOptions *options;
        bool inherit, on_exec;
        AttrMissing missing;
        Diagnosis *d;
} CountOpening;

CountSet *count_set_free(CountSet *s) {
        if (!s)
                return NULL;
        for (size_t i = 0; s->fds && i < s->n_members * s->n_cpus * s->n_tids; i++)
                safe_close(s->fds[i]);
        for (size_t i = 0; s->members && i < s->n_members; i++)
                free(s->members[i].name);
        for (size_t i = 0; i < s->layout.n_threads; i++)
                free((char *) s->layout.threads[i].comm);
        free((CountEvent *) s->layout.events);
        free((RecordThread *) s->layout.threads);
        free(s->members);
        free(s->cpus);
        free(s->tids);
        free(s->fds);
        free(s->counts);
        free(s->words);
        free(s);
        return NULL;
}

/* Returns whether an event may be counted with its neighbours in a group that nobody asked for. */
static bool spec_always_counts(const EventSpec *s) {
        return (s->attr.type == PERF_TYPE_SOFTWARE || s->attr.type == PERF_TYPE_TRACEPOINT) && s->group == 0 && !s->attr.pinned &&
               !s->attr.exclusive && s->n_cpus == 0 && s->probe_kind == PROBE_NONE;
}

/* together: neighbours in no group may be one. */
static void set_find_groups(CountSet *s, bool together) {
        for (size_t first = 0, n; first < s->n_members; first += n) {
                const EventSpec *a = s->members[first].spec;

                for (n = 1; first + n < s->n_members && n < GROUP_MAX; n++) {
                        const EventSpec *b = s->members[first + n].spec;

                        if (a->group > 0 || b->group > 0 ? a->group != b->group :
                            !together || !spec_always_counts(a) || !spec_always_counts(b) || !streq_ptr(a->cgroup, b->cgroup))
                                break;
                }
                for (size_t i = first; i < first + n; i++) {
                        s->members[i].first = first;
                        s->members[i].n = n;
                }
        }
}

/* Probes are not inherited, as the kernel would read their paths in the forking process (see opening.c), nor are their groups. */
static void member_build_attr(const CountOpening *o, CountMember *m) {
        const CountMember *group = o->set->members + m->first;
        bool probe = ANY_OF(m->n, i, group[i].spec->probe_kind != PROBE_NONE), leads = m == group;

        m->attr = m->spec->attr;
        m->attr.size = sizeof(m->attr);
        m->attr.sample_period = m->attr.sample_type = 0;
        m->attr.freq = m->attr.precise_ip = 0;
        m->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | (m->n > 1 ? PERF_FORMAT_GROUP : 0);
        m->attr.inherit = o->inherit && !probe;
        m->attr.disabled = leads;
        m->attr.enable_on_exec = leads && o->on_exec;
        attr_drop_missing(&m->attr, &o->missing);
}

static int count_open_place(const CountOpening *o, const CountMember *m, size_t cpu, size_t tid, int cgroup) {
        CountSet *s = o->set;
        size_t number = (size_t) (m - s->members);
        int leader = number == m->first ? -EBADF : s->fds[count_set_place(s, m->first, cpu, tid)];
        struct perf_event_attr attr = m->attr;
        unsigned long flags = PERF_FLAG_FD_CLOEXEC | (cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0);
        int fd;

        if (m->spec->n_cpus > 0 && s->cpus[cpu] >= 0 && !ANY_OF(m->spec->n_cpus, i, m->spec->cpus[i] == s->cpus[cpu]))
                return 0;
        if (number != m->first && leader < 0)
                return 0;
        fd = s->ops.open(s->ops.userdata, &attr, cgroup >= 0 ? cgroup : s->tids[tid], s->cpus[cpu], MAX_OF(leader, -1), flags);
        if (fd < 0)
                return fd;
        s->fds[count_set_place(s, number, cpu, tid)] = fd;
        return 0;
}

static void count_close_member(CountSet *s, const CountMember *m) {
        int *fds = s->fds + count_set_place(s, (size_t) (m - s->members), 0, 0);

        for (size_t i = 0; i < s->n_cpus * s->n_tids; i++)
                fds[i] = safe_close(fds[i]);
}

/* Opens a member at all its places, without threads that have gone. */
static int count_open_places(const CountOpening *o, const CountMember *m, int cgroup, size_t *ret_cpu, size_t *ret_tid) {
        CountSet *s = o->set;
        size_t gone = 0;

        for (size_t cpu = 0; cpu < s->n_cpus; cpu++)
                for (size_t tid = 0; tid < s->n_tids; tid++) {
                        int r = count_open_place(o, m, cpu, tid, cgroup);

                        gone += r == -ESRCH;
                        if (r < 0 && (r != -ESRCH || gone == s->n_cpus * s->n_tids)) {
                                *ret_cpu = cpu;
                                *ret_tid = tid;
                                return r;
                        }
                }
        return 0;
}

/* As in perf, users who may not count the kernel count their own code, and the name says so. */
static bool member_leave_out_kernel(CountMember *m) {
        char *name;

        if (m->attr.exclude_kernel || m->attr.exclude_user || m->spec->attr.type == PERF_TYPE_TRACEPOINT)
                return false;
        name = strchr(m->name, ':') ? strdup(m->name) : NULL;
        if (!name && asprintf(&name, "%s:u", m->name) < 0)
                return false;
        free(m->name);
        m->name = name;
        m->attr.exclude_kernel = m->attr.exclude_hv = true;
        return true;
}

/* 0, also if it is not there (CountMember.error). */
static int count_open_member(CountOpening *o, CountMember *m, int cgroup) {
        static const int missing[] = { -ENOENT, -EOPNOTSUPP, -ENXIO, -ENODEV, -ENOSYS, -EINVAL };
        const char *why = NULL;
        size_t cpu = 0, tid = 0;
        int r;

        member_build_attr(o, m);
        for (;;) {
                r = count_open_places(o, m, cgroup, &cpu, &tid);
                if (r >= 0)
                        return 0;
                count_close_member(o->set, m);
                if ((r == -EACCES || r == -EPERM) && member_leave_out_kernel(m))
                        continue;
                if (r != -EINVAL || !attr_give_up_feature(&o->missing, &m->attr, m->spec->keep_guest, &why))
                        break;
                attr_drop_missing(&m->attr, &o->missing);
        }
        m->error = r;
        if (ANY_OF(ELEMENTSOF(missing), i, missing[i] == r))
                return 0;
        return attr_diagnose_open(o->d, r, m->name, &m->attr, o->set->cpus[cpu], o->set->tids[tid]);
}

/* Dissolves a group that the kernel does not count as one, if that may be done: a weak one, or one that nobody asked for. */
static bool group_dissolve(CountSet *s, size_t first, size_t n) {
        if (s->members[first].spec->group > 0 && !s->members[first].spec->weak)
                return false;
        for (size_t i = first; i < first + n; i++) {
                count_close_member(s, s->members + i);
                s->members[i].first = i;
                s->members[i].n = 1;
                s->members[i].error = 0;
        }
        return true;
}

/* Opens n members from that one on, which are a group, or several of one member after it was dissolved. */
static int count_open_group(CountOpening *o, size_t first, size_t n) {
        CountSet *s = o->set;
        const char *name = s->members[first].spec->cgroup;
        _cleanup_close_ int cgroup = name ? cgroup_open(o->options->cgroup_root, name, o->d) : -EBADF;
        bool together = n > 1;
        int r = name && cgroup < 0 ? cgroup : 0;

        for (size_t i = first; r >= 0 && i < first + n; i++) {
                r = count_open_member(o, s->members + i, cgroup);
                if (r < 0 || s->members[i].error == 0 || !together || !group_dissolve(s, first, n))
                        continue;
                together = false;
                i = first - 1; /* from the first one on again */
        }
        return r;
}

static int count_resolve(CountOpening *o) {
        CountSet *s = o->set;
        Target target = *o->options->target;
        size_t n;
        int r;

        target.per_thread = target.per_thread || !target_has_cpu(&target); /* the kernel adds up what a thread does on all CPUs */
        r = target_resolve(&target, o->options->proc_root, &s->cpus, &s->n_cpus, &s->tids, &s->n_tids, o->d);
        if (r < 0)
                return r;
        n = s->n_members * s->n_cpus * s->n_tids;
        s->fds = calloc(n + 1, sizeof(*s->fds));
        s->counts = calloc(n + 1, sizeof(*s->counts));
        s->words = calloc(3 + GROUP_MAX, sizeof(*s->words));
        if (!s->fds || !s->counts || !s->words)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                s->fds[i] = -EBADF;
        return resource_limits_raise_descriptors(n + RESOURCE_LIMITS_ELSEWHERE, o->d);
}

/* The events as their readers see them. A probe's attribute has an address of this process, which nobody else can use. */
static int set_describe_events(CountSet *s) {
        CountEvent *events = calloc(s->n_members + 1, sizeof(*events));

        if (!events)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_members; i++) {
                const CountMember *m = s->members + i;
                const EventSpec *spec = m->spec;

                events[i] = (CountEvent) {
                        .name = m->name, .unit = spec->unit, .scale = spec->scale, .cgroup = spec->cgroup, .attr = m->attr,
                        .cpus = spec->cpus, .n_cpus = spec->n_cpus, .group_members = spec->leader ? spec->group_size : 0,
                        .group_name = spec->group_name, .supported = m->error == 0,
                };
                if (spec->probe_kind != PROBE_NONE)
                        events[i].attr.config1 = 0;
        }
        s->layout.events = events;
        s->layout.n_events = s->n_members;
        s->layout.cpus = s->cpus;
        s->layout.n_cpus = s->n_cpus;
        return 0;
}

/* "" if the thread has gone; NULL without memory. */
static char *thread_read_comm(const char *proc_root, pid_t tid) {
        _cleanup_free_ char *path = format_text("%s/%d/comm", proc_root ?: "/proc", tid), *text = NULL;
        char line[COMM_SIZE] = "";

        if (!path)
                return NULL;
        if (tid > 0 && read_file(path, COMM_SIZE, &text, NULL) >= 0) {
                text[strcspn(text, "\n")] = '\0';
                (void) utf8_line_to(line, sizeof(line), text);
        }
        return strdup(line);
}

static int set_describe_threads(CountSet *s, const char *proc_root) {
        RecordThread *threads = calloc(s->n_tids + 1, sizeof(*threads));

        if (!threads)
                return -ENOMEM;
        s->layout.threads = threads;
        for (; s->layout.n_threads < s->n_tids; s->layout.n_threads++) {
                pid_t tid = s->tids[s->layout.n_threads];

                threads[s->layout.n_threads] = (RecordThread) { tid, thread_read_comm(proc_root, tid) };
                if (!threads[s->layout.n_threads].comm)
                        return -ENOMEM;
        }
        return 0;
}

int count_set_open(const EventSpecs *specs, const CountSetOptions *options, CountSet **ret, Diagnosis *d) {
        _cleanup_(count_set_freep) CountSet *s = calloc(1, sizeof(*s));
        CountOpening o = { .set = s, .options = options, .d = d };
        int r;

        if (!s)
                return -ENOMEM;
        s->ops = options->ops ? *options->ops : event_ops_kernel;
        s->members = calloc(specs->n_specs + 1, sizeof(*s->members));
        if (!s->members)
                return -ENOMEM;
        for (; s->n_members < specs->n_specs; s->n_members++) {
                s->members[s->n_members] = (CountMember) { .spec = specs->specs + s->n_members };
                s->members[s->n_members].name = strdup(specs->specs[s->n_members].name);
                if (!s->members[s->n_members].name)
                        return -ENOMEM;
        }
        o.inherit = !options->no_inherit;
        set_find_groups(s, !o.inherit || !target_has_task(options->target));
        o.on_exec = target_is_command(options->target) && !options->delayed;
        r = count_resolve(&o);
        for (size_t i = 0, n; r >= 0 && i < s->n_members; i += n) {
                n = s->members[i].n;
                r = count_open_group(&o, i, n);
        }
        if (r >= 0)
                r = set_describe_events(s);
        if (r >= 0)
                r = set_describe_threads(s, options->proc_root);
        if (r >= 0)
                *ret = steal_ptr(s);
        return r;
}

int count_set_enable(const CountSet *s, bool enable) {
        unsigned long request = enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
        size_t places = s->n_cpus * s->n_tids;

        for (size_t i = 0; i < s->n_members; i++)
                for (size_t k = 0; s->members[i].first == i && k < places; k++) {
                        int fd = s->fds[i * places + k];
                        int r = fd >= 0 ? s->ops.ioctl(s->ops.userdata, fd, request, 0) : 0;

                        if (r < 0)
                                return r;
                }
        return 0;
}

/* Reads a group at a place. The kernel has its members in the order of their opening. A pinned one that has no counter gives no
 * byte: then nothing is counted, nor if a child inherited only a part of the group (-ECHILD). */
static int group_read(CountSet *s, size_t first, size_t n, size_t place) {
        size_t places = s->n_cpus * s->n_tids, at;
        uint64_t *words = s->words;
        ssize_t size = read(s->fds[first * places + place], words, (3 + GROUP_MAX) * sizeof(*words));
        uint64_t n_values = 1, enabled, running;

        if (size < 0 && errno != ECHILD)
                return -errno;
        if (size < 0 || (size_t) size < (n > 1 ? 4 : 3) * sizeof(*words))
                memset(words, 0, 4 * sizeof(*words));
        if (n > 1)
                n_values = *words++;
        enabled = words[n > 1 ? 0 : 1];
        running = words[n > 1 ? 1 : 2];
        at = n > 1 ? 2 : 0;
        for (size_t i = first; i < first + n; i++) {
                bool counts = s->fds[i * places + place] >= 0 && n_values > 0;

                s->counts[i * places + place] = counts ? (Count) { words[at++], enabled, running } : (Count) {};
                n_values -= counts;
        }
        return 0;
}

int count_set_read(CountSet *s) {
        size_t places = s->n_cpus * s->n_tids;

        for (size_t i = 0; i < s->n_members; i += s->members[i].n)
                for (size_t place = 0; place < places; place++) {
                        int r = s->fds[i * places + place] >= 0 ? group_read(s, i, s->members[i].n, place) : 0;

                        if (r < 0)
                                return r;
                }
        return 0;
}
