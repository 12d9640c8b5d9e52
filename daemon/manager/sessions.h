/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session-host.h"

/* All sessions of a daemon, sorted by name. */

typedef struct Sessions {
        Session **all;
        size_t n;
        SessionHost *host;
        const SearchPath *path; /* of session files */
        sd_event_source *sweep;
        void (*added)(Session *s, void *userdata);   /* it has its settings */
        void (*removed)(Session *s, void *userdata); /* s is still valid */
        void *userdata;
} Sessions;

void sessions_done(Sessions *l); /* frees them; their recorders go on */

Session *sessions_find(const Sessions *l, const char *name);  /* NULL: there is none */
Session *sessions_find_process(const Sessions *l, pid_t pid); /* the session of that recorder; NULL: none */

/* Adds a session, or one that is made from its file, and takes the argument, on failure too. -EEXIST. */
int sessions_add(Sessions *l, Session *s);
int sessions_add_file(Sessions *l, SessionFile *f, Session **ret);

/* Finds it, or makes it from its file, or its template's. */
Failure sessions_load(Sessions *l, const char *name, Session **ret);

/* A sentence that explains why there is none of that name; NULL: no memory. */
char *sessions_explain_missing(const Sessions *l, const char *name);

/* Returns false if there are too many sessions without a file of their own for another one: as many as MaxSessions=
 * permits, or half of that of the caller's user. */
bool sessions_have_room(const Sessions *l);
#define SESSIONS_NO_ROOM \
        "There are as many sessions without files of their own as MaxSessions= allows, or half of that for one user: stop some, " \
        "or raise it in perf-recorderd.conf"

/* Finds the named sessions, or makes them from their files if load; for an empty array, all for which wanted() is
 * true. FAILURE_NO_MEMORY, or the failure of the first name without a session, FAILURE_NO_SUCH_SESSION or
 * FAILURE_LIMIT; then the sentence has a line for each such name, and the list has the other sessions. */
typedef struct SessionList {
        Session **sessions;
        size_t n_sessions;
} SessionList;
void session_list_done(SessionList *l);
void session_list_drop_idle(const SessionList *l); /* frees those that were made for a call that does not use them */
Failure sessions_select(Sessions *l, char *const *names, bool load, bool (*wanted)(const Session *s), SessionList *ret,
                        char **ret_sentence);

/* Frees those that are gone and have no recorder; not to be called from their callbacks. Later: in another turn of
 * the loop. */
void sessions_sweep(Sessions *l);
void sessions_sweep_later(Sessions *l);

uint64_t sessions_sum(const Sessions *l, SessionFigure figure, const Session *but); /* without the session but; NULL: of all */
