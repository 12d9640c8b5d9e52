/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* The file that a picture goes to: opened before the process restricts itself, and changed only when all of the picture is
 * there. One that is new and stays empty is removed at the end, however this process ends. */
typedef struct PictureOutput {
        const char *path; /* "-": standard output */
        int fd;
        int remover_fd;   /* closed by the end of this process: a process that was forked removes the file then */
        pid_t remover;    /* 0: there is none */
} PictureOutput;

#define PICTURE_OUTPUT_EMPTY { .fd = -EBADF, .remover_fd = -EBADF }

/* Prints what went wrong. 0 or a negative errno. */
int picture_output_open(PictureOutput *o, const char *path);
/* Replaces what the file has. Prints what went wrong. 0 or a negative errno. */
int picture_output_write(PictureOutput *o, const TextBuffer *text);
void picture_output_done(PictureOutput *o);

/* Returns what is behind the last dot of a path's last part, or "". */
const char *picture_extension(const char *path);
