/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "hash-index.h"
#include "record-layout.h"

/* The control groups of samples, and what they are called. A recording has numbers in its samples, and a record for each group
 * with its path. Groups get numbers of ours, from 1 on, so that those of several machines differ. Zero-initialise. */
typedef struct CgroupName {
        uint64_t id;
        uint32_t path, unit, container; /* texts; 0: not known, or none */
        bool wanted;                    /* it is of one of the units that are selected */
} CgroupName;

typedef struct CgroupNames {
        CgroupName *groups;     /* by number - 1 */
        size_t n, allocated;
        HashIndex by_id;        /* of the recording that is read: number */
        BytePool texts;         /* lines of valid UTF-8, which end in a zero byte */
        char *const *units;     /* patterns of the units that are selected; NULL: all */
        bool user_units;        /* they, and those that are shown, are of user managers */
        bool in_container;      /* the recorder had a control group namespace */
} CgroupNames;

#define CGROUP_NAMES_MAX 65536u /* further groups have no number */

void cgroup_names_done(CgroupNames *c);

/* Forgets the recording's own numbers, as another one begins. */
void cgroup_names_begin(CgroupNames *c);

/* Finds or adds the group of a sample; an id of 0, and a group too many, have the number 0. 0, -ENOMEM. */
int cgroup_names_get(CgroupNames *c, uint64_t id, uint32_t *ret);

/* Takes the path of a group. 0, -ENOMEM. */
int cgroup_names_take(CgroupNames *c, const PerfRecordCgroup *record);

/* Returns whether samples of that group are selected. */
bool cgroup_names_wants(const CgroupNames *c, uint32_t number);

static inline const char *cgroup_names_text(const CgroupNames *c, uint32_t text) {
        return text > 0 ? (const char *) byte_pool_get(&c->texts, text)->data : NULL;
}
