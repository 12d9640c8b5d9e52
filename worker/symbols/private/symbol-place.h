/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* Which place in a directory of symbols a binary may have. */

/* The folder's own files have that path, or lie below it, or beside it in a name's place: no binary is put there. */
bool symbol_path_is_reserved(const char *path);

/* Paths that several binaries of a recording have, as in several containers. They stay those of what was mapped. */
typedef struct SharedPaths {
        const char **paths; /* sorted, each once */
        size_t n;
} SharedPaths;

/* One without a path is none. 0 or -ENOMEM. */
int shared_paths_find(SharedPaths *s, const DsoHit *mapped, size_t n);
bool shared_paths_contain(const SharedPaths *s, const char *path);
void shared_paths_done(SharedPaths *s);
