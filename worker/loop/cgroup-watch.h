/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* Tells when a control group that is recorded has gone, and when there is one of that name again: a service that is
 * restarted gets a new one, which the events of the old one do not see. */
typedef struct CGroupWatch CGroupWatch;

/* Once for each time; come is not called for a group that was there when the watch began. */
typedef struct CGroupWatchHandlers {
        int (*gone)(void *userdata, const char *name);
        int (*come)(void *userdata, const char *name);
        void *userdata;
} CGroupWatchHandlers;

/* names: as of -G. root: NULL for cgroup_find_root(). A negative answer of a handler ends the loop with it. */
int cgroup_watch_new(Loop *loop, const char *root, char *const *names, const CGroupWatchHandlers *handlers, CGroupWatch **ret);
CGroupWatch *cgroup_watch_free(CGroupWatch *w); /* before its loop */
DEFINE_CLEANUP(CGroupWatch *, cgroup_watch_free);
