/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A directory with all that is in it. No link is followed, and no other file system entered. name is one below parent_fd,
 * or with AT_FDCWD a path. */

/* Bytes on disk; of a file with several names only its share. -ENOENT; -ENOTDIR: a file or a link. */
int directory_tree_usage(int parent_fd, const char *name, uint64_t *ret);

/* Goes on where something can't be removed, and answers the first failure. -ENOENT; -ENOTDIR. */
int directory_tree_remove(int parent_fd, const char *name);

/* The directory below root_fd that the last part of path is in, part by part, so that none leads out: no "..", no "." and no
 * link. path may begin with slashes; ret_name is its last part. made: directories that are missing are made (mode 0700), and
 * counted there; NULL: none is. Descriptor; -EINVAL, -ENAMETOOLONG (also of too many parts), -ENOTDIR, what openat(2)
 * answers. */
#define DIRECTORY_TREE_NAME_SIZE 256u
int directory_tree_open_parent(int root_fd, const char *path, unsigned *made, char ret_name[static DIRECTORY_TREE_NAME_SIZE]);
