/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Control groups as perf_event_open(2) takes them: a descriptor of a directory in the right hierarchy. */

/* Where the groups lie that events can be opened for: the hierarchy that has the perf_event controller where there are
 * several (version 1), else the unified one. mounts: NULL for /proc/self/mounts. -ENOENT: none is mounted. */
int cgroup_find_root(const char *mounts, char **ret);

/* Where the unified hierarchy (version 2) lies, whatever else there is: pressure is kept by its groups. -ENOENT. */
int cgroup_find_unified(const char *mounts, char **ret);

/* The directory of a group: name is its path below root, as "system.slice/x.service", with or without a "/" before it, or
 * the whole path. root: NULL for cgroup_find_root(). A new string; it is not looked at whether there is one. */
int cgroup_path(const char *root, const char *name, char **ret);

/* Opens it; d says which directory was looked for. */
int cgroup_open(const char *root, const char *name, Diagnosis *d);
