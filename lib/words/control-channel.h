/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/control-words.h>
#include "diagnosis.h"

/* perf's control protocol (--control): words on one descriptor, "ack\n" on another. */

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
        CONTROL_WINDOW,   /* argument: a window's id, its begin, and "whole"; not perf's */
        _CONTROL_WORD_MAX,
        _CONTROL_WORD_INVALID = -EINVAL,
} ControlWord;

/* Parses a line without its end: the word, and the argument after its first blank (NULL: there is none). -EINVAL: no
 * known word. perf takes "enablefoo" for a malformed "enable"; here it is no word, and as with perf it is not
 * acknowledged. */
int control_line_parse(const char *line, ControlWord *ret_word, const char **ret_argument);

/* Handles a word. A negative result ends the reading; the word is acknowledged before that. A line that has no known word is
 * handed over as _CONTROL_WORD_INVALID, the whole line as its argument, and is not acknowledged. */
typedef int (*ControlHandler)(void *userdata, ControlWord word, const char *argument);

typedef struct ControlChannel {
        int fd;
        int ack_fd;    /* -EBADF: nothing is acknowledged */
        bool owned;    /* both descriptors are closed with it */
        int ack_error; /* the last failure of an acknowledgement; 0: none */
        ControlHandler handler;
        void *userdata;
        size_t length;
        bool overlong;
        char line[PR_CONTROL_WORD_MAX + 1];
} ControlChannel;

#define CONTROL_CHANNEL_EMPTY { .fd = -EBADF, .ack_fd = -EBADF }

/* "fifo:PATH[,PATH]" or "fd:N[,M]". -EINVAL with d filled. */
int control_channel_check_address(const char *address, Diagnosis *d);

/* Opens an empty channel, whose handler is set. FIFOs are the channel's, descriptors the caller's; both are read without waiting.
 * Errors have d filled. */
int control_channel_open(ControlChannel *c, const char *address, Diagnosis *d);
void control_channel_done(ControlChannel *c);

/* Feeds bytes as they were read: splits them into lines, calls the handler for each, and acknowledges it. Returns 0, or the
 * handler's negative result. */
int control_channel_feed(ControlChannel *c, const char *data, size_t size);

/* Reads what has come and feeds it. 1: the other side is closed, and no more words will come; 0; the handler's negative result. */
int control_channel_read(ControlChannel *c);
