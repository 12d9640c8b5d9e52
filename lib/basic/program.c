/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Unlinked files take what the program prints: they can be read as files are, after its end, however much that is. */

#include "program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "fd-file.h"

extern char **environ;

static int spawn(const ProgramRun *run, int output, int errors, pid_t *ret) {
        posix_spawn_file_actions_t actions;
        int r = posix_spawn_file_actions_init(&actions);

        if (r != 0)
                return -r;
        r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (r == 0)
                r = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (r == 0)
                r = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        if (r == 0)
                r = posix_spawnp(ret, run->argv[0], &actions, NULL, run->argv, run->environment ?: environ);
        (void) posix_spawn_file_actions_destroy(&actions);
        return -r;
}

static bool ends_in_time(pid_t pid, usec_t timeout) {
        usec_t now = now_usec(CLOCK_MONOTONIC), end = now + timeout;
        _cleanup_close_ int fd = pidfd_open(pid, 0);
        struct pollfd p = { .fd = fd, .events = POLLIN };

        while (fd >= 0 && now < end) {
                int n = poll(&p, 1, (int) MIN_OF((end - now) / USEC_PER_MSEC + 1, (usec_t) INT32_MAX));

                if (n > 0)
                        return true;
                if (n < 0 && errno != EINTR)
                        return false;
                now = now_usec(CLOCK_MONOTONIC);
        }
        return false;
}

static int await(pid_t pid, usec_t timeout) {
        bool ended = ends_in_time(pid, timeout);
        int status;

        if (!ended)
                (void) kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return -errno;
        if (!ended)
                return -ETIMEDOUT;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -EPROTO;
}

static int read_back(int fd, size_t max, char **ret) {
        _cleanup_free_ char *text = malloc(max + 1);
        ssize_t n;

        if (!text)
                return -ENOMEM;
        n = pread(fd, text, max, 0);
        if (n < 0)
                return -errno;
        text[n] = '\0';
        *ret = steal_ptr(text);
        return 0;
}

int program_run(const ProgramRun *run, char **ret_output) {
        _cleanup_close_ int output = open_memfd("program-output", 0);
        _cleanup_close_ int errors = run->errors ? open_memfd("program-errors", 0) : -EBADF;
        _cleanup_free_ char *text = NULL, *error_text = NULL;
        pid_t pid = 0;
        int r, status;

        if (output < 0 || (run->errors && errors < 0))
                return output < 0 ? output : errors;
        r = spawn(run, output, run->errors ? errors : output, &pid);
        if (r < 0)
                return r;
        status = await(pid, run->timeout);
        if (status < 0)
                return status;
        r = read_back(output, run->output_max, &text);
        if (r >= 0 && run->errors)
                r = read_back(errors, run->output_max, &error_text);
        if (r < 0)
                return r;
        *ret_output = steal_ptr(text);
        if (run->errors)
                *run->errors = steal_ptr(error_text);
        return status;
}
