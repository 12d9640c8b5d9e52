/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Descriptors cannot pass through ssh(1). So verbs that need the dump itself run perfctl on the host that -H names, and its
 * output comes back through ssh. */

/* Runs "perfctl WORD..." on o->host, [USER@]HOST[:PORT], with standard output going to the descriptor, and waits. Returns
 * the exit status, and STATUS_FAILED for ssh's 255. */
int remote_run(const ClientOptions *o, char *const *words, int output_fd);

/* Does the same on this terminal, which perfctl on the host has for its own then, with its pager. */
int remote_run_on_terminal(const ClientOptions *o, char *const *words);

/* Does the same with output to a file, which exists only after success. */
int remote_copy(const ClientOptions *o, char *const *words, const char *path);
