/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* For a process that was forked to do what may take any amount of memory or time with input that others wrote. */

/* Returns the bytes that count as this process's data. Call it before the fork: a sandbox lets a process look at itself only, and
 * not at what it became. 0: not known. */
uint64_t process_data_size(void);

/* Lets this process have at most that many bytes of data, and write no core file. Those that it was forked with are among them, and
 * sanitizers map terabytes: add them. */
void process_limit_memory(uint64_t bytes);

/* Closes all descriptors but these n, at most PROCESS_KEEP_MAX, which become 3, 4, …; 0, 1 and 2 become /dev/null, open for
 * reading, since a sandbox may refuse more. A pager, for one, waits for the end of what is written to it. 0, or a negative
 * errno. */
#define PROCESS_KEEP_MAX 8u
int process_keep_descriptors(const int *fds, size_t n);
