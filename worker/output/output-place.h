/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "diagnosis.h"

/* Where a recording goes: a directory and a name for files, or a descriptor that takes a stream. */
typedef struct OutputPlace {
        char *shown;       /* as people know it: "perf.data", "-" */
        int dir_fd;
        char *dir;         /* absolute */
        char *base;        /* name in it; NULL for a stream */
        int stream_fd;     /* -EBADF: files */
        bool owns_stream;
} OutputPlace;

#define OUTPUT_PLACE_EMPTY { .dir_fd = -EBADF, .stream_fd = -EBADF }

/* path: as perf record's -o. NULL is perf.data, or standard output where that is a pipe; "-" is standard output; what
 * exists and is a pipe or a device (/dev/null) takes a stream too. Nothing is created yet, but what would fail at the end
 * of a recording is told now: -EACCES, -EROFS, -EPERM (another's file in a sticky directory), -EISDIR, -ENOTTY (a terminal),
 * -ENXIO (a pipe that nobody reads), what open(2) answers. d has the sentence. */
int output_place_open(OutputPlace *p, const char *path, Diagnosis *d);
void output_place_done(OutputPlace *p);

/* Somebody may have removed the directory while we hold it: then nothing can be made in it, whatever stands at its path now.
 * It is made again there, and dir_fd (the same number, so that all who have it go on) leads to it from now on. 1: that was
 * done, 0: the directory was not removed (or this is a stream). Negative: it can't be made, or what is there is a link, no
 * directory (-ENOTDIR), another user's (-EPERM), or cannot be written to (-EROFS, -EACCES); dir_fd is as it was. */
int output_place_renew(const OutputPlace *p);

static inline bool output_place_is_stream(const OutputPlace *p) {
        return p->stream_fd >= 0;
}
