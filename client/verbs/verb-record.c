/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl record: executes the recorder with all words behind the verb; no daemon takes part. The recorder's argv[0] is
 * "perfctl record", which it prints in its help. */

#include "session-try.h"
#include "strv.h"
#include "verbs.h"

int verb_record(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "perfctl record");

        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0) {
                (void) execv(recorder_path(), words);
                r = -errno;
        }
        return verb_fail("run the recorder", r);
}
