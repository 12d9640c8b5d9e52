/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/control-words.h>
#include "diagnosis.h"
#include "loop.h"

/* perf record's control protocol: words on one descriptor, "ack\n" on another. */

typedef enum ControlWord {
        CONTROL_ENABLE,   /* argument: an event's name, or NULL for all */
        CONTROL_DISABLE,
        CONTROL_EVLIST,   /* argument: "-v", "-g", "-F" or NULL */
        CONTROL_SNAPSHOT,
        CONTROL_WITHDRAW, /* argument: a snapshot's id, or NULL; not perf's */
        CONTROL_PING,
        CONTROL_STOP,
        CONTROL_HAND_OVER, /* not perf's */
        CONTROL_LEND,     /* argument: the kind of counters, and who gets them; not perf's */
        CONTROL_RETURN,   /* argument: the kind of counters; not perf's */
        CONTROL_REASON,   /* argument: the reason of the end, a line for people; not perf's */
        _CONTROL_WORD_MAX,
        _CONTROL_WORD_INVALID = -EINVAL,
} ControlWord;

/* Parses a line without its end: the word, and the argument after its first blank (NULL: there is none). -EINVAL: no
 * known word. perf takes "enablefoo" for a malformed "enable"; here it is no word, and as with perf it is not
 * acknowledged. */
int control_line_parse(const char *line, ControlWord *ret_word, const char **ret_argument);

/* Handles a word. A negative result ends the recording; the word is acknowledged before that. */
typedef int (*ControlHandler)(void *userdata, ControlWord word, const char *argument);

typedef struct ControlPort ControlPort;

/* "fifo:PATH[,PATH]" or "fd:N[,M]". */
int control_port_check_address(const char *address, Diagnosis *d);
int control_port_open(const char *address, Loop *loop, ControlHandler handler, void *userdata, ControlPort **ret, Diagnosis *d);
ControlPort *control_port_free(ControlPort *c);
DEFINE_CLEANUP(ControlPort *, control_port_free);

/* Feeds bytes as they were read: splits them into lines, calls the handler for each, and acknowledges it. */
int control_port_feed(ControlPort *c, const char *data, size_t size);

/* Reads what has come by now, without waiting for the loop's turn; within a handler it does nothing. Returns 0, or the
 * handler's negative result. */
int control_port_look(ControlPort *c);

/* Makes a port that is only fed, for tests: acknowledgements go to ack_fd (-EBADF: nowhere), which stays the caller's. */
int control_port_new(int ack_fd, ControlHandler handler, void *userdata, ControlPort **ret);
