/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* Events that were opened as a group (GROUP_DESC), and stand one behind the other. */
typedef struct EventGroup {
        const char *name; /* in the recording; NULL: none */
        size_t leader, n; /* n of the events from leader on, at least one */
} EventGroup;

/* Reads the groups of a recording, in the order of their events; those from the first broken one on are left out. *ret is a new
 * array. 0, also for a recording without groups; -ENOMEM. */
int event_groups_read(const PerfDataReader *reader, EventGroup **ret, size_t *ret_n);
