/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "verbs.h"

/* A verb that runs perf-recorder-view for dumps. */
typedef struct ViewVerb {
        const char *name;    /* as view_words_find() knows it */
        const Verb *row;     /* its help; NULL: that of the name in the table of verbs */
        const char *session; /* whose dumps it is for: --now makes one of it if no other is named; NULL: one must be named */
        bool symbols;        /* it shows names of functions */
        bool several;        /* it takes several dumps */
        bool pair;           /* it takes two dumps, or one, and without any has its own default */
        bool one_function;   /* -s names a function */
        bool browses;        /* on a terminal it is a browser, unless options ask for text */
        bool fits;           /* its text fits a terminal's columns, if it is given their number */
        bool picture;        /* it writes a file, which -o names; otherwise only if it does */
        bool format_by_name; /* what that name ends in is the format */
} ViewVerb;

/* Reads the words behind the verb, and runs the viewer. Returns the exit status. */
int view_run_verb(const ViewVerb *v, const ClientOptions *options, char **arguments);
