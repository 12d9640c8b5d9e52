/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"

/* All sessions of a daemon with their properties, sorted by name. */
typedef struct SessionList {
        json_object *objects;
        const json_object **sessions; /* within objects: Name, State, MainPID … of each */
        size_t n;
} SessionList;

/* Asks the service. On failure: a negative errno, bus_client_fail() knows why. */
int session_list_load(BusClient *c, SessionList *ret);
void session_list_done(SessionList *l);

/* Matches one of the patterns, fnmatch(3), in which a backslash is nothing but itself: names have them. No patterns: yes. */
bool session_name_matches(const char *name, char *const *patterns);

/* Keeps those of which that property matches. */
void session_list_filter(SessionList *l, const char *property, char *const *patterns);

/* A recorder is there: it has a PID. */
bool session_runs(const json_object *session);
bool session_runs_with_error(const json_object *session); /* it cannot write, or its file is bad */
size_t session_list_count_running(const SessionList *l);
