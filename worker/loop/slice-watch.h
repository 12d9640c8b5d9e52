/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* Notices that units of the system have come or gone, by the directories of their control groups. */
typedef struct SliceWatch SliceWatch;

/* changed: called once for all that happens within a tenth of a second; a negative result ends the loop. root: NULL for
 * cgroup_find_root(). */
int slice_watch_new(Loop *loop, const char *root, int (*changed)(void *userdata), void *userdata, SliceWatch **ret);
SliceWatch *slice_watch_free(SliceWatch *w); /* before its loop */
DEFINE_CLEANUP(SliceWatch *, slice_watch_free);
