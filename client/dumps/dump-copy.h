/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Copies of dumps. A copy at a path is complete, or does not exist. */

/* Copies the whole open file, from its beginning, to a descriptor: a file, a pipe, a terminal. */
int dump_copy_to_fd(int from, int to);

/* Copies to the file path, with the extended attributes that describe the dump if the file system supports them. An existing
 * file is replaced. */
int dump_copy_to_file(int from, const char *path);

/* The same with the symbols of a directory at the end of the copy (symbols-bundle.h), behind which are the facts of the dump. */
int dump_copy_to_bundle(int from, const char *symbols, const char *path);

/* Copies a directory of symbols to path. An existing directory is replaced. -ENOENT: there is no directory to copy. */
int dump_copy_symbols(const char *from, const char *path);
