/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session-host.h"

/* All sessions of a daemon, sorted by name. */

typedef struct Sessions {
        Session **all;
        size_t n;
} Sessions;

void sessions_done(Sessions *l); /* frees them; their recorders run on */

Session *sessions_find(const Sessions *l, const char *name);            /* NULL: none */
Session *sessions_find_process(const Sessions *l, pid_t pid);           /* whose recorder it is; NULL: nobody's */
Session *sessions_find_scope(const Sessions *l, const char *unit);      /* NULL: none has that scope */
int sessions_add(Sessions *l, SessionHost *host, const char *name, Session **ret); /* -EEXIST */

/* Frees those that are gone and have no recorder; removed is called for each while it is still whole. */
void sessions_sweep(Sessions *l, void (*removed)(Session *s, void *userdata), void *userdata);

uint64_t sessions_sum(const Sessions *l, SessionFigure figure, const Session *but); /* without that one; NULL: of all */
