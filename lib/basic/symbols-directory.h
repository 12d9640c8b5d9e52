/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The directory of symbols beside a recording: "symbols.TIME" beside "perf.data.TIME", "symbols" beside "perf.data", and
 * "symbols.NAME" beside any other NAME, so that no pattern for recordings matches it. Until version 0.1 it was
 * "NAME.symfs": such a directory is still found and removed. Files may be given as paths. */

/* The name that a new one gets. A new string, NULL without memory. */
char *symbols_directory_name(const char *file);

/* The one that is there, a directory and no link. -ENOENT: there is none; -ENOMEM. */
int symbols_directory_find(int dir_fd, const char *file, char **ret);

/* Removes it, under either name. 0, also if there is none. */
int symbols_directory_remove(int dir_fd, const char *file);

/* The recording "perf.data.TIME" that a directory of that name belongs to. A new string; NULL: it belongs to none, or
 * there is no memory. */
char *symbols_directory_file(const char *name);
