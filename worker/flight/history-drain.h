/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "history.h"

/* From a set's normal rings into a history ring. The rings of the side band are left to others. */

/* A history for the samples of such a set: size and greatest age as given, level 0: not compressed. -ENODATA: the samples of
 * its events have no time, or not in the same place. */
int history_for_set(const EventSet *set, uint64_t size, usec_t max_age, int level, History **ret);

/* Everything that is in the rings now. What was read is consumed when the history has it for good. */
int history_drain(History *h, EventSet *set);

/* For rings that were taken over together with the history: what it has of them already is not read again. */
void history_skip_read(const History *h, EventSet *set);
