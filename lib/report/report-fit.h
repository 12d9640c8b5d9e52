/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-columns.h"

/* The columns of a report, made to fit the width of a terminal. */
typedef struct ReportFit {
        const ReportColumns *columns;
        unsigned width;                    /* of the terminal */
        size_t widths[REPORT_COLUMNS_MAX]; /* of the columns that are shown */
} ReportFit;

#define REPORT_FIT_GAP 2u /* columns between two of them */

/* The columns must be measured, and outlive it. */
void report_fit_init(ReportFit *s, const ReportColumns *columns, unsigned width);

/* Has the columns as wide as an entry wants them. 0, -ENOMEM. */
int report_fit_measure(ReportFit *s, const ReportEntry *e);

/* Fits them into the width. */
void report_fit_finish(ReportFit *s);
