/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* The result of opening all events of a session. */
typedef struct SessionTrial {
        uint64_t n_events, n_rings, ring_bytes; /* 0: not known */
        char *error; /* a formatted diagnosis; NULL: it would record */
} SessionTrial;

/* The path of perf-recorder-worker. */
const char *recorder_path(void);

/* Executes the recorder in place of this program, as "perfctl record" with these options and then those words; either may be NULL.
 * Returns only if that failed: a negative errno. */
int recorder_execute(char *const *options, char *const *words);

void session_trial_done(SessionTrial *t);

/* Makes the recorder open the events and triggers of a session, with the caller's privileges, and close them again. Only checks
 * that a foreign recorder exists. 0, or a negative errno if the trial itself failed. */
int session_try(const SessionFile *f, const DaemonSettings *daemon, bool user, SessionTrial *ret);
