/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Files of a control group of version 2. group: "/system.slice/cron.service"; root: the prefix of "/sys/fs/cgroup". */

/* Reads one of its files as a new string. As read_file(); 4096 bytes are the limit. */
int control_group_read(const char *root, const char *group, const char *name, char **ret);

/* The CPU time that all of its processes have used, also those that have exited, in ns. -EBADMSG: the kernel writes it in another
 * way. */
int control_group_cpu_usage(const char *root, const char *group, uint64_t *ret_nsec);
