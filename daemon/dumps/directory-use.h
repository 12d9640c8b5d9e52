/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A session's directory has more in it than its dumps: temporary files, the recording that is written or was finished
 * under its plain name, the output. Files of other names are not touched and not counted. */

typedef struct DirectoryUse {
        uint64_t bytes;  /* on disk, of all that is ours and belongs to no dump */
        char *recording; /* a finished recording under its plain name that nothing needs; NULL: none */
        uint64_t recording_bytes;
        bool empty;      /* nobody records there, and nothing is there that anybody could want */
} DirectoryUse;

void directory_use_done(DirectoryUse *u);

/* Removes what a recorder that was killed left half written, unless one is running, and adds up the rest. in_use: there is
 * such a session, so that its last recording stays. */
int directory_use_read(int directory_fd, bool in_use, DirectoryUse *ret);

/* Removes a recording that directory_use_read() named; -EBUSY: somebody has it open. */
int directory_use_remove(int directory_fd, const char *recording);

/* Removes a directory that is empty but for what every session has. */
int directory_use_remove_directory(int base_fd, const char *name, int directory_fd);
