/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "stat-print.h"
#include "target.h"

/* The command line of stat, which speaks perf stat's language. */

typedef enum StatWordKind {
        STAT_EVENTS,
        STAT_FILTER,
        STAT_CGROUP,
        STAT_CPUS,
        STAT_PIDS,
        STAT_TIDS,
        STAT_USER,
} StatWordKind;

/* A word of the command line about events, which are made of all of them for each control group. */
typedef struct StatWord {
        int kind;            /* StatWordKind */
        const char *value;
} StatWord;

/* The events and the target that are counted. */
typedef struct StatWhat {
        EventSpecs events;
        StatWord *words;
        size_t n_words;
        const char *cgroups; /* --for-each-cgroup */
        Target target;
        unsigned detail;     /* -d: further events by default */
        bool null;           /* -n: nothing but the time */
        bool no_inherit;     /* -i */
        bool no_scale;       /* counts are not multiplied for the time in which an event had no counter */
} StatWhat;

/* The times at which they are counted. */
typedef struct StatWhen {
        unsigned runs;       /* -r; 0: until a signal */
        uint64_t interval;   /* -I: ms; 0: none */
        uint64_t times;      /* --interval-count; 0: until the end */
        uint64_t timeout;    /* ms; 0: none */
        long delay;          /* -D: ms from the start of the command; -1: nothing is counted before --control says so */
        const char *control; /* --control; NULL: none */
        bool sync;           /* -S: sync(2) before each run */
        const char *pre, *post; /* commands of the shell around each run */
} StatWhen;

/* The way in which counts are shown. */
typedef struct StatHow {
        StatPlacing placing;
        bool json, metric_only, summary, no_csv_summary, table, verbose, clear;
        bool no_big_numbers;
        const char *separator; /* -x; NULL: text */
        const char *output;    /* -o */
        bool append;
        int log_fd;            /* --log-fd; 0: none */
} StatHow;

typedef enum StatMode {
        STAT_SHOW,   /* counts are shown only */
        STAT_RECORD, /* record: they are recorded, too */
        STAT_REPORT, /* report: a recording is shown */
} StatMode;

typedef struct StatOptions {
        StatMode mode;
        const char *recording;    /* of STAT_RECORD: where it goes; of STAT_REPORT: NULL if none is named; "-" is a pipe */
        StatWhat what;
        StatWhen when;
        StatHow how;
        const char *target_words; /* of -p, -t or -C, for the title */
        char **words;             /* argv */
        char **command;           /* of argv; NULL: none */
} StatOptions;

/* argv[0] is the verb. 0; 1: the help was printed; -EINVAL: an error was printed; -ENOMEM. */
int stat_options_parse(StatOptions *o, int argc, char **argv);
void stat_options_done(StatOptions *o);

/* Returns the title's subject, with its quotes: "'true'", "process id '1'"; a new string, NULL without memory. */
char *stat_options_subject(const StatOptions *o);
