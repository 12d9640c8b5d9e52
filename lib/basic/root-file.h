/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A path as seen from root (a directory; "" is "/"): links lead no further than root, whoever made them. */

/* What is there, as a descriptor that only names it (O_PATH): nothing is opened. What openat2(2) answers; -ENOSYS: a
 * sandbox forbids that call, which the machine's own root ("") does without. */
int root_file_find(const char *root, const char *path);
int root_file_find_at(int root_fd, const char *path);

/* A descriptor to read what was found, if it is a regular file of a file system that stores files. -EBADFD: it is not, and
 * nothing was opened, be it a device, a FIFO or one of /proc; what open(2) answers. */
int root_file_reopen(int found);

/* The two of them. */
int root_file_open(const char *root, const char *path);
