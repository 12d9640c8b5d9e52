/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The meter counts and traces with the rights of its caller; no daemon takes part. */

#include "run-meter.h"

#include "verbs.h"

int meter_execute(char **words) {
        const char *program = getenv("PERF_RECORDER_METER") ?: PR_LIBEXECDIR "/perf-recorder-meter";

        (void) execv(program, words);
        return verb_fail("run the meter", -errno);
}
