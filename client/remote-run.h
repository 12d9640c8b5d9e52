/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* Descriptors do not pass through ssh(1). What needs the dump itself runs on the host that -H names, by the perfctl that
 * is there; what it prints comes back through ssh. */

/* The command line of ssh for "perfctl WORD..." on o->host, [USER@]HOST[:PORT]. 0, -ENOMEM, -EOPNOTSUPP: a container of
 * the host. */
int remote_command(const Options *o, char *const *words, char ***ret);

/* Runs it with standard output going to the descriptor, and waits. The exit status, ssh's 255 as STATUS_FAILED. */
int remote_run(const Options *o, char *const *words, int output_fd);

/* The same into a file, which is there only if all went well. */
int remote_copy(const Options *o, char *const *words, const char *path);
