/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "profile.h"
#include "profile-order.h"

/* Selects the samples of a recording that a profile counts. Samples have the numbers of control groups; records that
 * come before them have the names. */
typedef struct FilterState {
        const ProfileFilter *filter; /* NULL: all samples count */
        uint64_t *cgroups;           /* numbers of the groups that belong to one of the units */
        size_t n_cgroups;
        bool in_container;           /* the recorder's control groups have a namespace */
} FilterState;

#define FILTER_CGROUPS_MAX 4096u /* further ones count as groups of no unit */

void filter_state_done(FilterState *f);
int filter_state_take_cgroup(FilterState *f, uint64_t id, const char *path); /* 0, -ENOMEM */

/* comm: the name of the sample's process. */
bool filter_state_wants(const FilterState *f, const OrderedSample *s, const char *comm);

/* Returns whether the sample is the idle task's, and the filter does not name that task. */
bool filter_state_is_idle(const FilterState *f, const OrderedSample *s);
