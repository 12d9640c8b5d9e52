/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl log: executes journalctl with matches for the sessions, or for the daemon if none is named. */

#include <limits.h>

#include "journalctl.h"
#include "strv.h"
#include "verbs.h"

static int log_pass_option(const ClientOptions *o, char ***words) {
        int r = 0;

        if (o->journal.follow)
                r = strv_extend(words, "--follow");
        if (r >= 0 && o->journal.pager_end)
                r = strv_extend(words, "--pager-end");
        if (r >= 0 && o->journal.lines != UINT_MAX)
                r = strv_extendf(words, "--lines=%u", o->journal.lines);
        if (r >= 0 && o->no_pager)
                r = strv_extend(words, "--no-pager");
        if (r >= 0 && o->quiet)
                r = strv_extend(words, "--quiet");
        return r;
}

int verb_log(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **command = NULL, **more = NULL;
        int r;

        if (o->host) {
                (void) fprintf(stderr,
                               "'log' does not work with --host=: run perfctl log there\n");
                return STATUS_FAILED;
        }
        r = log_pass_option(o, &more);
        if (r >= 0)
                r = journalctl_command(o, arguments, more, &command);
        if (r >= 0) {
                (void) execvp(command[0], command);
                r = -errno;
        }
        return verb_fail("run journalctl", r);
}
