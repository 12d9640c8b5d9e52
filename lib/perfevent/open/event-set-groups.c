/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The order is that of perf stat --for-each-cgroup. Groups of events, {a,b}, are groups of their own for each control group. */

#include "event-set-groups.h"

#include "cgroup.h"
#include "strv.h"

int event_set_add_groups(EventSet *s, const EventSpecs *specs, char *const *groups, EventSpecs *ret) {
        size_t n = strv_length(groups) * specs->n_specs;

        if (n > EVENT_SPECS_MAX)
                return -E2BIG;
        s->groups = strv_copy(groups);
        s->group_specs = calloc(n + 1, sizeof(EventSpec));
        if (!s->groups || !s->group_specs)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                EventSpec *spec = &s->group_specs[i];

                *spec = specs->specs[i % specs->n_specs];
                spec->cgroup = s->groups[i / specs->n_specs];
                if (spec->group > 0)
                        spec->group += (unsigned) (i / specs->n_specs) * specs->n_groups;
        }
        *ret = (EventSpecs) { .specs = s->group_specs, .n_specs = n };
        return 0;
}

const char *event_set_unit(const EventSet *s, size_t member) {
        return s->groups ? cgroup_unit_name(s->members[member].spec->cgroup) : NULL;
}
