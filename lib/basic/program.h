/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "parse-time.h"

/* A program that is run for what it prints. */
typedef struct ProgramRun {
        char *const *argv;        /* argv[0] is looked up in $PATH unless it has a slash */
        char *const *environment; /* NULL: ours */
        usec_t timeout;           /* then it is killed */
        size_t output_max;        /* bytes that are kept of each output */
        char **errors;            /* where its standard error goes, a new string; NULL: to the output */
} ProgramRun;

/* Waits for its end; its standard input is empty. Answers its exit status, with *ret_output (a new string) set, or -ENOENT
 * (there is no such program), -ETIMEDOUT, -EPROTO (it was killed by a signal), -ENOMEM, or what posix_spawn(3) answers. */
int program_run(const ProgramRun *run, char **ret_output);

/* One that runs. */
typedef struct Program {
        pid_t pid;
        int pidfd; /* readable when it has ended */
        int output_fd, errors_fd;
} Program;

#define PROGRAM_EMPTY { .pidfd = -EBADF, .output_fd = -EBADF, .errors_fd = -EBADF }

/* program_run() in two steps, for those that do not wait; the timeout is theirs. program_end() takes what the program printed,
 * and empties *p; -ETIMEDOUT: it had not ended yet, and was killed. */
int program_begin(const ProgramRun *run, Program *ret);
int program_end(Program *p, const ProgramRun *run, char **ret_output);

void program_done(Program *p); /* kills it if it has not ended */
