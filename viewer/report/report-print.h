/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-options.h"
#include "sample-table.h"

/* Prints one part for each event that has samples. 0, -ENOMEM. */
int report_print(SampleTable *table, const PlaceNames *names, const ReportOptions *options, FILE *f);

/* Returns whether it is printed as perf does it, with a header that says what was lost, and whether nothing was selected. */
bool report_is_as_perf(const ReportOptions *options);

/* The columns of a report need this counted and found. */
typedef struct ReportNeeds {
        unsigned dimensions; /* SampleDimensions */
        unsigned facets;     /* SampleFacet */
        unsigned flags;      /* ReportFieldFlag: FIELD_NEEDS_… of any column */
} ReportNeeds;

ReportNeeds report_needs(const ReportOptions *options);
