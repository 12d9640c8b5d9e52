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
        CONTROL_REASON,   /* argument: of the end, a line for people; not perf's */
        _CONTROL_WORD_MAX,
        _CONTROL_WORD_INVALID = -EINVAL,
} ControlWord;

const char *control_word_to_string(ControlWord w);

/* One line without its end: the word, and what follows its first blank (NULL: nothing). -EINVAL: no word of ours, or
 * something is glued to it. */
int control_line_parse(const char *line, ControlWord *ret_word, const char **ret_argument);

/* What a word does. A negative answer ends the recording; the word is acknowledged before that. */
typedef int (*ControlHandler)(void *userdata, ControlWord word, const char *argument);

typedef struct ControlPort ControlPort;

/* "fifo:PATH[,PATH]" or "fd:N[,M]". */
int control_port_check_address(const char *address, Diagnosis *d);
int control_port_open(const char *address, Loop *loop, ControlHandler handler, void *userdata, ControlPort **ret, Diagnosis *d);
ControlPort *control_port_free(ControlPort *c);
DEFINE_CLEANUP(ControlPort *, control_port_free);

/* Feeds bytes as they were read: splits them into lines, calls the handler for each, acknowledges. What control_port_open()'s
 * descriptor goes through. */
int control_port_feed(ControlPort *c, const char *data, size_t size);

/* Reads what has come by now, without waiting for the loop's turn; within a handler it does nothing. 0, or the handler's answer. */
int control_port_look(ControlPort *c);

/* Without descriptors, for tests: acknowledgements go to ack_fd (-EBADF: nowhere), which stays the caller's. */
int control_port_new(int ack_fd, ControlHandler handler, void *userdata, ControlPort **ret);
