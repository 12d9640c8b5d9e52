/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* Sets that count the same events for each of several control groups (EventSetOptions.groups). */

/* Gives the set the groups, and makes a spec for each group and each of specs, as *ret, which the set owns: all of the first group,
 * then all of the next one. All but their control groups is borrowed from specs. -E2BIG: these are more than EVENT_SPECS_MAX;
 * -ENOMEM. */
int event_set_add_groups(EventSet *s, const EventSpecs *specs, char *const *groups, EventSpecs *ret);

/* Returns the name of the unit for which a member counts, as "web-1.service"; NULL: the set has no such groups. */
const char *event_set_unit(const EventSet *s, size_t member);
