/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One child. Its name is "perf-exec" until its exec, as that of perf's child, so that samples before the exec have the
 * same name. The pipe on which it waits also ends it: if the recorder dies first, it reads the end of the pipe and
 * exits. A failed exec returns errno through a second pipe, which a successful one closes. */

#include "command.h"

#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include "format-text.h"

static _Noreturn void command_run_child(char *const *argv, bool stdout_to_stderr, int go_fd, int error_fd) {
        static const int handled_signals[] = { SIGINT, SIGTERM, SIGUSR2, SIGPIPE, SIGXFSZ };
        sigset_t none;
        int error;
        char byte;

        for (size_t i = 0; i < ELEMENTSOF(handled_signals); i++)
                (void) signal(handled_signals[i], SIG_DFL);
        sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) prctl(PR_SET_NAME, "perf-exec");
        if (stdout_to_stderr)
                (void) dup2(STDERR_FILENO, STDOUT_FILENO);

        if (TEMP_FAILURE_RETRY(read(go_fd, &byte, 1)) != 1)
                _exit(EXIT_SUCCESS);

        (void) execvp(argv[0], argv);
        error = errno;
        (void) TEMP_FAILURE_RETRY(write(error_fd, &error, sizeof(error)));
        _exit(127);
}

/* The child begins with all signals blocked, so that none reaches it while it still has the recorder's handlers. */
static pid_t command_fork_blocked(void) {
        sigset_t all, saved;
        pid_t pid;

        sigfillset(&all);
        (void) sigprocmask(SIG_SETMASK, &all, &saved);
        pid = fork();
        if (pid < 0)
                pid = -errno;
        if (pid != 0)
                (void) sigprocmask(SIG_SETMASK, &saved, NULL);
        return pid;
}

static int command_check_program(const char *path) {
        struct stat st;

        if (stat(path, &st) < 0)
                return -errno;
        return S_ISREG(st.st_mode) && access(path, X_OK) >= 0 ? 0 : -EACCES;
}

int command_find(const char *program) {
        const char *directories = getenv("PATH") ?: "/usr/local/bin:/bin:/usr/bin";

        if (strchr(program, '/'))
                return command_check_program(program);
        while (*program) {
                size_t n = strcspn(directories, ":");
                _cleanup_free_ char *path = format_text("%.*s/%s", (int) n, n > 0 ? directories : ".", program);

                if (!path)
                        return -ENOMEM;
                if (command_check_program(path) >= 0)
                        return 0;
                if (!directories[n])
                        break;
                directories += n + 1;
        }
        return -ENOENT;
}

int command_fork(Command *c, char *const *argv, bool stdout_to_stderr) {
        int go[2] = { -EBADF, -EBADF }, error[2] = { -EBADF, -EBADF };
        pid_t pid;
        int r = 0;

        if (pipe2(go, O_CLOEXEC) < 0)
                return -errno;
        if (pipe2(error, O_CLOEXEC) < 0) {
                r = -errno;
                goto finish;
        }
        pid = command_fork_blocked();
        if (pid < 0) {
                r = (int) pid;
                goto finish;
        }
        if (pid == 0) {
                safe_close(go[1]);
                command_run_child(argv, stdout_to_stderr, go[0], error[1]);
        }
        c->pid = pid;
        c->pidfd = pidfd_open(pid, 0);
        if (c->pidfd < 0)
                r = -errno;
        c->go_fd = steal_fd(&go[1]);
        c->error_fd = steal_fd(&error[0]);
finish:
        for (int i = 0; i < 2; i++) {
                safe_close(go[i]);
                safe_close(error[i]);
        }
        return r;
}

int command_start(Command *c) {
        ssize_t n = write(c->go_fd, "", 1);
        int r = n < 0 ? -errno : 0, error;

        c->go_fd = safe_close(c->go_fd);
        if (r < 0)
                return r;
        n = TEMP_FAILURE_RETRY(read(c->error_fd, &error, sizeof(error))); /* the exec closes the other end */
        c->error_fd = safe_close(c->error_fd);
        if (n == sizeof(error))
                c->exec_error = error;
        c->started = c->exec_error == 0;
        return -c->exec_error;
}

void command_end(Command *c) {
        if (c->pid <= 0 || c->ended)
                return;
        c->go_fd = safe_close(c->go_fd);
        /* A child that has ended is a zombie until it is waited for: no other process can have its PID. */
        if (wait4(c->pid, &c->status, WNOHANG, &c->usage) != c->pid) {
                c->terminated = true;
                (void) kill(c->pid, SIGTERM);
                (void) TEMP_FAILURE_RETRY(wait4(c->pid, &c->status, 0, &c->usage));
        }
        c->ended = true;
}

int command_exit_status(const Command *c, int *ret_signal) {
        if (c->ended && WIFSIGNALED(c->status)) {
                if (!c->terminated || WTERMSIG(c->status) != SIGTERM)
                        *ret_signal = WTERMSIG(c->status);
                return EXIT_SUCCESS;
        }
        return c->ended && WIFEXITED(c->status) ? WEXITSTATUS(c->status) : EXIT_SUCCESS;
}

void command_done(Command *c) {
        command_end(c);
        c->pidfd = safe_close(c->pidfd);
        c->go_fd = safe_close(c->go_fd);
        c->error_fd = safe_close(c->error_fd);
        c->pid = 0;
}
