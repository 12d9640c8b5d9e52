/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The state of one event_set_open(), shared by the files that do it. Not for anybody else. */

#include "event-set.h"

typedef struct Opening {
        EventSet *set;
        const EventSpecs *specs;
        const EventSetOptions *options;
        AttrOptions attr;  /* the options', completed from the target */
        Event *table;      /* CPUs × threads × members, empty where nothing is open; moves into the set at the end */
        int *cgroup_fds;   /* by member, -EBADF: of all groups */
        size_t n_cgroup_fds;
        bool *gone;        /* by thread: ended before it could be opened */
        size_t n_gone;
        unsigned pages;    /* of a ring that samples go to */
        bool raised;       /* RLIMIT_NOFILE, after EMFILE */
        Diagnosis *d;
} Opening;

static inline size_t opening_place(const Opening *o, size_t cpu, size_t tid, size_t member) {
        return (cpu * o->set->n_tids + tid) * o->set->n_members + member;
}

static inline size_t opening_n_places(const Opening *o) {
        return o->set->n_cpus * o->set->n_tids * o->set->n_members;
}

/* The side band has rings of its own. */
bool opening_sideband_apart(const Opening *o);

/* Opens one member at all its places, with all fallbacks. *ret_next: the member to go on with. */
int opening_open_member(Opening *o, size_t member, size_t *ret_next);

size_t opening_count_rings(const Opening *o, bool sideband); /* those of the side band alone too, or not */
int opening_map_rings(Opening *o); /* when the events have moved into the set */
