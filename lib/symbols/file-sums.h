/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Checksums of files that a .gnu_debuglink names, in this process: any number of small programs may name one large file, so each
 * file is read once, as long as it does not change, and there is a limit for all. */
#define FILE_SUM_MAX (UINT64_C(256) << 20) /* bytes of a file that is read … */
#define FILE_SUMS_MAX (UINT64_C(1) << 30)  /* … and of all, unless file_sums_allow() says otherwise */

/* Allows so many bytes from now on. For programs that live long. */
void file_sums_allow(uint64_t bytes);

/* Compares the CRC-32 of IEEE 802.3 of a file. 0: it is the wanted one; -ESTALE: it is another one; -ENODATA: it has a hole, and is
 * not read; -EFBIG: above the limits; and errors of fstat(2), pread(2). */
int file_sum_check(int fd, uint32_t wanted);
