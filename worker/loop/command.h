/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "loop.h"

/* The command that is recorded: forked, held on a pipe until the events are open, then let go. */
typedef struct Command {
        pid_t pid;      /* 0: none */
        int pidfd;
        int go_fd;      /* a byte here lets it exec */
        int error_fd;   /* four bytes of errno if the exec failed, else just its end */
        bool started;   /* it was let go */
        bool ended;
        bool terminated; /* by us, since it had not ended by itself */
        int exec_error; /* positive errno; 0: none */
        int status;     /* as of wait(2), once ended */
} Command;

#define COMMAND_EMPTY { .pidfd = -EBADF, .go_fd = -EBADF, .error_fd = -EBADF }

/* Whether execvp(3) would find a program of that name: 0, -ENOENT, -EACCES. */
int command_find(const char *program);

/* stdout_to_stderr: standard output is taken by the recording. */
int command_fork(Command *c, char *const *argv, bool stdout_to_stderr);
int command_start(Command *c); /* lets it go and waits for its exec; a failed exec is in exec_error too */

/* Calls handler once when the process has ended. */
int command_watch(Command *c, Loop *loop, LoopHandler handler, void *userdata);

/* SIGTERM if it still runs, waits for it, and takes its status. Fine to call twice. */
void command_end(Command *c);

/* The status to exit with as perf record does: the command's own; a signal that was not ours: 0 with *ret_signal set to it,
 * else that stays as it is. */
int command_exit_status(const Command *c, int *ret_signal);
void command_done(Command *c); /* a command that was never let go just ends */
