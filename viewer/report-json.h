/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-tree.h"
#include "json-writer.h"
#include "lendings.h"
#include "report-columns.h"

/* A report as one object of JSON, as perf-recorder-view(1) describes it. */

/* The object begins with what is true for all of it, and its array of events. */
void report_json_begin(JsonWriter *w, const SampleTotals *totals, const Lendings *lent); /* lent: NULL: none */
void report_json_end(JsonWriter *w);

/* An event begins with its sums, and its array of rows. */
void report_json_begin_event(JsonWriter *w, const char *name, uint64_t samples, uint64_t period);
void report_json_end_event(JsonWriter *w);

/* An entry. tree: its call chains; NULL: none are shown. 0, -ENOMEM. */
int report_json_entry(JsonWriter *w, const ReportColumns *c, const CallGraphOptions *graph, const ReportEntry *e,
                      const CallTree *tree);
