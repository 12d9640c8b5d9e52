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

/* columns must be measured, and outlive it. 0, -ENOMEM; done after a failure too. */
int report_hierarchy_init(ReportHierarchy *h, const ReportColumns *columns);
void report_hierarchy_done(ReportHierarchy *h);

/* Brings numbers of entries into the order in which they are shown. */
void report_hierarchy_sort(const ReportHierarchy *h, size_t *order, size_t n);

void report_hierarchy_print_header(const ReportHierarchy *h, FILE *f);

/* Prints an entry, and before it the nodes that it is below and that before, the entry in front of it, is not; NULL: there is none.
 * least: what is lighter is not shown. Returns whether the entry is. */
bool report_hierarchy_print(const ReportHierarchy *h, const ReportEntry *e, const ReportEntry *before, double limit, FILE *f);
