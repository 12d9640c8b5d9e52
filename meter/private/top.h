/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "report-entries.h"
#include "target.h"

/* The functions in which time goes now, refreshed while it does. */

#define TOP_KEYS_MAX 8u

/* A key of --sort. */
typedef struct TopKey {
        const char *word;
        ReportKey key;
        unsigned dimensions; /* SampleDimensions that it needs */
} TopKey;

/* The looks of a refresh. */
typedef struct TopLook {
        bool samples, period; /* columns */
        bool batch, json, stdio, verbose;
        uint64_t entries;     /* UINT64_MAX: not set; 0: all */
        uint64_t least;       /* samples of a row that is shown */
        double percent_limit;
        struct {
                unsigned all[TOP_KEYS_MAX];
                size_t n;
        } widths;             /* of columns of keys; 0: as wide as needed */
} TopLook;

/* The samples that have rows; NULL: all. Names are whole. */
typedef struct TopChoice {
        char **comms, **dsos, **symbols;
        bool relative;        /* shares are of these, not of all samples */
} TopChoice;

/* The command line. */
typedef struct TopOptions {
        EventSpecs events;
        Target target;
        char **groups;        /* control groups; NULL: all */
        uint64_t frequency;   /* Hz; UINT64_MAX: max; 0: the default, or there is a period */
        uint64_t period;      /* 0: none */
        unsigned pages;       /* of each ring; 0: the default */
        bool no_inherit, call_graph;
        bool no_children;     /* callers have no shares */
        unsigned max_stack;   /* frames; 0: as many as the kernel follows */
        struct {
                const TopKey *all[TOP_KEYS_MAX];
                size_t n;
        } keys;
        TopChoice only;
        bool hide_kernel, hide_user, zero;
        TopLook look;
        uint64_t delay;       /* µs */
        uint64_t iterations;  /* 0: no limit */
        const char *session;  /* whose samples are shown, by its windows; NULL: of events that are opened here */
        int windows_fd;       /* where it is asked for them, see live-windows.h */
        uint64_t last;        /* ns: so much of what a session has in memory is shown; UINT64_MAX: all; 0: not set */
} TopOptions;

/* argv[0] is the verb. 0; 1: the help was printed; -EINVAL: an error was printed; -ENOMEM. Done after a failure too. */
int top_options_parse(TopOptions *o, int argc, char **argv);
void top_options_done(TopOptions *o);

/* Returns whether they ask for text, or for what a browser does not show. */
bool top_options_want_text(const TopOptions *o);

/* Returns whether one of the keys is that. */
static inline bool top_options_have_key(const TopOptions *o, ReportKey key) {
        for (size_t i = 0; i < o->keys.n; i++)
                if (o->keys.all[i]->key == key)
                        return true;
        return false;
}

/* Samples and shows until the target ends, the last refresh was shown, or a signal comes. Returns the exit status. */
int top(const TopOptions *o, FILE *out);
