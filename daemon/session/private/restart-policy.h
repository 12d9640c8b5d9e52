/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "rate-limit.h"
#include "recorder-process.h"
#include "settings.h"

/* Decides what comes after a recorder ended by itself or could not be started. It touches no session. */

/* It says what is wanted of a session's recorder, and what became of earlier ones. */
typedef struct RestartState {
        RateLimit limit;     /* StartLimitBurst= */
        unsigned n_restarts; /* automatic ones since it was started by hand or boot */
        unsigned n_tries;    /* starts in a row that failed for a reason that may pass */
        bool stop_asked, start_again;
        const char *stop_reason; /* for its last dump, while a stop begins that no caller asked for; NULL: none */
        bool restored;     /* a previous daemon's state: not started because it is enabled */
        bool start_wanted; /* a previous daemon was about to start it */
        bool outdated;     /* it runs with other settings than its file has now */
} RestartState;

typedef enum RestartStep {
        RESTART_STEP_REST,  /* nothing: only somebody's hand starts it again */
        RESTART_STEP_NOW,   /* somebody wants it started again */
        RESTART_STEP_AGAIN, /* a restart, which StartLimitBurst= counts */
        RESTART_STEP_RETRY, /* another try, for as long as the reason lasts: no limit */
} RestartStep;

/* settings NULL: there are none that are good, and nothing to start with, not even if somebody wants it: a restart that the
 * previous daemon began may find a bad file. may_run: the session stays and the daemon is not ending. by_itself: it may be
 * started again without being asked. ret_delay: µs until then; set for RESTART_STEP_AGAIN and RESTART_STEP_RETRY. */
RestartStep restart_policy_decide(const RestartState *state, const SessionSettings *settings, const RecorderEnd *end, bool may_run,
                                  bool by_itself, usec_t *ret_delay);

/* Counts a start, as systemd does: within an interval that begins with the first of them. A try that follows one whose reason may
 * pass does not count. Returns false if there were as many as StartLimitBurst= allows. */
bool restart_policy_allows_start(RestartState *state, const SessionSettings *settings);

void restart_policy_reset(RestartState *state); /* a start by hand: restarts and tries are counted from here */
