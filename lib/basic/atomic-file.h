/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "cleanup.h"

/* A file that is written whole or not at all: it is written under a temporary name in the same directory (O_TMPFILE is
 * not used, since linkat(2) cannot replace a file), synced, and renamed over the target; then the directory is
 * synced. */
typedef struct AtomicFile {
        int dir_fd;
        int fd;          /* write here */
        char *name;      /* within dir_fd */
        char *temporary; /* ".#NAME.XXXXXX" within dir_fd */
        bool unsynced;   /* may be set until the commit: then the file may not be whole after a power failure */
} AtomicFile;

#define ATOMIC_FILE_EMPTY { .dir_fd = -EBADF, .fd = -EBADF }

/* Opens beside dir_fd/name (dir_fd is duplicated; AT_FDCWD is fine). Links are not followed: the name is replaced. */
int atomic_file_open(AtomicFile *f, int dir_fd, const char *name, mode_t mode);
int atomic_file_commit(AtomicFile *f); /* 0: the new file has replaced the old one; on failure the old one stays; f is empty now */
void atomic_file_done(AtomicFile *f);  /* removes the temporary file, unless it was committed */

int write_file_atomic(int dir_fd, const char *name, mode_t mode, const void *data, size_t size);
