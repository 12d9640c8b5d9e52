/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A file that is mapped to be read while another process may truncate it. The kernel reports that by SIGBUS; the
 * missing part then reads as zeros. The first mapping sets the process's handler of SIGBUS; signals for other memory
 * go to the previous handler. */

#define MAPPED_FILES_MAX 1024u /* at a time; for further ones the kernel's signal ends the process */

int mapped_file_open(int fd, size_t size, const void **ret);
void mapped_file_close(const void *data, size_t size);
