/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A directory with all that is in it. No link is followed, and no other file system entered. name is one below parent_fd,
 * or with AT_FDCWD a path. */

/* Bytes on disk; of a file with several names only its share. -ENOENT; -ENOTDIR: a file or a link. */
int directory_tree_usage(int parent_fd, const char *name, uint64_t *ret);

/* One file in it: those of two trees with the same inode are one file, where the trees are on one file system. */
typedef struct TreeFile {
        uint64_t inode;
        uint64_t bytes; /* on disk, whatever other names it has */
} TreeFile;

#define DIRECTORY_TREE_FILES_MAX 65536u

/* The usage, and its files: an array that the caller frees. ret_directories: bytes of the directories, which are never
 * shared. -E2BIG: more than DIRECTORY_TREE_FILES_MAX files; -ENOMEM; as directory_tree_usage(). */
int directory_tree_files(int parent_fd, const char *name, uint64_t *ret_usage, uint64_t *ret_directories, TreeFile **ret,
                         size_t *ret_n);

/* Goes on where something can't be removed, and answers the first failure. -ENOENT; -ENOTDIR. */
int directory_tree_remove(int parent_fd, const char *name);

/* The directory below root_fd that the last part of path is in, part by part, so that none leads out: no "..", no "." and no
 * link. path may begin with slashes; ret_name is its last part. made: directories that are missing are made, of mode 0755
 * whatever the umask is, so that root_fd says who reaches them, and counted there; NULL: none is. Descriptor; -EINVAL,
 * -ENAMETOOLONG (also of too many parts), -ENOTDIR, what openat(2) answers. */
#define DIRECTORY_TREE_NAME_SIZE 256u
int directory_tree_open_parent(int root_fd, const char *path, unsigned *made, char ret_name[static DIRECTORY_TREE_NAME_SIZE]);
