/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* Reports when a recorded control group is removed, and when there is one of that name again: a restarted service has a new
 * group, which the events of the old one do not see. */
typedef struct CGroupWatch CGroupWatch;

/* Called once for each time. come is not called for a group that existed when the watch began. */
typedef struct CGroupWatchHandlers {
        int (*gone)(void *userdata, const char *name);
        int (*come)(void *userdata, const char *name);
        void *userdata;
} CGroupWatchHandlers;

/* names: as -G takes them. root: NULL for cgroup_find_root(). A negative result of a handler ends the loop. */
int cgroup_watch_new(Loop *loop, const char *root, char *const *names, const CGroupWatchHandlers *handlers, CGroupWatch **ret);
CGroupWatch *cgroup_watch_free(CGroupWatch *w); /* before its loop */
DEFINE_CLEANUP(CGroupWatch *, cgroup_watch_free);
