/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The state of one event_set_open(), private to its files. */

#include "event-set.h"

typedef struct Opening {
        EventSet *set;
        const EventSpecs *specs;
        EventSpecs group_specs; /* … for EventSetOptions.groups */
        const EventSetOptions *options;
        AttrOptions attr;  /* the options', completed from the target */
        int *cpus;         /* those of the set, and behind them those of which only the side band is wanted */
        size_t n_cpus;
        Event *table;      /* CPUs × threads × members, some empty; moves into the set at the end */
        int *cgroup_fds;   /* by member; -EBADF: all groups; -ESRCH: the group of EventSetOptions.groups has gone */
        size_t n_cgroup_fds;
        bool *gone;        /* by thread: it exited before it was opened */
        size_t n_gone;
        unsigned pages;    /* of a ring for samples */
        bool sideband_apart; /* the side band has rings of its own */
        bool raised;       /* RLIMIT_NOFILE, after EMFILE */
        size_t cpu, tid;   /* the place that is being opened, or that failed */
        const char *why;   /* the reason of the failure, if it is known */
        Diagnosis *d;
} Opening;

static inline Event *opening_event(const Opening *o, size_t cpu, size_t tid, size_t member) {
        return &o->table[(cpu * o->set->n_tids + tid) * o->set->n_members + member];
}

static inline size_t opening_n_places(const Opening *o) {
        return o->n_cpus * o->set->n_tids * o->set->n_members;
}

/* Opens one member at all its places, with all fallbacks. *member becomes the one to continue with. */
int opening_open_member(Opening *o, size_t *member);

/* There is a ring of each kind in use for every CPU, or for every thread if there are no CPUs; on CPUs of which only the side
 * band is wanted, one for that. sideband: with the side band's own; ret_pages, unless it is NULL, gets the pages of all in any
 * case. */
size_t opening_count_rings(const Opening *o, bool sideband, uint64_t *ret_pages);
int opening_map_rings(Opening *o); /* after the events have moved into the set */
