/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* A program that perfctl runs beside itself on its own terminal: a viewer, a pager, an editor. One that is run for its
 * output is a Program of lib/basic. */

/* Runs in the child, and does not return: it executes another program, or exits with _exit(2). */
typedef void (*ChildFunction)(void *userdata);

/* Forks a child that runs the function; what was printed so far is written before. Returns its PID, or a negative errno. */
pid_t child_start(ChildFunction run, void *userdata);

/* Executes words[0], which is looked up in $PATH. If that fails, prints the reason and exits with this status. */
_Noreturn void child_exec(char *const *words, int status);

/* Waits for its end. Returns its exit status, or a negative errno; -EPROTO: a signal killed it, whose number *ret_signal
 * gets. ret_signal may be NULL. */
int child_wait(pid_t pid, int *ret_signal);

/* Both, for a child whose PID nobody needs. */
int child_run(ChildFunction run, void *userdata);
