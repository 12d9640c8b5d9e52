/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-options.h"
#include "target.h"

/* System calls that happen now. */

/* A filter of the kernel, for the tracepoints of one -e. */
typedef struct TraceLiveFilter {
        size_t begin, end; /* of their words in calls.events */
        const char *text;
} TraceLiveFilter;

/* The command line. */
typedef struct TraceLiveOptions {
        CallOptions calls;
        TraceLiveFilter *filters;
        size_t n_filters;
        Target target;
        Target left_out;    /* its processes are not shown */
        char **groups;      /* control groups; NULL: all */
        uint64_t delay;     /* ms behind the begin of the command before which nothing is traced */
        unsigned pages;     /* of each ring; 0: the default */
        bool by_events;     /* sums are made of events, and not in the kernel */
        bool no_inherit;
        const char *output; /* a file; NULL: standard error */
        char **command;     /* of argv; NULL: none */
} TraceLiveOptions;

/* argv[0] is the verb. 0; 1: the help was printed; -EINVAL: an error was printed; -ENOMEM. Done after a failure too. */
int trace_live_options_parse(TraceLiveOptions *o, int argc, char **argv);
void trace_live_options_done(TraceLiveOptions *o);

/* Traces until the command or the target ends, or a signal comes. Returns the exit status, which is the command's. */
int trace_live(const TraceLiveOptions *o, FILE *out);
