/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "elf-image.h"
#include "symbol-table.h"

/* Opens the binary itself, at its path below root: -ESTALE: a file is there, but of another build id, or, where no
 * build id is known, of another inode (with_inode: those of dso are root's). */
int symbols_open_binary(const char *root, const DsoHit *dso, bool with_inode);

/* The symbols of an open binary, and where it lacks .symtab those of its separate file below root, found by build id
 * or .gnu_debuglink. 0; -ENOEXEC (no ELF file), -ENOMEM and others. */
int symbols_load_binary(const char *root, const char *path, int fd, SymbolTable *t);

/* The separate file of a binary, of which e is the image. -ENOENT and others: there is none. */
int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e);
