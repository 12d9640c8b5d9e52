/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program's output goes to unlinked files, which can be read after its end, whatever their size. */

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
        r = run->input_fd > 0 ? posix_spawn_file_actions_adddup2(&actions, run->input_fd, STDIN_FILENO) :
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (r == 0)
                r = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (r == 0)
                r = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        if (r == 0)
                r = posix_spawnp(ret, run->argv[0], &actions, NULL, run->argv, run->environment ?: environ);
        (void) posix_spawn_file_actions_destroy(&actions);
        return -r;
}

static bool ends_in_time(int pidfd, usec_t timeout) {
        usec_t now = now_usec(CLOCK_MONOTONIC), end = now + timeout;
        struct pollfd p = { .fd = pidfd, .events = POLLIN };

        while (now < end) {
                int n = poll(&p, 1, (int) MIN_OF((end - now) / USEC_PER_MSEC + 1, (usec_t) INT32_MAX));

                if (n > 0)
                        return true;
                if (n < 0 && errno != EINTR)
                        return false;
                now = now_usec(CLOCK_MONOTONIC);
        }
        return false;
}

/* -ETIMEDOUT: it had not ended, and was killed. */
static int await(pid_t pid) {
        siginfo_t info = {};
        bool ended = waitid(P_PID, (id_t) pid, &info, WEXITED | WNOHANG | WNOWAIT) >= 0 && info.si_pid == pid;
        int status;

        if (!ended)
                (void) kill(pid, SIGKILL);
        if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
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

void program_done(Program *p) {
        if (p->pid > 0)
                (void) await(p->pid);
        safe_close(p->pidfd);
        safe_close(p->output_fd);
        safe_close(p->errors_fd);
        *p = (Program) PROGRAM_EMPTY;
}

int program_begin(const ProgramRun *run, Program *ret) {
        _cleanup_(program_done) Program p = PROGRAM_EMPTY;
        int r;

        p.output_fd = open_memfd("program-output", 0);
        if (p.output_fd < 0)
                return p.output_fd;
        p.errors_fd = run->errors ? open_memfd("program-errors", 0) : -EBADF;
        if (run->errors && p.errors_fd < 0)
                return p.errors_fd;
        r = spawn(run, p.output_fd, run->errors ? p.errors_fd : p.output_fd, &p.pid);
        if (r < 0) {
                p.pid = 0;
                return r;
        }
        p.pidfd = pidfd_open(p.pid, 0);
        if (p.pidfd < 0)
                return -errno;
        *ret = steal_value(p, (Program) PROGRAM_EMPTY);
        return 0;
}

int program_end(Program *program, const ProgramRun *run, char **ret_output) {
        _cleanup_(program_done) Program p = *program;
        _cleanup_free_ char *text = NULL, *error_text = NULL;
        int r, status;

        *program = (Program) PROGRAM_EMPTY;
        status = await(p.pid);
        p.pid = 0;
        if (status < 0)
                return status;
        r = read_back(p.output_fd, run->output_max, &text);
        if (r >= 0 && run->errors)
                r = read_back(p.errors_fd, run->output_max, &error_text);
        if (r < 0)
                return r;
        *ret_output = steal_ptr(text);
        if (run->errors)
                *run->errors = steal_ptr(error_text);
        return status;
}

int program_run(const ProgramRun *run, char **ret_output) {
        Program p = PROGRAM_EMPTY;
        int r = program_begin(run, &p);

        if (r < 0)
                return r;
        (void) ends_in_time(p.pidfd, run->timeout);
        return program_end(&p, run, ret_output);
}
