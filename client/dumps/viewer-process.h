/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A program that shows a recording, as a child of perfctl. */

/* Holds signals back until the viewer runs and they can be passed on to it, or until they are released, so that temporary files and
 * dumps are removed. */
void viewer_hold_signals(void);
void viewer_release_signals(void);

/* The path of perf-recorder-view. */
const char *viewer_program(void);

/* Runs the viewer and waits for its end. prepare: called in the child before it; a negative errno is reported and ends the
 * child. Returns the exit status; prints errors. */
int viewer_run(char *const *words, int (*prepare)(void *userdata), void *userdata);

/* Returns true if the last viewer was ended by a signal of the user's, such as that of Ctrl-C. */
bool viewer_was_interrupted(void);
