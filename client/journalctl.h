/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* The command line of journalctl(1) for the messages of sessions, or of the daemon (no names), of the machine that the
 * options name. more, if not NULL, are words that follow it. 0, -ENOMEM. */
int journalctl_command(const ClientOptions *o, char *const *names, char *const *more, char ***ret);

/* Runs it and waits for its end. Its output, coloured and cut for our terminal, goes where ours goes, after an empty
 * line if there is any. */
int journalctl_run(char **command);
