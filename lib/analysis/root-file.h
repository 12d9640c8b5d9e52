/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Opens a regular file to be read, its path as seen from root (a directory; "" is "/"): links lead no further than
 * root, whoever made them. Descriptor; -EBADFD: no regular file (and nothing was opened, be it a device or a FIFO),
 * what open(2) answers. */
int root_file_open(const char *root, const char *path);

/* Of what found is (O_PATH), a descriptor to be read, if it is a regular file. Errors as above. */
int root_file_reopen(int found);
