/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl forks and does not spawn: most children set variables, descriptors or signals for their program first.
 *
 * Invariant: a child never returns to the verb that started it, and never runs exit(3), which would write the parent's
 * buffers a second time. It does not limit how long a child runs: the user sees it and can end it. */

#include "child-process.h"

#include <sys/wait.h>

pid_t child_start(ChildFunction run, void *userdata) {
        pid_t pid;

        (void) fflush(stdout);
        pid = fork();
        if (pid == 0) {
                run(userdata);
                _exit(EXIT_FAILURE);
        }
        return pid < 0 ? -errno : pid;
}

_Noreturn void child_exec(char *const *words, int status) {
        (void) execvp(words[0], words);
        (void) fprintf(stderr, "Failed to run %s: %s\n", words[0], strerror(errno));
        _exit(status);
}

int child_wait(pid_t pid, int *ret_signal) {
        int status;

        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return -errno;
        if (WIFEXITED(status))
                return WEXITSTATUS(status);
        if (ret_signal)
                *ret_signal = WTERMSIG(status);
        return -EPROTO;
}

int child_run(ChildFunction run, void *userdata) {
        pid_t pid = child_start(run, userdata);

        return pid < 0 ? pid : child_wait(pid, NULL);
}
