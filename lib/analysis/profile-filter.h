/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "profile.h"
#include "profile-order.h"

/* Which samples of a recording a profile counts. Control groups are known by number, and named by records that come
 * before their samples. */
typedef struct FilterState {
        const ProfileFilter *filter; /* NULL: all count */
        uint64_t *cgroups;           /* numbers of those that are of one of the units */
        size_t n_cgroups;
} FilterState;

#define FILTER_CGROUPS_MAX 4096u /* more are as if they were of no unit */

void filter_state_done(FilterState *f);
int filter_state_take_cgroup(FilterState *f, uint64_t id, const char *path); /* 0, -ENOMEM */

/* comm: the name of the sample's process. */
bool filter_state_wants(const FilterState *f, const OrderedSample *s, const char *comm);

/* The sample is of the idle task, and the filter does not name that one. */
bool filter_state_is_idle(const FilterState *f, const OrderedSample *s);
