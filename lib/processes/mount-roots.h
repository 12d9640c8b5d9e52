/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Other file systems than ours in which processes live, each by one process that is still there: what one of a container
 * had mapped and took no more with it is found below another one's root. */
typedef struct MountRoots {
        uint32_t *pids;
        size_t n;
} MountRoots;

#define MOUNT_ROOTS_MAX 256u /* more are not looked through */

/* Of the processes pids, which may have gone. root as in feature-machine.h, never NULL. 0 or -ENOMEM. */
int mount_roots_find(const char *root, const uint32_t *pids, size_t n_pids, MountRoots *ret);
void mount_roots_done(MountRoots *m);
