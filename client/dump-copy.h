/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Copies of dumps: whole or not there at all. */

/* All that is in the open file, from its begin, to a descriptor: a file, a pipe, a terminal. */
int dump_copy_to_fd(int from, int to);

/* To the file path, with the extended attributes in which a dump says what it is, where the file system takes them. A file
 * that is there is replaced. */
int dump_copy_to_file(int from, const char *path);

/* The directory of symbols, all that is in it, to path. One that is there is replaced. -ENOENT: there is none. */
int dump_copy_symbols(const char *from, const char *path);
