/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Control groups as perf_event_open(2) takes them: a descriptor of a directory in the right hierarchy. */

/* Finds the hierarchy of groups that events can be opened for: the one that has the perf_event controller if there are
 * several (version 1), otherwise the unified one. mounts: NULL for /proc/self/mounts. -ENOENT: none is mounted. */
int cgroup_find_root(const char *mounts, char **ret);

/* Finds the unified hierarchy (version 2), whatever else is mounted: its groups have the pressure files. -ENOENT. */
int cgroup_find_unified(const char *mounts, char **ret);

/* Returns the directory of a group: name is its path below root, as "system.slice/x.service", with or without a
 * leading "/", or the whole path. root: NULL for cgroup_find_root(). A new string; the group may not exist. */
int cgroup_path(const char *root, const char *name, char **ret);

/* Lists the control groups of units, in the order of their names: those whose unit's name, as "web-1.service", matches the pattern
 * (fnmatch(3)), by their paths below root. Units of the system are below slices; what is below a unit is its own. root: NULL for
 * cgroup_find_root(). ret_slices, unless it is NULL, gets the paths of all slices, "" for the root among them. New arrays, NULL if
 * they are empty. */
int cgroup_list_units(const char *root, const char *pattern, char ***ret, char ***ret_slices);

/* Returns the unit's name in the path of its group, without systemd's mark ("_") for names that the kernel would take for files. */
const char *cgroup_unit_name(const char *path);

/* Opens it; d names the directory. */
int cgroup_open(const char *root, const char *name, Diagnosis *d);

/* Reads the id that samples have (PERF_SAMPLE_CGROUP) of that directory: the kernel takes the file handle and the id from
 * cgroup_id(). A negative errno: it has gone, or its file system has no such numbers. */
int cgroup_read_id(const char *path, uint64_t *ret);
