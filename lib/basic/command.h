/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/resource.h>
#include <sys/types.h>
#include "cleanup.h"

/* The command that is recorded or counted: it is forked, and waits on a pipe until the events are open; then it execs. */
typedef struct Command {
        pid_t pid;      /* 0: none */
        int pidfd;      /* readable once it has ended */
        int go_fd;      /* a byte written here lets it exec */
        int error_fd;   /* four bytes of errno if the exec failed, otherwise only the end of the pipe */
        bool started;   /* its exec succeeded */
        bool ended;
        bool terminated; /* by command_end(), since it had not ended by itself */
        int exec_error; /* positive errno; 0: none */
        int status;     /* as of wait(2), once ended … */
        struct rusage usage; /* … and of wait4(2) */
} Command;

#define COMMAND_EMPTY { .pidfd = -EBADF, .go_fd = -EBADF, .error_fd = -EBADF }

/* Checks that execvp(3) would find a program of that name: 0, -ENOENT, -EACCES. */
int command_find(const char *program);

/* stdout_to_stderr: the recording is written to standard output. */
int command_fork(Command *c, char *const *argv, bool stdout_to_stderr);
int command_start(Command *c); /* lets it exec and waits for that; a failed exec is in exec_error too */

/* Sends SIGTERM if it still runs, waits for it, and takes its status. May be called twice. */
void command_end(Command *c);

/* Returns the status with which perf record would exit: that of the command. If the command died of a signal that
 * command_end() did not send: 0, and *ret_signal is that signal; otherwise *ret_signal is not touched. */
int command_exit_status(const Command *c, int *ret_signal);
void command_done(Command *c); /* a command that was never started exits without an exec */
