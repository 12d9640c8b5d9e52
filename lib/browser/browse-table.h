/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-tree.h"
#include "report-columns.h"
#include "sample-zoom.h"

/* The rows that a browser shows of a table of samples: entries of a report, and below those that are open their calls as a tree.
 * They are made in steps, so that whoever looks at them need not wait for a large table. */

#define BROWSE_ZOOMS_MAX 16u
#define BROWSE_KEYS_MAX 8u

/* The wishes. Zero: all samples of the first event. */
typedef struct BrowseChoice {
        uint32_t event;
        ReportField keys[BROWSE_KEYS_MAX]; /* what entries are grouped by */
        size_t n_keys;
        SampleZoom zooms[BROWSE_ZOOMS_MAX]; /* all must fit */
        size_t n_zooms;
        uint64_t since, until; /* only slices that begin from the first time on and before the second one; until 0: no limit */
        bool children;         /* callers have entries, too */
        bool caller;           /* trees begin with callers */
        bool hide_kernel, hide_user;
        bool relative;         /* shares are parts of what the zooms let through */
        bool samples, period;  /* columns */
        double least, least_call; /* percent: smaller entries, and calls in trees, are left out */
        char *filter;          /* only entries that have this text, in any case; NULL: all */
} BrowseChoice;

int browse_choice_copy(BrowseChoice *ret, const BrowseChoice *choice); /* 0, -ENOMEM; done after a failure too */
void browse_choice_done(BrowseChoice *c);

/* Returns whether a row of the table is chosen. The zooms are bound to it, as those of browse_table_choice() are. */
bool browse_choice_has_row(const BrowseChoice *c, SampleTable *table, const PlaceNames *names, const SampleRow *row);

typedef struct BrowseLine {
        uint32_t entry; /* of the report */
        uint32_t node;  /* of its tree; 0: the entry itself */
        uint32_t depth; /* of the tree: how many forks are above the call */
        bool can_open, is_open;
} BrowseLine;

typedef struct BrowseTable BrowseTable;

/* Begins. What is open is what is open in before, which may be NULL. table and names must outlive it, and stay as they are. 0,
 * -ENOMEM. */
int browse_table_new(SampleTable *table, const PlaceNames *names, const BrowseChoice *choice, const BrowseTable *before,
                     BrowseTable **ret);
BrowseTable *browse_table_free(BrowseTable *t);
DEFINE_CLEANUP(BrowseTable *, browse_table_free);

/* Does a part of what is left, of some milliseconds. Returns 1: more is left, *ret_done (0 to 1) of it is done; 0: its lines are as
 * it was asked for; -ENOMEM and errors of report_count(). */
int browse_table_step(BrowseTable *t, double *ret_done);

/* All of these need a table that is complete. */
const BrowseLine *browse_table_lines(const BrowseTable *t, size_t *ret_n);
const ReportColumns *browse_table_columns(const BrowseTable *t);
const BrowseChoice *browse_table_choice(const BrowseTable *t);
const ReportEntry *browse_table_entry(const BrowseTable *t, const BrowseLine *line);
/* Returns the entries that are shown, without their calls. */
size_t browse_table_n_entries(const BrowseTable *t);
/* Returns the weight of a line, that of its callees included. */
uint64_t browse_table_weight(const BrowseTable *t, const BrowseLine *line);
/* Returns the place of the call of a line, or of its entry's first sample. */
uint32_t browse_table_place(const BrowseTable *t, const BrowseLine *line);
/* The zoom into what the entry or call of a line has of that kind. 0; -ENODATA: it has none, or its entries are not told apart by
 * that; -ENOMEM. */
int browse_table_zoom(const BrowseTable *t, const BrowseLine *line, ZoomKind kind, SampleZoom *ret);
/* Returns the samples that the zooms let through, their weight, and that of all samples of the event at that time. */
uint64_t browse_table_selected(const BrowseTable *t, uint64_t *ret_period, uint64_t *ret_all);
/* Returns a number that the entry or call of a line has in each table that is made anew; and the line that has it, or SIZE_MAX. */
uint64_t browse_table_identity(const BrowseTable *t, size_t line);
size_t browse_table_find(const BrowseTable *t, uint64_t identity);

/* Change what is shown: steps are left afterwards if they return 1. 0, -ENOMEM. */
int browse_table_toggle(BrowseTable *t, size_t line);
int browse_table_open_all(BrowseTable *t, bool open); /* the entries that are shown, and their calls */
int browse_table_filter(BrowseTable *t, const char *filter); /* NULL: none */
