/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strv.h"

/* The directories of perf-recorder's configuration, the highest precedence first. They have perf-recorderd.conf, and session files
 * in sessions.d. The first two are the administrator's or user's own. 0, -ENOMEM, -ENOENT (the user has no home). */
int search_path_roots(bool user, char ***ret);

/* Splits a colon-separated environment variable. 1; 0: it is not set or empty; -ENOMEM. */
int search_path_from_environment(const char *variable, char ***ret);

/* $VARIABLE, otherwise FALLBACK below the home directory. 0, -ENOMEM, -ENOENT. */
int user_directory(const char *variable, const char *fallback, char **ret);
