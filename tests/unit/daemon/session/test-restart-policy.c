/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <limits.h>

#include "check-main.h"
#include "restart-policy.h"

#define SEC USEC_PER_SEC

static const struct {
        RestartPolicy policy;
        usec_t restart_usec;
        RecorderEnd end;
        unsigned n_tries;
        RestartStep step;
        usec_t delay;
} rows[] = {
        /* it recorded: Restart= */
        { RESTART_NO, SEC, { SESSION_RESULT_SIGNAL, 0, true }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_SIGNAL, 0, true }, 0, RESTART_STEP_AGAIN, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_SUCCESS, 0, true }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ALWAYS, SEC, { SESSION_RESULT_SUCCESS, 0, true }, 0, RESTART_STEP_AGAIN, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -ENOENT, true }, 0, RESTART_STEP_AGAIN, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -ENOSPC, true }, 0, RESTART_STEP_AGAIN, SEC },
        /* it did not, for a permanent reason */
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -EINVAL, false }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ALWAYS, SEC, { SESSION_RESULT_EXIT_CODE, -ENOENT, false }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_RESOURCES, -EACCES, false }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -E2BIG, false }, 0, RESTART_STEP_REST, 0 },
        /* for a temporary reason */
        { RESTART_NO, SEC, { SESSION_RESULT_EXIT_CODE, -ENOSPC, false }, 0, RESTART_STEP_REST, 0 },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -ENOSPC, false }, 0, RESTART_STEP_RETRY, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -EBUSY, false }, 1, RESTART_STEP_RETRY, 2 * SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, -ESRCH, false }, 5, RESTART_STEP_RETRY, 32 * SEC },
        { RESTART_ALWAYS, SEC, { SESSION_RESULT_TIMEOUT, -ETIMEDOUT, false }, 6, RESTART_STEP_RETRY, 60 * SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_RESOURCES, -ENOMEM, false }, UINT_MAX, RESTART_STEP_RETRY, 60 * SEC },
        { RESTART_ON_FAILURE, 300 * SEC, { SESSION_RESULT_RESOURCES, -EAGAIN, false }, 3, RESTART_STEP_RETRY, 300 * SEC },
        { RESTART_ON_FAILURE, 0, { SESSION_RESULT_RESOURCES, -EAGAIN, false }, 3, RESTART_STEP_RETRY, 8 * USEC_PER_MSEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_RESOURCES, -ECONNREFUSED, false }, 0, RESTART_STEP_RETRY, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_RESOURCES, -EHOSTUNREACH, false }, 0, RESTART_STEP_RETRY, SEC },
        /* for an unknown reason: the start limit */
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_EXIT_CODE, 0, false }, 0, RESTART_STEP_AGAIN, SEC },
        { RESTART_ON_FAILURE, SEC, { SESSION_RESULT_CORE_DUMP, 0, false }, 3, RESTART_STEP_AGAIN, SEC },
        { RESTART_ALWAYS, SEC, { SESSION_RESULT_START_LIMIT_HIT, 0, false }, 0, RESTART_STEP_REST, 0 },
};

START_TEST(test_table) {
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                const SessionSettings s = { .restart = rows[i].policy, .restart_usec = rows[i].restart_usec };
                const RestartState state = { .n_tries = rows[i].n_tries };
                usec_t delay = 0;

                ck_assert_msg(restart_policy_decide(&state, &s, &rows[i].end, true, true, &delay) == rows[i].step, "row %zu", i);
                ck_assert_msg(delay == rows[i].delay, "row %zu: %" PRIu64 " µs", i, delay);
        }
}
END_TEST

/* Requests take precedence over the settings. */
START_TEST(test_wishes) {
        static const struct {
                RestartState state;
                bool has_settings, may_run, by_itself;
                RestartStep step;
        } wishes[] = {
                { {}, true, true, true, RESTART_STEP_AGAIN },
                { {}, true, true, false, RESTART_STEP_REST },
                { {}, true, false, true, RESTART_STEP_REST },
                { {}, false, true, true, RESTART_STEP_REST },
                { { .stop_asked = true }, true, true, true, RESTART_STEP_REST },
                { { .stop_asked = true, .start_again = true }, true, true, true, RESTART_STEP_NOW },
                { { .start_again = true }, true, true, false, RESTART_STEP_NOW },
                { { .start_again = true }, true, false, true, RESTART_STEP_REST },
                { { .stop_asked = true, .start_again = true }, false, true, true, RESTART_STEP_REST },
        };
        const SessionSettings s = { .restart = RESTART_ALWAYS, .restart_usec = SEC };
        const RecorderEnd end = { SESSION_RESULT_SIGNAL, 0, true };

        for (size_t i = 0; i < ELEMENTSOF(wishes); i++) {
                usec_t delay;

                ck_assert_msg(restart_policy_decide(&wishes[i].state, wishes[i].has_settings ? &s : NULL, &end, wishes[i].may_run,
                                                    wishes[i].by_itself, &delay) == wishes[i].step, "row %zu", i);
        }
}
END_TEST

START_TEST(test_start_limit) {
        const SessionSettings s = { .start_limit_interval_usec = 3600 * SEC, .start_limit_burst = 2 }, none = { .start_limit_burst = 1 };
        RestartState state = { .n_restarts = 5 };

        ck_assert(restart_policy_allows_start(&state, &s) && restart_policy_allows_start(&state, &s));
        ck_assert(!restart_policy_allows_start(&state, &s));
        ck_assert(restart_policy_allows_start(&state, &none));
        state.n_tries = 1; /* whose reason may pass */
        ck_assert(restart_policy_allows_start(&state, &s));
        restart_policy_reset(&state);
        ck_assert(state.n_tries == 0 && state.n_restarts == 0);
        ck_assert(restart_policy_allows_start(&state, &s));
}
END_TEST

CHECK_MAIN("restart-policy", test_table, test_wishes, test_start_limit);
