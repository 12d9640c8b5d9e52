/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"
#include "view-words.h"

/* The command line behind a verb of the viewer: dumps and options in any order. Zero-initialise, but for the first two. */
typedef struct ViewLine {
        const char *usual_session; /* of which --now makes a dump if none is named; NULL: one must be named */
        bool pair;           /* the dump that --now makes is compared with one that is named */
        char **words;        /* as they were; values point into them */
        char **dumps;        /* words that name dumps; none: the newest, or what -i names */
        char **options;      /* the viewer's, a word each; without --output= */
        const char *output;  /* the value of the last -o; NULL: none */
        const char *session; /* of which a dump is made; NULL: none is made */
        bool piped;          /* "-": the recording is on standard input */
        bool input, format;  /* there is an -i, or a --format */
        bool triggered;      /* there is a --trigger */
        const char *baseline; /* the value of the last --baseline, which is among the options, too; NULL: none */
        bool help;           /* nothing else matters */
} ViewLine;

/* Options that perfctl has for these verbs besides the viewer's, for the help. */
const ViewWord *view_line_own(size_t *ret_n);

/* Reads the words. Those of perfctl's options that may stand here, too, go to *o. What the viewer refuses stays among its options,
 * so that it says why. 0; -EINVAL: an error was printed; -ENOMEM. */
int view_line_read(ViewLine *line, const char *verb, char *const *arguments, ClientOptions *o);
void view_line_done(ViewLine *line);
