/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Reads from its files whether a session starts with the daemon, and changes that, as systemctl enable does for units. */

typedef enum FileState {
        FILE_STATE_ENABLED,
        FILE_STATE_DISABLED, /* including an instance of a template without a file of its own */
        FILE_STATE_MASKED,
        FILE_STATE_BAD,      /* the file exists but is unusable */
        _FILE_STATE_MAX,
        _FILE_STATE_INVALID = -EINVAL,
} FileState;

const char *file_state_to_string(FileState s);

/* 0, or -ENOENT, -EINVAL, -ENOMEM as from session_file_load(). */
int file_state_get(const SearchPath *p, const char *name, FileState *ret);

/* A file that was created or removed. */
typedef struct FileChange {
        bool created; /* false: removed */
        char *path;
        char *target; /* target of a new link; NULL: it is a file */
} FileChange;

typedef struct FileChanges {
        FileChange *changes;
        size_t n;
} FileChanges;
void file_changes_done(FileChanges *c);

/* The drop-in with Enabled=, in NAME.session.d of the first directory of the path. */
#define ENABLEMENT_DROP_IN "50-enabled.conf"

/* Makes the session start with the daemon, or not, by files in the first directory of the path: a link to the template for an
 * instance without a file of its own, and a drop-in if the files still say otherwise. Writes nothing if nothing has to change.
 * Appends to changes, even on failure. 0; -ENOENT, -ERFKILL, -EINVAL, -ENOMEM as from session_file_load(); -EBADMSG: the file is
 * bad; -EEXIST: a drop-in with higher precedence says otherwise; or a negative errno from writing. d gets the sentence for all
 * errors but the first four. */
int enablement_set(const SearchPath *p, const char *name, bool enabled, FileChanges *changes, Diagnosis *d);
