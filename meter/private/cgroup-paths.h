/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The paths of control groups by the ids that samples have. Groups that are not known yet are looked for in the unified
 * hierarchy, so that one which has gone before that has no path. Zero-initialise. */
typedef struct CgroupPath {
        uint64_t id;
        char *path; /* "/system.slice/cron.service"; of one that is not there: "cgroup:ID" */
} CgroupPath;

typedef struct CgroupPaths {
        CgroupPath *groups;
        size_t n, allocated;
        size_t last; /* number of the last one that was asked for */
} CgroupPaths;

void cgroup_paths_done(CgroupPaths *p);

/* Finds the path of a group, which is valid until cgroup_paths_done(). 0, -ENOMEM. */
int cgroup_paths_get(CgroupPaths *p, uint64_t id, const char **ret);
