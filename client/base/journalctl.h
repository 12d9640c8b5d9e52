/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Makes the command line of journalctl(1) for the messages of sessions, or of the daemon if there are no names, on the machine
 * that the options name. The words in more, unless NULL, are appended. 0, -ENOMEM. */
int journalctl_command(const ClientOptions *o, char *const *names, char *const *more, char ***ret);

/* Runs the command and waits for its end. Its output, coloured and cut for this terminal, goes to standard output, after an
 * empty line unless there is none. */
int journalctl_run(char **command);
