/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>
#include "lendings.h"
#include "parse-time.h"
#include "reader.h"

/* The recording that a verb looks at. It is opened first, then the process restricts itself, and only then the first byte is
 * read. */
typedef struct RecordingInput {
        const char *path;
        char *name; /* in messages: one line, without control characters */
        int fd;
        time_t changed;
        usec_t triggered; /* a dump, since the epoch; 0: it does not say */
        bool incident; /* a dump whose trigger is one, see trigger_is_incident() */
        Lendings lent; /* a dump, of the time that is looked at (recording-lendings.h) */
        char *session; /* a dump, with the boot: dumps of one may hold the same samples; NULL: it does not say */
        char *symbols; /* the path of the directory of symbols; NULL: none */
        bool symfs;    /* the user named it */
        struct SymbolsBundle *bundle; /* symbols at its end, in place of such a directory; NULL: none */
        PerfDataReader *reader;
} RecordingInput;

#define RECORDING_INPUT_EMPTY { .fd = -EBADF }

void recording_input_done(RecordingInput *in);

/* The three steps. Each prints what went wrong. 0 or a negative errno.
 * path: NULL: perf.data; "-": standard input; "&NUMBER": a descriptor that the caller opened, "&NUMBER,DIRECTORY": with the symbols
 * beside it. name: NULL: that of the path. symfs: NULL: the directory beside the path. */
int recording_input_open(RecordingInput *in, const char *path, const char *name, const char *symfs);
int recording_input_restrict(const RecordingInput *in);
int recording_inputs_restrict(const RecordingInput *inputs, size_t n, unsigned flags); /* one at least; SandboxFlags */
/* Events without a name in the recording get the one that follows from their attributes, if any does. */
int recording_input_read(RecordingInput *in);

/* Says on standard error which part of a recording could not be read: its end is missing, or the walk over its records, whose
 * result is read, met ones that are broken or of unknown types. Returns whether there is one. */
bool recording_input_report_damage(const RecordingInput *in, int read);

/* Prints "Failed to WHAT NAME: ...", behind what is on standard output. Returns r. */
int recording_input_fail(const RecordingInput *in, const char *what, int r);
