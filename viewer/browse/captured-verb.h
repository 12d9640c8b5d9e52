/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"
#include "text-buffer.h"

/* A verb of this program that runs in a child, with a command line of its own, while its output is read here. The child begins from
 * what this process is, inside the same sandbox: it has no terminal and no descriptor of this process but the recordings'. No other
 * thread may run here when it starts. Zero-initialise. */
typedef struct CapturedVerb {
        TextBuffer text;   /* what it printed so far */
        TextBuffer errors; /* once it has ended: what it printed on standard error */
        bool cut;          /* it printed more than CAPTURED_TEXT_MAX, and was ended */
        int status;        /* once it has ended: its exit status, or a negative errno: -EPROTO: a signal killed it */
        pid_t pid;         /* the rest is for captured-verb.c; 0: there is no child */
        int fd, errors_fd; /* 0: closed */
} CapturedVerb;

#define CAPTURED_TEXT_MAX ((size_t) 64 << 20)
#define CAPTURED_ERRORS_MAX ((size_t) 64 << 10) /* what follows is left out */

/* Runs the verb, words[0] being its name. inputs: the recordings whose descriptors the words name; NULL: none. 0 or a negative
 * errno. Done after a failure too. */
int captured_verb_start(CapturedVerb *c, int (*run)(int argc, char **argv), char *const *words, const RecordingInputs *inputs);

/* The descriptor that poll(2) waits at for POLLIN before the next read; -EBADF: there is nothing to read any more. */
int captured_verb_fd(const CapturedVerb *c);

/* Takes what there is of the output, a part of it if it is much, and does not wait for more. 1: there may be more; 0: it has ended;
 * -ENOMEM and other errors: it is ended. */
int captured_verb_read(CapturedVerb *c);

/* Ends the child, if it still runs, and drops what it printed. */
void captured_verb_done(CapturedVerb *c);

/* Appends the words by which a verb in a child opens the recordings that are open here. It reads them from their begins, with the
 * same names and symbols. 0, -ENOMEM. */
int captured_verb_add_inputs(const RecordingInputs *inputs, char ***words);
