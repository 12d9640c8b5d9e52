/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session-object.h"
#include "settings.h"

/* What comes after a recorder ended by itself or could not be started. Decides, and touches no session. */

typedef struct RecorderEnd {
        SessionResult result;
        int error;        /* negative errno of the reason; 0: not known */
        bool recorded;    /* its events had been open */
        unsigned n_tries; /* starts in a row that failed before this one for a reason that may pass */
} RecorderEnd;

typedef enum RestartStep {
        RESTART_STEP_REST,  /* nothing: only somebody's hand starts it again */
        RESTART_STEP_AGAIN, /* a restart, which StartLimitBurst= counts */
        RESTART_STEP_RETRY, /* another try, for as long as the reason lasts: no limit */
} RestartStep;

/* ret_delay: µs until then; not set for RESTART_STEP_REST. */
RestartStep restart_policy_decide(const SessionSettings *s, const RecorderEnd *end, usec_t *ret_delay);
