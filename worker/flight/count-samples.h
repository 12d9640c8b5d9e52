/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-table.h"
#include "event-set.h"
#include "flight-samples.h"
#include "flight-state.h"
#include "history.h"

/* Counts as a source of dumps. A reading is the counts of all events at one time: a STAT record for each event of the set, in its
 * order, and a STAT_ROUND. The history has readings since the events were opened, which only grow, also when an event was closed in
 * the meantime and opened again, or when another recorder opened it. A dump has them as perf stat record -I writes them: counts
 * since its beginning, which is the reading before its first one. */
typedef struct CountSource CountSource;

/* A history for readings. The errors of history_new(). */
int history_for_counts(uint64_t size, usec_t max_age, int level, History **ret);

/* The set counts, and its first member has a clock, which is that of the readings. All arguments must outlive the source; goes on
 * where the history's last reading ends. state->rings[0] has the position of the history up to which there are dumps. */
int count_source_new(History *h, const EventSet *set, FlightState *state, CountSource **ret);
CountSource *count_source_free(CountSource *s);
DEFINE_CLEANUP(CountSource *, count_source_free);

/* Goes on with what the events of another source counted, whose set is the one before: each event with the counts of the event of
 * the same name for the same control group on the same CPU. Precedes the first reading. */
void count_source_continue(CountSource *s, const CountSource *previous);

/* From now on each reading is in the table too, which must outlive the source. */
void count_source_set_table(CountSource *s, CountTable *table);

/* Puts a reading into the history. An event that can't be read, since it is closed or its thread is gone, keeps its counts. */
int count_source_read(CountSource *s);

FlightSamples count_source_samples(CountSource *s);
