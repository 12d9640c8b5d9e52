/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "lendings.h"
#include "sample-table.h"

/* The frame of what "report" and "annotate" write as JSON: one object, as perf-recorder-view(1) describes it. */

/* Begins the object with what holds for all of it, and its array of events. lent: times without counters; NULL: none. */
void counted_json_begin(JsonWriter *w, const SampleTotals *totals, const Lendings *lent);
void counted_json_end(JsonWriter *w);

/* Begins an event with its sums, and its array of that name. */
void counted_json_begin_event(JsonWriter *w, const char *event, uint64_t samples, uint64_t period, const char *array);
void counted_json_end_event(JsonWriter *w);
