/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "dso-hits.h"
#include "elf-image.h"
#include "symbol-table.h"

/* Where a file of symbols is found by its build id below any root, a directory of symbols included: gdb and perf (also
 * below --symfs) look for separate debug files there. buf is filled and returned; an id has 2 bytes and more. */
#define SYMBOLS_ID_DIRECTORY "/usr/lib/debug/.build-id"
#define SYMBOLS_ID_PATH_SIZE (sizeof(SYMBOLS_ID_DIRECTORY) + BUILD_ID_TEXT_SIZE + 8)
char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]);

/* Where a directory of symbols has a file besides, or only there, whose path does not tell which one it is, or which has no
 * build id: by the device, the inode and a digest of the path that the recording has for it. */
#define SYMBOLS_INODE_PATH_SIZE 96u
char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]);

/* Opens the binary itself, at its path below root. -ESTALE: a file is there, but of another build id, or, where no build
 * id is known, of another inode or one that is not known either. */
int symbols_open_binary(const char *root, const DsoHit *dso);

/* Opens what was kept of the binary in a directory of symbols: by its build id, its inode, or its path, of which the one that
 * it was goes to place. -ESTALE: what is there is another one's; a file with a build id is not one whose build id is not known.
 * -ENAMETOOLONG: the path is longer than PATH_MAX. */
int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]);

/* The symbols of an open binary, and where it lacks .symtab those of its separate file below root, found by build id
 * or .gnu_debuglink. 0; -ENOEXEC (no ELF file), -ENOMEM and others. */
int symbols_load_binary(const char *root, const char *path, int fd, SymbolTable *t);

/* The separate file of a binary, of which e is the image. -ENOENT and others: there is none. */
int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e);
