/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-columns.h"

/* A report whose keys are levels: an entry of the first key has those of the second one below it, and so on, as perf report
 * --hierarchy prints it. The entries of the last level are those of the report. Zero-initialise. */
typedef struct ReportHierarchy {
        const ReportColumns *columns;
        ReportField levels[REPORT_COLUMNS_MAX];
        size_t n_levels;
        Report nodes;          /* their entries: of each level the first one's below it, with the sum of the numbers */
        ReportColumns summed;  /* the columns of these */
        BytePool names;        /* of nodes, with the nodes that they are below */
        uint32_t *paths;       /* for each entry of the report its nodes, from the first level on */
} ReportHierarchy;

/* columns must be measured, and outlive it. order: the numbers of all entries, in the order of a report without levels, which
 * becomes that of this one. 0, -ENOMEM; done after a failure too. */
int report_hierarchy_init(ReportHierarchy *h, const ReportColumns *columns, size_t *order);
void report_hierarchy_done(ReportHierarchy *h);

void report_hierarchy_print_header(const ReportColumns *columns, FILE *f);

/* Prints an entry, and before it the nodes that it is below, but for those that the entry in front of it is below, too; before:
 * that entry, NULL: there is none. Nodes of less than limit percent are not shown. Returns 1 if the entry is shown; 0; -ENOMEM. */
int report_hierarchy_print(const ReportHierarchy *h, const ReportEntry *e, const ReportEntry *before, double limit, FILE *f);
