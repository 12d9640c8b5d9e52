/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-fields.h"
#include "trace-fields.h"
#include "wall-clock.h"

/* The columns of a report: what they are, and how they are written. Formats and widths are those of
 * perf report --stdio. */
#define REPORT_COLUMNS_MAX (REPORT_FIELD_TRACES + TRACE_COLUMNS_MAX + 4)

/* An event whose numbers are shown: its shares are parts of this. */
typedef struct ReportMember {
        double samples;   /* shares have the interval that follows from so many samples of equal weight; 0: they have none */
        uint64_t total;   /* weight */
        uint64_t latency; /* of which those of the column latency are parts */
} ReportMember;

struct ReportColumns {
        const Report *report;
        const TraceColumns *traces;
        char separator;   /* 0: columns are aligned */
        bool colors, nanoseconds;
        const WallClock *clock; /* times are shown as those of the day; NULL: as perf has them */
        bool whole_seconds;     /* slices are no shorter */
        bool chosen;      /* by --fields: then titles do not depend on each other */
        const ReportMember *members; /* a column of numbers has one for each event, side by side */
        size_t n_members;
        size_t sort_member; /* entries are sorted by this one's numbers; 0: the first one's, then the next one's ... */
        uint64_t total;   /* of the first event */
        double samples;   /* likewise */
        ReportField shown[REPORT_COLUMNS_MAX], sorted[REPORT_COLUMNS_MAX]; /* sorted: in the order of their weight */
        size_t n_shown, n_sorted;
        size_t widths[REPORT_COLUMNS_MAX];
        size_t cells[REPORT_FIELD_KEYS]; /* the width of one event's number */
};

/* Adds a column, or what entries are sorted by behind what they are already; unless c has it. */
void report_columns_show(ReportColumns *c, ReportField field);
void report_columns_sort(ReportColumns *c, ReportField field);

/* Sets what entries are grouped by for the columns; the plan has no keys before. */
void report_columns_plan(const ReportColumns *c, ReportPlan *plan);

/* Leaves out the fields of other tracepoints. */
void report_columns_choose_event(ReportColumns *c, const char *event);

/* Measures the entries. report and members must outlive c, members has one for each of the report's events. */
void report_columns_measure(ReportColumns *c, const Report *report, const ReportMember *members);

/* Sets the widths of the first columns that are shown, after they were measured; 0: as it is. */
void report_columns_set_widths(ReportColumns *c, const unsigned *widths, size_t n);

void report_columns_print_header(const ReportColumns *c, FILE *f);
void report_columns_print(const ReportColumns *c, const ReportEntry *e, FILE *f);

/* For what prints columns in another way: what stands above a column, without blanks; a field as report_columns_print() has it, and
 * its text without blanks around it, as a new string (NULL without memory). */
const char *report_columns_title(const ReportColumns *c, ReportField field);
void report_columns_print_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f);
char *report_columns_field(const ReportColumns *c, ReportField field, const ReportEntry *e);

/* Prints a field as the only text of its line: without blanks before it, and as wide as report_columns_print() has a last column.
 * 0, -ENOMEM. */
int report_columns_print_alone(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f);

/* Returns whether a weight is at least that percentage of the first event's; perf compares as float. */
bool report_columns_reaches(const ReportColumns *c, uint64_t weight, double percentage);
