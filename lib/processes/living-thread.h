/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Returns the thread whose directory in /proc shows the memory, root and namespaces of a process: pid, or one that still runs if
 * the first thread has ended. root: the prefix of "/proc". A thread has such a directory, which /proc does not list. */
uint32_t living_thread(const char *root, uint32_t pid);
