/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "flight-samples.h"
#include "flight-state.h"
#include "header.h"

/* Copies of what a set's overwrite rings hold, taken while the rings run, for one dump after the other. */
typedef struct Snapshot Snapshot;

/* set, events (the set's, as the file has them) and state must outlive it. */
int snapshot_new(EventSet *set, const PerfDataEvent *events, size_t n_events, FlightState *state, Snapshot **ret);
int snapshot_renew_ids(Snapshot *s); /* when the events have other ids */
Snapshot *snapshot_free(Snapshot *s);
DEFINE_CLEANUP(Snapshot *, snapshot_free);

FlightSamples snapshot_samples(Snapshot *s);
