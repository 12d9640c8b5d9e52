/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-graph-options.h"
#include "name-options.h"
#include "recording-inputs.h"
#include "report-fields.h"
#include "selection-options.h"
#include "trace-columns.h"
#include "wall-clock.h"

/* The command line of "report", which is that of perf report. */

typedef enum ReportJson {
        REPORT_JSON_OFF,
        REPORT_JSON_SHORT,
        REPORT_JSON_PRETTY,
        _REPORT_JSON_MAX,
        _REPORT_JSON_INVALID = -EINVAL,
} ReportJson;

typedef enum ReportGrouping {
        REPORT_GROUP_RECORDED, /* events that were recorded as a group are shown side by side */
        REPORT_GROUP_ALL,      /* all are, unless the recording has groups */
        REPORT_GROUP_OFF,
} ReportGrouping;

/* Columns that were named. */
typedef struct ReportFields {
        ReportField *all;
        size_t n;
        bool added; /* to the default */
} ReportFields;

typedef struct ReportWords {
        ReportFields keys;     /* of --sort */
        ReportFields fields;   /* of --fields; none: the default */
        bool default_keys;     /* keys are added to the default, or none was named */
        const char *sort;      /* the value of --sort; NULL: none */
        char **trace_words;    /* words of both that are no keys */
        TraceColumns traces;
} ReportWords;

/* Says what a sample counts for, and which entries are left out. */
typedef struct ReportCounting {
        bool no_children, children_set;
        bool branches, branches_set; /* each branch is counted; unless set, the recording decides (report-keys.h) */
        bool memory;           /* samples weigh what their memory accesses do */
        int *parallelisms;     /* only samples while so many threads ran */
        size_t n_parallelisms; /* 0: all */
        size_t max_stack;
        bool inlined;
        const char *ignored_callees; /* a regular expression: what these functions called counts as theirs */
        const char *parent;    /* a regular expression */
        bool with_parent;      /* only entries that have one */
        bool resolved;         /* only what has a name */
        const char *symbol_part; /* NULL: all */
        double percent_limit;  /* negative, while the words are read: not set */
        uint64_t slice;        /* the length of the key "time", in nanoseconds */
} ReportCounting;

/* Says how the table looks. */
typedef struct ReportLook {
        bool samples, period, modes; /* columns */
        bool latency, latency_first; /* likewise; the second one has entries sorted by it */
        bool confidence;       /* shares have their intervals */
        bool hierarchy;        /* keys are levels */
        bool relative;         /* shares are those of what is shown */
        bool nanoseconds;      /* times have all their digits */
        bool full_source_path, colors;
        unsigned columns;      /* of the terminal that the report is to fit; 0: it is perf's text */
        char separator;        /* 0: columns are aligned */
        unsigned *widths;      /* of the first columns; 0: as wide as its widest field */
        size_t n_widths;
} ReportLook;

/* Says what is shown before the table, or in its place. */
typedef struct ReportParts {
        bool header, header_only, header_full, stats, tasks, mmaps, off_cpu, dump;
        ReportJson json;
} ReportParts;

/* The recordings' own, once they are open. */
typedef struct ReportFound {
        WallClock clock;
        bool has_clock;        /* they have one, and the same */
        const Lendings *lent;  /* of their counters; NULL: none */
} ReportFound;

typedef struct ReportOptions {
        RecordingNames inputs; /* at least one after parsing */
        SelectionOptions select;
        ReportWords words;
        ReportCounting counting;
        CallGraphOptions graph;
        ReportGrouping grouping;
        unsigned group_sort;   /* the event of a group that entries are sorted by */
        ReportLook look;
        ReportParts parts;
        NameOptions names;
        bool quiet, verbose;
        bool browser;          /* entries are shown in a browser */
        ReportFound found;
} ReportOptions;

/* Adds a field, unless the list has it. 0, -ENOMEM. */
int report_fields_add(ReportFields *list, ReportField field);

/* Parses the words behind "report". 0; 1: help was printed; -EINVAL: an error was printed; -ENOMEM. options is
 * initialised, and done after a failure too. */
int report_options_parse(ReportOptions *options, int argc, char **argv);
void report_options_done(ReportOptions *options);

/* Returns whether a table of entries, which are no levels, is all that is shown. */
bool report_options_show_entries(const ReportOptions *options);
