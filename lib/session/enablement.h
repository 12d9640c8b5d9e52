/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Whether a session starts with the daemon, as its files say it, and how that is changed, as systemctl enable changes
 * it for units. */

typedef enum FileState {
        FILE_STATE_ENABLED,
        FILE_STATE_DISABLED, /* also an instance of a template that has no file of its own */
        FILE_STATE_MASKED,
        FILE_STATE_BAD,      /* the file is there and can't be used */
        _FILE_STATE_MAX,
        _FILE_STATE_INVALID = -EINVAL,
} FileState;

const char *file_state_to_string(FileState s);
FileState file_state_from_string(const char *s);

/* 0; -ENOENT, -EINVAL, -ENOMEM as session_file_load() has them. */
int file_state_get(const SearchPath *p, const char *name, FileState *ret);

/* What became of one file. */
typedef struct FileChange {
        bool created; /* else removed */
        char *path;
        char *target; /* of a link that was created; NULL: it is a file */
} FileChange;

typedef struct FileChanges {
        FileChange *changes;
        size_t n;
} FileChanges;
void file_changes_done(FileChanges *c);

/* The drop-in that says Enabled=, in NAME.session.d of the first directory of the path. */
#define ENABLEMENT_DROP_IN "50-enabled.conf"

/* Makes the session one that starts with the daemon, or not, by files of the first directory of the path: a link to the
 * template for an instance that has no file of its own, and a drop-in where the files still say otherwise. Nothing is
 * written where nothing has to change. Appends to changes, on failure too. 0; -ENOENT, -ERFKILL, -EINVAL, -ENOMEM as
 * session_file_load(); -EBADMSG: the file is bad; -EEXIST: a drop-in that counts more says otherwise; else a negative
 * errno of writing. d says what is wrong for all but the first four. */
int enablement_set(const SearchPath *p, const char *name, bool enabled, FileChanges *changes, Diagnosis *d);
