/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "dso-hits.h"
#include "elf-image.h"
#include "symbol-table.h"

/* The path of a file of symbols by its build id, below any root, a directory of symbols included: gdb and perf (also
 * below --symfs) look for separate debug files there. buf is filled and returned; an id has at least 2 bytes. */
#define SYMBOLS_ID_DIRECTORY "/usr/lib/debug/.build-id"
#define SYMBOLS_ID_PATH_SIZE (sizeof(SYMBOLS_ID_DIRECTORY) + BUILD_ID_TEXT_SIZE + 8)
char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]);

/* The path, in a directory of symbols, of a file whose recorded path is ambiguous, or which has no build id: by the
 * device, the inode and a digest of the recorded path. buf is filled and returned. */
#define SYMBOLS_INODE_PATH_SIZE 96u
char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]);

/* Opens the binary itself, at its path below root. -ESTALE: the file there has another build id or, if no build id is
 * known, another inode or an unknown one. */
int symbols_open_binary(const char *root, const DsoHit *dso);

/* Opens the file that a directory of symbols has for the binary: by its inode, its build id, or its path; place gets
 * the path that it had there. -ESTALE: the file there is another one's; a file with a build id never matches a binary
 * without. -ENAMETOOLONG: the path is longer than PATH_MAX. */
int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]);

/* Loads the symbols of an open binary and, if it lacks .symtab, those of its separate file below root, found by build
 * id or .gnu_debuglink. 0; -ENOEXEC (not an ELF file), -ENOMEM and others. */
int symbols_load_binary(const char *root, const char *path, int fd, SymbolTable *t);

/* Opens the separate file of a binary, of which e is the image. -ENOENT and others: there is none. */
int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e);
