/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"
#include "picture-output.h"

/* The frame of a verb that counts samples and writes a file of them. */
typedef struct PictureRun {
        const RecordingNames *inputs;
        NameOptions *names;
        const char *output;
        /* 0; 1: there is nothing to write; a negative errno after an error was printed. */
        int (*draw)(CountedSamples *c, const void *options, PictureOutput *output);
        const void *options;
} PictureRun;

/* Opens all, draws, and says what is missing. Returns the exit status. */
int picture_run(const PictureRun *run);
