/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl verify: reads session files as the daemon would, without it, and says what is wrong with them. Warnings (an
 * unknown key) leave the exit status 0, errors do not. */

#include "load.h"
#include "session-problems.h"
#include "strv.h"
#include "verbs.h"

static bool verify(const Options *o, const char *path) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_verify(path, &f);

        if (r == -ERFKILL) {
                if (!o->quiet)
                        (void) fprintf(stderr, "%s: a mask (an empty file, or a link to /dev/null): there is no session of this name\n",
                                       path);
                return true;
        }
        if (r < 0) {
                (void) fprintf(stderr, "%s: %s\n", path, strerror(-r));
                return false;
        }
        return session_problems_print(f, !o->quiet);
}

int verb_verify(const Options *o, char **arguments) {
        int status = STATUS_OK;

        STRV_FOREACH(path, arguments)
                if (!verify(o, *path))
                        status = STATUS_FAILED;
        return status;
}
