/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>

#include "cleanup.h"

/* A record holds what of a session outlives the daemon, as text in a memfd of the descriptor store: KEY=value lines, values with
 * newlines and backslashes escaped, the last line "end=1", without which the text is not whole. Each part of a session
 * writes and reads its own keys. */

typedef struct RecordLine {
        const char *key, *value;
} RecordLine;

typedef struct SessionRecord {
        char *text; /* what the lines point into */
        RecordLine *lines;
        size_t n_lines;
} SessionRecord;

/* Takes text. -EBADMSG: it is not whole, or has no name. */
int session_record_parse(char *text, SessionRecord *ret);
void session_record_done(SessionRecord *r);

const char *session_record_text(const SessionRecord *r, const char *key);                /* NULL: there is none */
uint64_t session_record_number(const SessionRecord *r, const char *key, uint64_t max); /* 0: none, or it is larger than max */

void session_record_put_text(FILE *f, const char *key, const char *value);  /* NULL: nothing */
void session_record_put_number(FILE *f, const char *key, uint64_t value); /* 0: nothing */
