/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-tree.h"
#include "call-graph-options.h"
#include "json-writer.h"
#include "report-columns.h"

/* Writes an entry as an object of JSON, as perf-recorder-view(1) describes it, among the rows of its event. tree: its call
 * chains; NULL: none are shown. 0, -ENOMEM. */
int report_json_entry(JsonWriter *w, const ReportColumns *c, const CallGraphOptions *graph, const ReportEntry *e,
                      const CallTree *tree);
