/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Files in a session's directory besides its dumps: temporary files, the recording under its plain name, the
 * output. Files with other names are neither touched nor counted. */

typedef struct DirectoryUse {
        uint64_t bytes;  /* on disk, of our own files that belong to no dump */
        char *recording; /* a finished recording under its plain name that may be removed; NULL: none */
        uint64_t recording_bytes;
        bool empty;      /* no recorder runs there, and there is nothing worth keeping */
} DirectoryUse;

void directory_use_done(DirectoryUse *u);

/* Removes the unfinished files of a killed recorder, unless one is running, and adds up the rest. in_use: the
 * session exists, so its last recording stays. */
int directory_use_read(int directory_fd, bool in_use, DirectoryUse *ret);

/* Removes a recording that directory_use_read() named; -EBUSY: somebody has it open. */
int directory_use_remove(int directory_fd, const char *recording);

/* Removes a directory that has only the files that every session has. */
int directory_use_remove_directory(int base_fd, const char *name, int directory_fd);
