/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "cleanup.h"

/* Follows the output files of recorders, line by line. */

typedef struct OutputTails OutputTails; /* all of one daemon */
typedef struct OutputTail OutputTail;

typedef struct OutputHandler {
        void (*line)(const char *line, size_t length, void *userdata); /* without its newline */
        void (*skipped)(uint64_t bytes, void *userdata);               /* that came faster than they are read */
        void (*moved)(uint64_t position, void *userdata);              /* everything before was passed on or skipped */
        void *userdata;
} OutputHandler;

int output_tails_new(sd_event *event, OutputTails **ret);
OutputTails *output_tails_free(OutputTails *t); /* after its last tail */
DEFINE_CLEANUP(OutputTails *, output_tails_free);

/* fd: the file, open for reading and writing, which stays open as long as the tail is there. It is emptied when it has grown to
 * 4 MB. position: what was passed on before, in bytes. An error may be one of inotify(7), whose watches and instances are few. */
int output_tail_new(OutputTails *t, int fd, uint64_t position, const OutputHandler *handler, OutputTail **ret);
OutputTail *output_tail_free(OutputTail *t);

/* Passes on what is there, up to half a megabyte, a last line without newline too. */
void output_tail_drain(OutputTail *t);
