/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder that recorded and failed is started again as Restart= and the start limit say, like a service of systemd. One
 * that could not begin to record is judged by its reason: what time may cure is tried again with growing delays; what only
 * another session file, program or privilege can cure is final after the first try. Where the reason is not known (a crash
 * while it started, a foreign recorder) the start limit decides. */

#include "restart-policy.h"

#define RETRY_DELAY_MAX_USEC USEC_PER_MINUTE

static bool may_pass(int error) {
        static const int passing[] = {
                ENOSPC, EDQUOT, /* the disk; slots of breakpoints */
                EAGAIN, EBUSY, ENOMEM, ENFILE, EINTR,
                ESRCH,          /* the process of PID=, the control group of CGroup= */
                ETXTBSY,        /* a program that a package manager is writing */
                ETIMEDOUT, ENOTCONN, ECONNRESET, ECONNREFUSED, /* systemd, the bus, or an overloaded machine */
                EHOSTUNREACH,   /* a bus that has just begun, and systemd is not on it yet */
        };

        for (size_t i = 0; i < ELEMENTSOF(passing); i++)
                if (error == -passing[i])
                        return true;
        return false;
}

/* RestartSec=, then twice as long each time, up to a minute. */
static usec_t retry_delay(usec_t first, unsigned n_tries) {
        usec_t delay = MAX_OF(first, USEC_PER_MSEC);

        for (unsigned i = 0; i < n_tries && delay < RETRY_DELAY_MAX_USEC; i++)
                delay *= 2;
        return MIN_OF(delay, MAX_OF(first, RETRY_DELAY_MAX_USEC));
}

RestartStep restart_policy_decide(const RestartState *state, const SessionSettings *s, const RecorderEnd *end, bool may_run,
                                  bool by_itself, usec_t *ret_delay) {
        bool known = end->error < 0 && end->error != SCOPE_JOB_FAILED &&
                     end->result != SESSION_RESULT_SUCCESS;

        if (!may_run || !s) /* without settings: the file turned bad while the previous daemon's recorder ran */
                return RESTART_STEP_REST;
        if (state->start_again)
                return RESTART_STEP_NOW;
        if (!by_itself || state->stop_asked)
                return RESTART_STEP_REST;
        if (s->restart != RESTART_ALWAYS && (s->restart != RESTART_ON_FAILURE || end->result == SESSION_RESULT_SUCCESS))
                return RESTART_STEP_REST;
        if (end->result == SESSION_RESULT_START_LIMIT_HIT)
                return RESTART_STEP_REST;
        if (!end->recorded && known && may_pass(end->error)) {
                *ret_delay = retry_delay(s->restart_usec, state->n_tries);
                return RESTART_STEP_RETRY;
        }
        if (!end->recorded && known)
                return RESTART_STEP_REST;
        *ret_delay = s->restart_usec;
        return RESTART_STEP_AGAIN;
}

bool restart_policy_allows_start(RestartState *state, const SessionSettings *s) {
        return state->n_tries > 0 || s->start_limit_interval_usec == 0 || s->start_limit_burst == 0 ||
               rate_limit_below(&state->limit, s->start_limit_interval_usec, s->start_limit_burst);
}

void restart_policy_reset(RestartState *state) {
        state->limit = (RateLimit) {};
        state->n_restarts = state->n_tries = 0;
}
