/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* Reports when a recorded control group is removed, and when there is one of that name again: a restarted service has a new
 * group, which the events of the old one do not see. */
typedef struct CGroupWatch CGroupWatch;

/* Called once for each time. come is not called for a group that is recorded already. */
typedef struct CGroupWatchHandlers {
        int (*gone)(void *userdata, const char *name);
        int (*come)(void *userdata, const char *name);
        void *userdata;
} CGroupWatchHandlers;

/* names: as -G takes them. inodes: of the groups that are recorded, which may be gone by now; NULL: those that exist now.
 * root: NULL for cgroup_find_root(). A negative result of a handler ends the loop. */
int cgroup_watch_new(Loop *loop, const char *root, char *const *names, const uint64_t *inodes, const CGroupWatchHandlers *handlers,
                     CGroupWatch **ret);

/* Reports what has changed by now, as the loop does. Returns the negative result of a handler, or that of a failed call. */
int cgroup_watch_look(CGroupWatch *w);
CGroupWatch *cgroup_watch_free(CGroupWatch *w); /* before its loop */
DEFINE_CLEANUP(CGroupWatch *, cgroup_watch_free);
