/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The lines of a text that people wrote. Each is checked before it is used: no NUL byte, no control character except the tab,
 * valid UTF-8, and at most LINE_SIZE_MAX bytes. A byte-order mark at the start is skipped. */

#define TEXT_SIZE_MAX (1024 * 1024) /* bytes of a file */
#define LINE_SIZE_MAX (64 * 1024)   /* bytes, continuations included */

typedef struct LineReader {
        const char *next, *end;
        unsigned line; /* number of the last line that was returned, from 1 */
} LineReader;

void line_reader_init(LineReader *r, const char *text, size_t size);

/* Reads the next line, without its end (\n or \r\n); it points into the text. 1: a line; 0: the end of the text; -EINVAL or -E2BIG
 * with d filled, which never quotes the line. */
int line_reader_next(LineReader *r, const char **ret, size_t *ret_size, Diagnosis *d);

/* NULL if s is such a line, otherwise what is wrong with it. */
const char *line_complaint(const char *s, size_t size);
