/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Descriptors do not pass through ssh(1). What needs the dump itself runs on the host that -H names, by the perfctl that
 * is there; what it prints comes back through ssh. */

/* Runs "perfctl WORD..." on o->host, [USER@]HOST[:PORT], with standard output going to the descriptor, and waits. Returns
 * the exit status, and STATUS_FAILED for ssh's 255. */
int remote_run(const ClientOptions *o, char *const *words, int output_fd);

/* The same into a file, which is there only if all went well. */
int remote_copy(const ClientOptions *o, char *const *words, const char *path);
