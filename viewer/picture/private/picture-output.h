/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"
#include "text-buffer.h"

/* The file that a picture or an export goes to: opened before the process restricts itself, and written when all of it is known.
 * It has its name only once it is whole: until then, and after a failure, what was there stays as it was. */
typedef struct PictureOutput {
        const char *path; /* "-": standard output */
        dev_t dev;        /* of the file that is replaced, as is the next one; 0: there is none */
        ino_t ino;
        int fd;
        int keeper_fd;    /* asks the process that gives the file its name; -EBADF: the file is written in place */
        pid_t keeper;     /* 0: there is none */
} PictureOutput;

#define PICTURE_OUTPUT_EMPTY { .fd = -EBADF, .keeper_fd = -EBADF }

/* Prints what went wrong. 0 or a negative errno. */
int picture_output_open(PictureOutput *o, const char *path);
/* Refuses an output that is one of the recordings. 0; -EINVAL: an error was printed. */
int picture_output_check(const PictureOutput *o, const RecordingInputs *inputs);
/* Writes the file and gives it its name. Prints what went wrong. 0 or a negative errno. */
int picture_output_write(PictureOutput *o, const TextBuffer *text);
/* Reports that there is nothing to write. */
void picture_output_leave(const PictureOutput *o);
void picture_output_done(PictureOutput *o);

/* Returns what is behind the last dot of a path's last part, or "". */
const char *picture_extension(const char *path);
