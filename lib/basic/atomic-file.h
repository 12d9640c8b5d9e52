/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "cleanup.h"

/* A file that is there whole or not at all: written under a temporary name in the same directory (O_TMPFILE is not
 * used: linkat(2) cannot replace), synced, renamed over the target, the directory synced. */
typedef struct AtomicFile {
        int dir_fd;
        int fd;          /* write here */
        char *name;      /* within dir_fd */
        char *temporary; /* ".#NAME.XXXXXX" within dir_fd */
        bool unsynced;   /* may be set until the commit: whole to all that live on, not after a power cut */
} AtomicFile;

#define ATOMIC_FILE_EMPTY { .dir_fd = -EBADF, .fd = -EBADF }

/* Opens beside dir_fd/name (dir_fd is duplicated; AT_FDCWD is fine). Links are not followed: the name is replaced. */
int atomic_file_open(AtomicFile *f, int dir_fd, const char *name, mode_t mode);
int atomic_file_commit(AtomicFile *f); /* 0: the new file is there; else the old one still is; f is empty now */
void atomic_file_done(AtomicFile *f);  /* without a commit: the temporary goes */

int write_file_atomic(int dir_fd, const char *name, mode_t mode, const void *data, size_t size);
