/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* The places in a directory of symbols that binaries may have. */

/* True if the path is that of one of the folder's own files, or above or below one: no binary is put there. */
bool symbol_path_is_reserved(const char *path);

/* The paths that several binaries of a recording share, as in several containers. They are borrowed from the hits. */
typedef struct SharedPaths {
        const char **paths; /* sorted, each once */
        size_t n;
} SharedPaths;

/* Ignores hits without a path. 0 or -ENOMEM. */
int shared_paths_find(SharedPaths *s, const DsoHit *mapped, size_t n);
bool shared_paths_contain(const SharedPaths *s, const char *path);
void shared_paths_done(SharedPaths *s);
