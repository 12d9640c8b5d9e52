/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The journal is read by journalctl(1): its formats, its pager and its permissions are what people know. This file knows
 * which fields a session's messages carry. */

#include "journal.h"

#include <spawn.h>
#include <sys/wait.h>

#include "strv.h"

static int add_matches(const Options *o, char *const *names, char ***command) {
        int r = 0;

        if (!names)
                return strv_extendf(command, "--%sunit=perf-recorderd.service", o->user ? "user-" : "");
        STRV_FOREACH(name, names) {
                r = strv_extendf(command, "PERF_SESSION=%s", *name);
                if (r < 0)
                        return r;
        }
        /* the system's session may have the same name */
        return o->user ? strv_extendf(command, "_UID=%u", (unsigned) getuid()) : 0;
}

int journal_command(const Options *o, char *const *names, char *const *more, char ***ret) {
        _cleanup_strv_free_ char **command = NULL;
        int r = strv_extend(&command, "journalctl");

        if (r >= 0 && o->machine)
                r = strv_extendf(&command, "--machine=%s", o->machine);
        if (r >= 0)
                r = add_matches(o, names, &command);
        if (r >= 0)
                r = strv_extend_strv(&command, more);
        if (r < 0)
                return r;
        *ret = steal_ptr(command);
        return 0;
}

int journal_run(char **command) {
        pid_t pid;
        int r;

        if (fflush(stdout) != 0)
                return -errno;
        r = -posix_spawnp(&pid, command[0], NULL, NULL, command, environ);
        if (r < 0)
                return r;
        while (waitpid(pid, NULL, 0) < 0)
                if (errno != EINTR)
                        return -errno;
        return 0;
}
