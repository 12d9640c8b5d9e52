/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The directory of symbols beside a recording: "symbols.TIME" beside "perf.data.TIME", "symbols" beside "perf.data", and
 * "symbols.NAME" beside any other NAME, so that no pattern for recordings matches it. Until version 0.1 it was
 * "NAME.symfs": such a directory is still found and removed. Files may be given as paths. */

/* Returns the name of a new directory, allocated; NULL without memory. */
char *symbols_directory_name(const char *file);

/* Finds the existing one, which is a directory and no link. -ENOENT: there is none; -ENOMEM. */
int symbols_directory_find(int dir_fd, const char *file, char **ret);

/* Removes it, under either name. 0, also if there is none. */
int symbols_directory_remove(int dir_fd, const char *file);

/* Returns the recording "perf.data.TIME" of a directory of that name, allocated; NULL: it belongs to none, or there is
 * no memory. */
char *symbols_directory_file(const char *name);
