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

/* A field of an object that has a line of its own. */
typedef struct RecordField {
        const char *key;
        enum { RECORD_TEXT, RECORD_NUMBER, RECORD_INT, RECORD_BOOL } kind; /* char *, uint64_t, 0 to INT32_MAX, bool */
        size_t offset;
} RecordField;

void session_record_put_field(FILE *f, const RecordField *field, const void *object);
int session_record_get_field(const SessionRecord *r, const RecordField *field, void *object); /* 0 or -ENOMEM */

void session_record_put_text(FILE *f, const char *key, const char *value);  /* NULL: nothing */
void session_record_put_number(FILE *f, const char *key, uint64_t value); /* 0: nothing */
