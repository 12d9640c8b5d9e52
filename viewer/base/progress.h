/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"
#include "watcher.h"

/* Tells a user at a terminal what takes so long, on standard error, and lets Ctrl-C end it early. Only one at a time.
 * Zero-initialise. */
typedef struct Progress {
        const char *what, *name; /* "Reading", of the recording */
        usec_t begun, drawn;     /* drawn: 0: nothing is on the terminal */
        bool terminal;           /* it is drawn there */
} Progress;

/* Has the first SIGINT end what is watched; one that comes half a second later or more ends the process. */
void progress_catch_interrupt(void);

/* Begins something. Returns the watch of it, which needs p. */
Watcher progress_begin(Progress *p, const char *what, const char *name);

/* Takes the line away. The watch may be asked on, and draws nothing. */
void progress_end(Progress *p);

bool progress_was_interrupted(void);

/* Returns whether what is watched is to end. */
bool progress_is_interrupted(void);

/* An interrupt that came before does not end what is watched from now on, such as showing what there is. */
void progress_settle_interrupt(void);

/* In a process that was forked: no interrupt came, and none is caught. */
void progress_begin_anew(void);

/* From now on SIGINT ends the process. */
void progress_release_interrupt(void);
