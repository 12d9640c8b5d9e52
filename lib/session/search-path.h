/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strv.h"

/* The directories of perf-recorder's configuration, the highest precedence first: where perf-recorderd.conf is, and
 * sessions.d below. The first two are the administrator's or user's own. 0, -ENOMEM, -ENOENT (a user without a
 * home). */
int search_path_roots(bool user, char ***ret);

/* The elements of a colon-separated environment variable. 1; 0: it is not set or empty; -ENOMEM. */
int search_path_from_environment(const char *variable, char ***ret);

/* $VARIABLE, or else FALLBACK below the home directory. 0, -ENOMEM, -ENOENT. */
int user_directory(const char *variable, const char *fallback, char **ret);
