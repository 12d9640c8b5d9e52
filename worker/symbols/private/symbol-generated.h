/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-folder.h"

/* Perf maps: the names of code that processes generate. In the folder they are "tmp/perf-PID.map", with the PID that
 * the dump has. */
#define SYMBOL_GENERATED_PATH_SIZE 48u
char *symbol_generated_path(uint32_t pid, char ret[static SYMBOL_GENERATED_PATH_SIZE]);

/* Facts of such a file; if they are equal, it has not changed. */
typedef struct GeneratedState {
        uint64_t inode, size, time;
} GeneratedState;

/* Opens the perf map of a process. root: the prefix of /proc, "" for the real one. -ENOENT: there is none; -EPERM: it
 * is not the process's own; -ESRCH: the process has exited, so its user is not known; and
 * others. */
int symbol_generated_open(const char *root, uint32_t pid, int *ret_fd, GeneratedState *ret);

/* Copies its symbols. max: bytes. 0; -ENODATA: it has none; -EFBIG, and the errors of writing. */
int symbol_generated_write(int fd, SymbolFolder *f, const char *path, uint64_t max);
