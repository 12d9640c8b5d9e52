/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "flight-state.h"
#include "header.h"
#include "history-stacks.h"

/* The samples of a history, and of the set's rings that feed it, as a source of dumps. */
typedef struct HistorySource HistorySource;

/* All arguments must outlive it; events are the set's, as the file has them. state->rings[0] has the position of the
 * history up to which there are dumps. stacks: as for history_drain(). */
int history_source_new(History *h, EventSet *set, const PerfDataEvent *events, size_t n_events, FlightState *state,
                       HistoryStacks *stacks, HistorySource **ret);
int history_source_renew_ids(HistorySource *s); /* when the events have other ids */
HistorySource *history_source_free(HistorySource *s);
DEFINE_CLEANUP(HistorySource *, history_source_free);

FlightSamples history_source_samples(HistorySource *s);
