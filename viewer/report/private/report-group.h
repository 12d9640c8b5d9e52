/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-options.h"
#include "sample-table.h"

/* Events that a report shows side by side: one, or those of a group. */
typedef struct ReportGroup {
        const SampleEvent *events; /* of all, the first one of these */
        uint32_t first, n;
        bool recorded;             /* as a group */
} ReportGroup;

/* Returns the group that begins at that event of the table. */
ReportGroup report_group_at(const SampleTable *table, const ReportOptions *options, uint32_t event);

/* Returns 0; -EINVAL: the options sort by an event of a group, and there is no group, and an error was printed. */
int report_group_check(const SampleTable *table, const ReportOptions *options);

bool report_group_has_samples(const ReportGroup *g);

/* Prints what it is: "event 'NAME'", or the names of all. */
void report_group_print(const ReportGroup *g, FILE *f);
