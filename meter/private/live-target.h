/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "view-options.h"

/* Options of verbs that look at what happens now. */

enum {
        LIVE_TARGET_CPUS, LIVE_TARGET_PIDS, LIVE_TARGET_TIDS, LIVE_TARGET_USER, LIVE_TARGET_CGROUPS, LIVE_TARGET_UNITS,
};

/* For rows of options: the field is a Target; a list of control groups, which a unit's name becomes, too; a number of pages. 0,
 * -EINVAL, -ENOMEM. */
int live_target_take(void *field, const ViewOption *option, const char *value);
int live_target_take_groups(void *field, const ViewOption *option, const char *value);
int live_target_take_pages(void *field, const ViewOption *option, const char *value);

/* Leaves out groups that are within others of the list. */
void live_target_drop_inner_groups(char **groups);

/* Returns whether one of the control groups of a set is left. That of a unit which starts again is another one. */
bool live_target_has_groups(const EventSet *set, char **groups);
