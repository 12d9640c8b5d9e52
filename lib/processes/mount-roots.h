/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The mount namespaces other than ours in which processes live, each by one process that still exists: a file that an
 * exited process of a container had mapped is found below the root of another one. */
typedef struct MountRoots {
        uint32_t *pids;
        size_t n;
} MountRoots;

#define MOUNT_ROOTS_MAX 256u /* further ones are ignored */

/* Finds those of the processes pids, which may have exited. root as in feature-machine.h, never NULL. 0 or -ENOMEM. */
int mount_roots_find(const char *root, const uint32_t *pids, size_t n_pids, MountRoots *ret);
void mount_roots_done(MountRoots *m);
