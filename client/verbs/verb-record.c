/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl record: executes the recorder with all words behind the verb; no daemon takes part. */

#include "session-try.h"
#include "verbs.h"

int verb_record(const ClientOptions *o, char **arguments) {
        return verb_fail("run the recorder", recorder_execute(NULL, arguments));
}
