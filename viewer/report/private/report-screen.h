/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-fit.h"
#include "report-group.h"
#include "report-options.h"

/* A report for people at a terminal: who used the time stands above the table, its columns fit the width, and what is too small for
 * a row is summed up below it. */
typedef struct ReportScreen {
        ReportFit fit;
        size_t n_rest; /* rows that are not shown … */
        uint64_t rest; /* … and their weight */
} ReportScreen;

/* Prints how many samples of the event there are, and who they hit: idle CPUs, units, processes, and when counters were lent.
 * rows: of the table, those of the event. 0, -ENOMEM. */
int report_screen_print_users(const ReportScreen *s, const SampleTable *t, const ReportGroup *g, const ReportOptions *o,
                              const uint32_t *rows, size_t n_rows, FILE *f);

/* All return 0, or -ENOMEM. */
void report_screen_print_header(const ReportScreen *s, FILE *f);
int report_screen_print_row(const ReportScreen *s, const ReportEntry *e, FILE *f);
/* Notes a row that is not shown, and prints the line of all those. limit: the percentage that they are below. */
void report_screen_leave_out(ReportScreen *s, const ReportEntry *e);
void report_screen_print_rest(const ReportScreen *s, double limit, FILE *f);
