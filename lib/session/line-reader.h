/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The lines of a text that people wrote, each checked before anybody looks at it: no NUL byte, no control character
 * but the tab, valid UTF-8, and not longer than LINE_SIZE_MAX. A byte-order mark at the start is skipped. */

#define TEXT_SIZE_MAX (1024 * 1024) /* bytes of a file */
#define LINE_SIZE_MAX (64 * 1024)   /* bytes, continuations included */

typedef struct LineReader {
        const char *next, *end;
        unsigned line; /* of the line last answered, from 1 */
} LineReader;

void line_reader_init(LineReader *r, const char *text, size_t size);

/* 1: a line, without its end (\n or \r\n), within the text; 0: the end; -EINVAL, -E2BIG with d filled, the content
 * never quoted. */
int line_reader_next(LineReader *r, const char **ret, size_t *ret_size, Diagnosis *d);

/* NULL if s is such a line, else what is wrong with it. */
const char *line_complaint(const char *s, size_t size);
