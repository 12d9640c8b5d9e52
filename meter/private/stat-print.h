/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "stat-table.h"

/* Writes counts as perf stat does: as text, with separators (-x), or as objects of JSON (-j). */

typedef enum StatFormat {
        STAT_TEXT,
        STAT_SEPARATED,
        STAT_JSON,
} StatFormat;

typedef struct StatStyle {
        StatFormat format;
        const char *separator; /* of STAT_SEPARATED */
        bool big_numbers;      /* thousands are grouped, as the locale has them */
        bool metric_only;      /* no counts */
        bool null;             /* nothing is counted but the time */
        bool colour;           /* shares that are large are coloured */
        bool omit_zeros;       /* --per-thread of the whole system: threads that counted nothing have no row */
        bool nmi_watchdog;     /* it holds a counter, which is said where events were not counted */
        const char *subject;   /* of the title, with its quotes: "'true'", "'system wide'", "process id '1'", "'CPU(s) 0,1'" */
        bool intervals;        /* a table is of an interval: no title and no end */
        bool csv_summary;      /* rows of the sum behind intervals begin with "summary" in STAT_SEPARATED */
        bool wall_clock;       /* times of intervals are moments, shown as the time of day in STAT_TEXT … */
        int64_t wall_offset;   /* … of so many ns later than the epoch */
        double *run_times;     /* --table: seconds of each run; NULL: they are not shown */
} StatStyle;

/* Writes a table, with the title before and the time that passed behind it, unless it is of an interval. 0, or the error of
 * writing. */
int stat_print(const StatTable *t, const StatStyle *style, FILE *f);

#define STAT_TITLE_EACH 25u /* intervals */

/* Writes the table of an interval that ended at this time, in nanoseconds from the beginning. first: the titles of columns come
 * before it, as perf has them before each STAT_TITLE_EACH-th. */
int stat_print_interval(const StatTable *t, const StatStyle *style, uint64_t time, bool first, FILE *f);

/* Writes the sum behind intervals. */
int stat_print_summary(const StatTable *t, const StatStyle *style, FILE *f);
