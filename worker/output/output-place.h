/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "diagnosis.h"

/* The place of a recording: a directory and a name for files, or a descriptor that takes a stream. */
typedef struct OutputPlace {
        char *shown;       /* as users give it: "perf.data", "-" */
        int dir_fd;
        char *dir;         /* absolute */
        char *base;        /* name in it; NULL for a stream */
        int stream_fd;     /* -EBADF: files */
        bool owns_stream;
} OutputPlace;

#define OUTPUT_PLACE_EMPTY { .dir_fd = -EBADF, .stream_fd = -EBADF }

/* path: as perf record's -o. NULL is perf.data, or standard output if that is a pipe; "-" is standard output; a path
 * of a pipe or a device (/dev/null) takes a stream too. Creates nothing yet, but fails now if the end of the recording
 * would: -EACCES, -EROFS, -EPERM (another user's file in a sticky directory), -EISDIR, -ENOTTY (a terminal), -ENXIO (a
 * pipe without a reader), and the errors of open(2). d has the sentence. */
int output_place_open(OutputPlace *p, const char *path, Diagnosis *d);
void output_place_done(OutputPlace *p);

/* Makes a directory again that was removed while dir_fd was open: no file can be made in that one, even if its path
 * exists. dir_fd then is the new directory (the number stays the same, so that copies of it remain valid). Returns 1,
 * or 0 if the directory was not removed (or this is a stream). Negative: it can't be made, or its path is a link, no
 * directory (-ENOTDIR), another user's (-EPERM), or not writable (-EROFS, -EACCES); dir_fd does not change then. */
int output_place_renew(const OutputPlace *p);

static inline bool output_place_is_stream(const OutputPlace *p) {
        return p->stream_fd >= 0;
}
