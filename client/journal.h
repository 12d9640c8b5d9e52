/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "options.h"

/* The command line of journalctl(1) for the messages of sessions, or of the daemon (no names), of the machine that the
 * options name. more, if not NULL, are words that follow it. 0, -ENOMEM. */
int journal_command(const Options *o, char *const *names, char *const *more, char ***ret);

/* Runs it and waits for its end; its output goes where ours goes. */
int journal_run(char **command);
