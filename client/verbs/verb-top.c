/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl top: executes perf-recorder-meter with all words behind the verb. */

#include "run-meter.h"
#include "strv.h"
#include "verbs.h"

int verb_top(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "perfctl");

        if (r >= 0)
                r = strv_extend(&words, "top");
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        return r < 0 ? verb_fail("run the meter", r) : meter_execute(words);
}
