/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define ID128_SIZE 32u /* hexadecimal digits */
#define BOOT_ID_FILE "/proc/sys/kernel/random/boot_id"

/* Reads a file that is one id, such as machine-id(5) or the kernel's boot id, which has dashes; *ret has none. -EINVAL:
 * it is no id; errors of read_file(). */
int id128_read(const char *path, char **ret);
