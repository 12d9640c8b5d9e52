/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "history-stacks.h"

/* Moves records from a set's normal rings into a history. The side band's rings are flight-sideband.c's. */

/* Makes a history for the samples of such a set; level 0: not compressed. -ENODATA: the samples of its events have no
 * time, or not in the same place. */
int history_for_set(const EventSet *set, uint64_t size, usec_t max_age, int level, History **ret);

/* Appends all that is in the rings now, commits it, and consumes it. stacks: makes call chains of copies of stacks; NULL:
 * samples stay as they are. */
int history_drain(History *h, EventSet *set, HistoryStacks *stacks);

/* Consumes what the history has already, in rings that were taken over together with it. */
void history_skip_read(const History *h, EventSet *set);
