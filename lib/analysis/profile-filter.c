/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample counts if it matches everything that is asked for: one of the processes, one of the threads, a process of
 * that name, a control group of one of the units.
 *
 * A group belongs to the unit that systemd finds by its path: behind the slices, the first component is the unit. What
 * lies below may be delegated to a user, who may give groups there the names of other units. Invariant: such names are
 * not looked at. A user manager is a unit of the system, and below its group the same rule leads to the user's units.
 *
 * In a container with a control group namespace, the kernel's records have paths from the host's root. The first group
 * of the kernel has the number 1, so another number of "/" reveals the namespace. Components before the first unit are
 * skipped then, as they are the container's place on the host. */

#include "profile-filter.h"

#include <fnmatch.h>

#include "array.h"
#include "strv.h"

void filter_state_done(FilterState *f) {
        free(f->cgroups);
        *f = (FilterState) {};
}

#define GROUP_ROOT_NUMBER 1u

/* The kinds of a path's components. */
typedef enum GroupKind {
        GROUP_OTHER,
        GROUP_SLICE,
        GROUP_UNIT,
} GroupKind;

/* Copies the next component of the path without systemd's mark ("_") for names that the kernel would take for a file
 * of its own. False: there is none, or it is too long for a unit's name. */
static bool path_next(const char **path, char part[static 256]) {
        size_t n;

        *path += strspn(*path, "/");
        *path += **path == '_';
        n = strcspn(*path, "/");
        if (n == 0 || n >= 256)
                return false;
        memcpy(part, *path, n);
        part[n] = '\0';
        *path += n;
        return true;
}

static GroupKind group_kind(const char *part) {
        static const char *const units[] = { ".service", ".scope", ".socket", ".mount", ".swap" };
        const char *suffix = strrchr(part, '.');

        if (!suffix || suffix == part)
                return GROUP_OTHER;
        return streq(suffix, ".slice") ? GROUP_SLICE
               : ANY_OF(ELEMENTSOF(units), i, streq(suffix, units[i])) ? GROUP_UNIT : GROUP_OTHER;
}

/* Returns true if a slice of the group's unit, or the unit, matches. */
static bool path_is_of_unit(const FilterState *f, const char *path, const char *pattern) {
        bool in_manager = !f->filter->user_units, begun = !f->in_container;
        char part[256];

        while (path_next(&path, part)) {
                GroupKind kind = group_kind(part);

                begun = begun || kind != GROUP_OTHER;
                if (!begun)
                        continue;
                if (kind == GROUP_OTHER)
                        return false;
                if (in_manager && fnmatch(pattern, part, FNM_NOESCAPE) == 0)
                        return true;
                if (kind == GROUP_UNIT && (in_manager || !startswith(part, "user@")))
                        return false;
                in_manager = in_manager || kind == GROUP_UNIT;
        }
        return false;
}

int filter_state_take_cgroup(FilterState *f, uint64_t id, const char *path) {
        bool wanted = false;

        f->in_container = f->in_container || (streq(path, "/") && (uint32_t) id != GROUP_ROOT_NUMBER);
        if (!f->filter || !f->filter->units || f->n_cgroups >= FILTER_CGROUPS_MAX)
                return 0;
        STRV_FOREACH(unit, f->filter->units)
                wanted = wanted || path_is_of_unit(f, path, *unit);
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
