/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Returns the name of the control group that freezes the processes of another one, its own or one above it; systemd names groups
 * as their units. group: "/system.slice/cron.service"; root: the prefix of "/sys/fs/cgroup". To be freed; NULL: they are not
 * frozen, it is not known, or there is no memory. */
char *frozen_group_find(const char *root, const char *group);
