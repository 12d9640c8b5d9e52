/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A directory of symbols at the end of a recording, as a ZIP archive: readers of recordings do not look there, and readers of
 * archives look nowhere else. Its files are below "symbols/". */

/* Appends all regular files of the directory to the file, which is the caller's and open for writing; comment is put behind them,
 * at the end of the file. The descriptors stay the caller's. -EFBIG: the file, or one of the directory, is 4 GiB or larger;
 * -E2BIG: there are more than 65534 files, or the comment is longer than 65535 bytes; -ENOMEM and errors of reading and writing. */
int symbols_bundle_append(int fd, int directory_fd, const void *comment, size_t comment_size);

/* The files at the end of a recording that others wrote. */
typedef struct SymbolsBundle SymbolsBundle;

/* fd stays open as long as the bundle. -ENODATA: there is none; -EBADMSG: it is broken; -ENOMEM and errors of pread(2). */
int symbols_bundle_new(int fd, SymbolsBundle **ret);
SymbolsBundle *symbols_bundle_free(SymbolsBundle *b);
DEFINE_CLEANUP(SymbolsBundle *, symbols_bundle_free);

/* Returns a descriptor of the file at that path below "symbols/", in memory. -ENOENT: there is none; -EFBIG: it is too large, or
 * all of them are; -EBADMSG: it is broken; -ENOMEM and others. */
int symbols_bundle_open(SymbolsBundle *b, const char *path);
