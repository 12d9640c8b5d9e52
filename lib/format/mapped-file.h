/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A file mapped to be read that somebody else may cut in the meantime, which the kernel reports by SIGBUS: what is
 * missing reads as zeros then. The first mapping sets the process's handler of SIGBUS; signals of other memory go to the
 * handler before it. */

#define MAPPED_FILES_MAX 1024u /* at a time; of more, the kernel's signal ends the process */

int mapped_file_open(int fd, size_t size, const void **ret);
void mapped_file_close(const void *data, size_t size);
