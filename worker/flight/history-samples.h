/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "flight-state.h"
#include "header.h"
#include "history.h"

/* A history ring as what dumps are made of, together with what the set's rings hold that it is fed from. */
typedef struct HistorySource HistorySource;

/* All of that must outlive it; events are the set's, as the file has them. Of state, rings[0] says up to which position of
 * the history there are dumps. */
int history_source_new(History *h, EventSet *set, const PerfDataEvent *events, size_t n_events, FlightState *state,
                       HistorySource **ret);
HistorySource *history_source_free(HistorySource *s);
DEFINE_CLEANUP(HistorySource *, history_source_free);

FlightSamples history_source_samples(HistorySource *s);
