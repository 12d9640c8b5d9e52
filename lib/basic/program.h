/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

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
