/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "dso-hits.h"
#include "elf-image.h"

/* The path of a file of symbols by its build id, below any root, a directory of symbols included: gdb and perf (also
 * below --symfs) look for separate debug files there. buf is filled and returned; an id has at least 2 bytes. */
#define SYMBOLS_ID_DIRECTORY "/usr/lib/debug/.build-id"
#define SYMBOLS_ID_PATH_SIZE (sizeof(SYMBOLS_ID_DIRECTORY) + BUILD_ID_TEXT_SIZE + 8)
char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]);

/* The same for that place and the further ones at which files are by their build ids, from 0 on. Returns false behind the last. */
bool symbols_id_place(const BuildId *id, size_t i, char buf[static SYMBOLS_ID_PATH_SIZE]);

/* The path, in a directory of symbols, of a file whose recorded path is ambiguous, or which has no build id: by the
 * device, the inode and a digest of the recorded path. buf is filled and returned. */
#define SYMBOLS_INODE_PATH_SIZE 96u
char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]);

/* Opens the binary itself, at its path below root; the vdso, which has no file, is this process's. -ESTALE: the file there
 * has another build id or, if no build id is known, another inode or an unknown one. */
int symbols_open_binary(const char *root, const DsoHit *dso);

/* Opens the file that a directory of symbols has for the binary: by its inode, its build id, or its path; place gets
 * the path that it had there. -ESTALE: the file there is another one's; a file with a build id never matches a binary
 * without. -ENAMETOOLONG: the path is longer than PATH_MAX. */
int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]);
/* The same for one of these places, of which there are that many. */
extern const size_t symbols_kept_places;
int symbols_open_kept_at(const char *directory, const DsoHit *dso, size_t i, char place[static PATH_MAX]);

/* Opens the file at that path if it has that build id; size 0: if it has none. -ESTALE: it has another one. */
int symbols_open_checked(const char *root, const char *path, const BuildId *wanted);

/* Opens the separate file of that build id. -ENOENT and others: there is none. */
int symbols_open_by_id(const char *root, const BuildId *id);

/* True if it is an ELF file without .symtab: only functions that it exports have names. */
bool symbols_are_stripped(int fd);
