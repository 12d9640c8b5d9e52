/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample counts if it matches everything that is asked for: one of the processes, one of the threads, a process of
 * that name, a control group of one of the units. A unit's groups are those with its name as a component of their
 * path: its own, and those below. */

#include "profile-filter.h"

#include <fnmatch.h>

#include "array.h"
#include "strv.h"

void filter_state_done(FilterState *f) {
        free(f->cgroups);
        *f = (FilterState) {};
}

static bool path_has_part(const char *path, const char *pattern) {
        while (*path) {
                size_t n = strcspn(path, "/");
                char part[256];

                if (n > 0 && n < sizeof(part)) {
                        memcpy(part, path, n);
                        part[n] = '\0';
                        if (fnmatch(pattern, part, FNM_NOESCAPE) == 0)
                                return true;
                }
                path += n + (path[n] == '/');
        }
        return false;
}

int filter_state_take_cgroup(FilterState *f, uint64_t id, const char *path) {
        bool wanted = false;

        if (!f->filter || !f->filter->units || f->n_cgroups >= FILTER_CGROUPS_MAX)
                return 0;
        STRV_FOREACH(unit, f->filter->units)
                wanted = wanted || path_has_part(path, *unit);
        if (!wanted)
                return 0;
        if (ARRAY_RESERVE_NEXT(f->cgroups, f->n_cgroups) < 0)
                return -ENOMEM;
        f->cgroups[f->n_cgroups++] = id;
        return 0;
}

static bool numbers_contain(const uint32_t *numbers, size_t n, uint32_t number) {
        return ANY_OF(n, i, numbers[i] == number);
}

static bool comm_matches(char *const *patterns, const char *comm) {
        STRV_FOREACH(pattern, patterns)
                if (fnmatch(*pattern, comm, 0) == 0)
                        return true;
        return false;
}

bool filter_state_wants(const FilterState *f, const OrderedSample *s, const char *comm) {
        const ProfileFilter *filter = f->filter;

        if (!filter)
                return true;
        if (filter->n_pids > 0 && !(s->has_pid && numbers_contain(filter->pids, filter->n_pids, s->pid)))
                return false;
        if (filter->n_tids > 0 && !(s->has_pid && numbers_contain(filter->tids, filter->n_tids, s->tid)))
                return false;
        if (filter->comms && !comm_matches(filter->comms, comm))
                return false;
        return !filter->units || ANY_OF(f->n_cgroups, i, f->cgroups[i] == s->cgroup);
}

/* The idle task has no user space: a sample of pid 0 in user space is of a process that the recorder's PID namespace
 * does not see. */
bool filter_state_is_idle(const FilterState *f, const OrderedSample *s) {
        return s->has_pid && s->pid == 0 && s->cpumode == PERF_RECORD_MISC_KERNEL &&
               !(f->filter && (f->filter->n_pids > 0 || f->filter->n_tids > 0 || f->filter->comms));
}
