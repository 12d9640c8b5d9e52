/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* journalctl(1) reads the journal, because users know its formats, its pager and its permissions. This file knows the fields
 * of a session's messages. */

#include "journalctl.h"

#include <fcntl.h>

#include "child-process.h"
#include "strv.h"
#include "terminal.h"

static int journalctl_add_matches(const ClientOptions *o, char *const *names, char ***command) {
        int r = 0;

        if (!names)
                return strv_extendf(command, "--%sunit=perf-recorderd.service", o->user ? "user-" : "");
        STRV_FOREACH(name, names) {
                r = strv_extendf(command, "PERF_SESSION=%s", *name);
                if (r < 0)
                        return r;
        }
        /* a session of the system may have the same name */
        return o->user ? strv_extendf(command, "_UID=%u", (unsigned) getuid()) : 0;
}

int journalctl_command(const ClientOptions *o, char *const *names, char *const *more, char ***ret) {
        _cleanup_strv_free_ char **command = NULL;
        int r = strv_extend(&command, "journalctl");

        if (r >= 0 && o->machine)
                r = strv_extendf(&command, "--machine=%s", o->machine);
        if (r >= 0)
                r = journalctl_add_matches(o, names, &command);
        if (r >= 0)
                r = strv_extend_strv(&command, more);
        if (r < 0)
                return r;
        *ret = steal_ptr(command);
        return 0;
}

/* journalctl writes to a pipe, but its output goes on to this terminal. */
static void journalctl_set_environment(void) {
        const Terminal *terminal = terminal_get();
        char columns[16];

        (void) setenv("SYSTEMD_COLORS", terminal->colour ? "1" : "0", 1);
        if (terminal->columns > 0) {
                (void) snprintf(columns, sizeof(columns), "%u", terminal->columns);
                (void) setenv("COLUMNS", columns, 1);
        }
}

typedef struct JournalctlStart {
        char *const *command;
        int output_fd;
} JournalctlStart;

static void journalctl_exec(void *userdata) {
        const JournalctlStart *start = userdata;

        journalctl_set_environment();
        (void) dup2(start->output_fd, STDOUT_FILENO);
        (void) execvp(start->command[0], start->command);
}

static int journalctl_spawn(char **command, FILE **ret_output, pid_t *ret) {
        int pipe_fds[2];
        FILE *output;
        pid_t pid;

        if (pipe2(pipe_fds, O_CLOEXEC) < 0)
                return -errno;
        pid = child_start(journalctl_exec, &(JournalctlStart) { .command = command, .output_fd = pipe_fds[1] });
        (void) close(pipe_fds[1]);
        output = pid > 0 ? fdopen(pipe_fds[0], "r") : NULL;
        if (!output) {
                (void) close(pipe_fds[0]);
                return pid < 0 ? pid : -ENOMEM;
        }
        *ret_output = output;
        *ret = pid;
        return 0;
}

int journalctl_run(char **command) {
        _cleanup_fclose_ FILE *output = NULL;
        bool first = true;
        pid_t pid = 0;
        int c, r;

        if (fflush(stdout) != 0)
                return -errno;
        r = journalctl_spawn(command, &output, &pid);
        if (!output)
                return r;
        while ((c = getc(output)) != EOF) {
                if (first)
                        (void) putchar('\n');
                first = false;
                (void) putchar(c);
        }
        r = child_wait(pid, NULL);
        return r >= 0 || r == -EPROTO ? 0 : r;
}
