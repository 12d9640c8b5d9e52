/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-folder.h"

/* Names of code that processes made, "tmp/perf-PID.map" in the folder by the number that the dump knows the process
 * by. */
#define SYMBOL_GENERATED_PATH_SIZE 48u
char *symbol_generated_path(uint32_t pid, char ret[static SYMBOL_GENERATED_PATH_SIZE]);

/* What such a file is: the same if it is the same as before. */
typedef struct GeneratedState {
        uint64_t inode, size, time;
} GeneratedState;

/* Opens the perf map of a process. root: what stands before /proc, "" for the real one. -ENOENT: there is none; -EPERM:
 * it is not the process's own; -ESRCH: the process has ended, so whose it is can't be known; -ENOSYS: a sandbox forbids
 * openat2(2); and others. */
int symbol_generated_open(const char *root, uint32_t pid, int *ret_fd, GeneratedState *ret);

/* Copies what of it are symbols. max: bytes. 0; -ENODATA: nothing; -EFBIG, what writing answers. */
int symbol_generated_write(int fd, SymbolFolder *f, const char *path, uint64_t max);
