/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A directory with all that is in it. No link is followed, and no other file system entered. name is one below parent_fd,
 * or with AT_FDCWD a path. */

/* Bytes on disk; of a file with several names only its share. -ENOENT; -ENOTDIR: a file or a link. */
int directory_tree_usage(int parent_fd, const char *name, uint64_t *ret);

/* Goes on where something can't be removed, and answers the first failure. -ENOENT; -ENOTDIR. */
int directory_tree_remove(int parent_fd, const char *name);
