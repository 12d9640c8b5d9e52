/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* What the recorder found when it opened all that the session records. */
typedef struct SessionTrial {
        uint64_t n_events, n_rings, ring_bytes; /* 0: not said */
        char *error; /* a formatted diagnosis; NULL: it would record */
} SessionTrial;

void session_trial_done(SessionTrial *t);

/* Has the recorder open the events and triggers of a session, with the rights of whoever calls, and close them again. A foreign
 * recorder is only looked for. 0, or a negative errno if that could not be found out. */
int session_try(const SessionFile *f, const DaemonSettings *daemon, bool user, SessionTrial *ret);
