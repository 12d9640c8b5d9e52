/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A path as seen from root (a directory; "" is "/"): no link leads out of root. */

/* Finds the file and returns an O_PATH descriptor: nothing is opened.
 * At most 40 links and ".." are followed. -ELOOP: there are more;
 * -ENAMETOOLONG: the path, or what its links make of it, has PATH_MAX bytes; and the errors of openat(2). */
int root_file_find(const char *root, const char *path);
int root_file_find_at(int root_fd, const char *path);

/* Opens the file that was found to read it, if it is a regular file of a file system that stores files. -EBADFD: it is
 * a device, a FIFO, a file of /proc or the like, and nothing was opened; other errors are those of open(2). */
int root_file_reopen(int found);

/* Does both. */
int root_file_open(const char *root, const char *path);

/* Files below a root that is no directory: root_file_open() has them opened by this function, until the root is removed, which must
 * stay valid. 0, -ENOMEM. */
int root_file_add_root(const char *root, int (*open_file)(void *userdata, const char *path), void *userdata);
void root_file_remove_root(const void *userdata);
