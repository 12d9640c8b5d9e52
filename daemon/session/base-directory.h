/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "cleanup.h"

/* BASE and its files: BASE/lock, BASE/output, BASE/session-NAME. Only root, or the user, may read them. They are
 * opened relative to descriptors, and no link below BASE is followed. */

typedef struct BaseDirectory {
        char *path;
        int fd;
        int lock_fd;
        int output_fd; /* the daemon's own messages */
} BaseDirectory;

#define BASE_DIRECTORY_EMPTY { .fd = -EBADF, .lock_fd = -EBADF, .output_fd = -EBADF }

/* Makes it unless it exists, and locks it. -EBUSY: another daemon has it, *ret_owner is its PID (0: not known). */
int base_directory_open(BaseDirectory *b, const char *path, pid_t *ret_owner);
void base_directory_done(BaseDirectory *b);

/* Returns true if its path leads nowhere, or to another directory. */
bool base_directory_is_missing(const BaseDirectory *b);
#define BASE_DIRECTORY_MISSING "the base directory %s was removed or moved away: run `perfctl reload' or " \
        "`systemctl reload perf-recorderd' to have it made again"

/* Makes BASE again at its path, and locks it; all descriptors keep their numbers. -EROFS: the service's sandbox
 * does not permit it. */
int base_directory_make_again(BaseDirectory *b);

/* Opens session-NAME, and makes it unless it exists. */
int base_directory_open_session(const BaseDirectory *b, const char *name, int *ret_fd);

/* Opens session-NAME/output for appending; emptied if truncate. */
int session_directory_open_output(int directory_fd, bool truncate, int *ret_fd);

/* Its FIFOs "control" and "ack", each open for both directions, so that neither side ever sees its end. */
typedef struct SessionFifos {
        int control_fd, ack_fd;
} SessionFifos;
#define SESSION_FIFOS_EMPTY { -EBADF, -EBADF }

/* replace: makes new ones, so that nothing is in them; -EISDIR: a directory is in the place of one. */
int session_directory_open_fifos(int directory_fd, bool replace, SessionFifos *ret);
void session_fifos_close(SessionFifos *f);
