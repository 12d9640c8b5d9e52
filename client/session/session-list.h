/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"

/* All sessions of a daemon with their properties, sorted by name. */
typedef struct SessionList {
        json_object *objects;
        const json_object **sessions; /* within objects: Name, State, MainPID … of each */
        size_t n;
} SessionList;

/* Asks the service. On failure returns a negative errno, and bus_client_fail() prints why. */
int session_list_load(BusClient *c, SessionList *ret);
void session_list_done(SessionList *l);

/* True if one of the patterns matches, or there are none. A backslash in a pattern (fnmatch(3)) is an ordinary character,
 * because names contain it. */
bool session_name_matches(const char *name, char *const *patterns);

/* Keeps the sessions whose property matches, session_name_matches(). */
void session_list_filter(SessionList *l, const char *property, char *const *patterns);

/* True if the session has a recorder. */
bool session_runs(const json_object *session);
bool session_runs_with_error(const json_object *session); /* it cannot write, or its file has become bad */
size_t session_list_count_running(const SessionList *l);
size_t session_list_count_errors(const SessionList *l); /* that run with an error */
