/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl stat: executes perf-recorder-meter with all words behind the verb; no daemon takes part. */

#include "strv.h"
#include "verbs.h"

int verb_stat(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **words = NULL;
        const char *program = getenv("PERF_RECORDER_METER") ?: PR_LIBEXECDIR "/perf-recorder-meter";
        int r = strv_extend(&words, "perfctl");

        if (r >= 0)
                r = strv_extend(&words, "stat");
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0) {
                (void) execv(program, words);
                r = -errno;
        }
        return verb_fail("run the meter", r);
}
