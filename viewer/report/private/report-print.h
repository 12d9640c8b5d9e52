/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-options.h"
#include "sample-table.h"

/* Prints one part for each event that has samples. 0, -ENOMEM. */
int report_print(SampleTable *table, const PlaceNames *names, const ReportOptions *options, FILE *f);

/* Returns whether it is printed as perf does it, with a header that says what was lost, and whether nothing was selected. */
bool report_is_as_perf(const ReportOptions *options);

/* Returns whether files or lines of the source are shown. */
bool report_shows_source(const ReportOptions *options);

/* Returns whether the fields of tracepoints are shown as one text. */
bool report_shows_trace(const ReportOptions *options);

/* Returns which facets of samples are shown (SampleFacet). */
unsigned report_wants_facets(const ReportOptions *options);

/* Returns whether sizes of mapped binaries are shown. */
bool report_shows_map_sizes(const ReportOptions *options);

/* Returns what rows must distinguish for these options (SampleDimensions). */
unsigned report_dimensions(const ReportOptions *options);
