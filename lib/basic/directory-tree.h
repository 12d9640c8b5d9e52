/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A directory with all its content. No link is followed, and no other file system entered. name is an entry of
 * parent_fd, or a path with AT_FDCWD. */

/* Returns the bytes on disk; a file with several names counts only for its share. -ENOENT; -ENOTDIR: a file or a link. */
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

/* Removes as much as possible, and returns the first failure. -ENOENT; -ENOTDIR. */
int directory_tree_remove(int parent_fd, const char *name);

/* Opens the directory of the last part of path below root_fd. It walks part by part, so that none leads out: no "..",
 * no "." and no link. path may begin with slashes; ret_name is its last part. made: missing directories are made, of
 * mode 0755 independent of the umask, so that root_fd decides who reaches them, and *made counts them; NULL: none is
 * made. Returns a descriptor; -EINVAL, -ENAMETOOLONG (also for too many parts), -ENOTDIR, and the errors of
 * openat(2). */
#define DIRECTORY_TREE_NAME_SIZE 256u
int directory_tree_open_parent(int root_fd, const char *path, unsigned *made, char ret_name[static DIRECTORY_TREE_NAME_SIZE]);
