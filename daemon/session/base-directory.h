/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "cleanup.h"

/* BASE and what lies in it: BASE/lock, BASE/output, BASE/session-NAME. They are only for root or the user, and are
 * opened relative to descriptors and without following a link below BASE. */

typedef struct BaseDirectory {
        char *path;
        int fd;
        int lock_fd;
        int output_fd; /* the daemon's own lines */
} BaseDirectory;

#define BASE_DIRECTORY_EMPTY { .fd = -EBADF, .lock_fd = -EBADF, .output_fd = -EBADF }

/* Makes it if need be and locks it. -EBUSY: another daemon has it, *ret_owner is its PID (0: not known). */
int base_directory_open(BaseDirectory *b, const char *path, pid_t *ret_owner);
void base_directory_done(BaseDirectory *b);

/* Its path leads nowhere, or to another directory. */
bool base_directory_is_missing(const BaseDirectory *b);
#define BASE_DIRECTORY_MISSING "the base directory %s was removed or moved away: run `perfctl reload' or " \
        "`systemctl reload perf-recorderd' to have it made again"

/* Makes BASE again where its path leads, and locks it; all descriptors keep their numbers. -EROFS: the service's sandbox
 * has no other place to write to. */
int base_directory_make_again(BaseDirectory *b);

/* Opens session-NAME, made if it is not there. */
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
