/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "parse-time.h"

/* A program that is run for its output. */
typedef struct ProgramRun {
        char *const *argv;        /* argv[0] is looked up in $PATH unless it has a slash */
        char *const *environment; /* NULL: this process's */
        int input_fd;             /* its standard input; 0: that is empty */
        usec_t timeout;           /* then it is killed */
        size_t output_max;        /* bytes of each output that are kept */
        char **errors;            /* gets its standard error, allocated; NULL: that is part of the output */
} ProgramRun;

/* Runs it and waits for its end. Returns its exit status, with *ret_output allocated;
 * -ENOENT (there is no such program), -ETIMEDOUT, -EPROTO (it was killed by a signal), -ENOMEM, or an error of
 * posix_spawn(3). */
int program_run(const ProgramRun *run, char **ret_output);

/* One that runs. */
typedef struct Program {
        pid_t pid;
        int pidfd; /* readable when it has ended */
        int output_fd, errors_fd;
} Program;

#define PROGRAM_EMPTY { .pidfd = -EBADF, .output_fd = -EBADF, .errors_fd = -EBADF }

/* program_run() in two steps, for callers that do not wait and that keep the timeout themselves. program_end() takes
 * the output and empties *p; -ETIMEDOUT: the program had not ended yet, and was killed. */
int program_begin(const ProgramRun *run, Program *ret);
int program_end(Program *p, const ProgramRun *run, char **ret_output);

void program_done(Program *p); /* kills it if it has not ended */
