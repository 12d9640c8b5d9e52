/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-columns.h"
#include "report-options.h"

/* Begins the columns that the options ask for. children: callers have entries, too. */
void report_columns_choose(ReportColumns *c, const ReportOptions *options, bool children);

/* A key of which one value is wanted is no column, unless all keys are such. callers: the report counts for callers. */
void report_columns_leave_out(ReportColumns *c, const ReportOptions *options, bool callers);
/* Prints those keys. */
void report_columns_print_left_out(const ReportOptions *options, bool callers, FILE *f);
