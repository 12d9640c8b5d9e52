/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>
#include "array.h"

/* Text that is put together by the gigabyte: it grows, or goes on to a file when it is long. Zero-initialise. Once
 * memory or the file fails, everything else is dropped, and error has the reason. */
typedef struct TextBuffer {
        char *data;
        size_t n, allocated; /* n can become 0 whenever something is put, if there is a file */
        FILE *file; /* NULL: it grows */
        int error;  /* a negative errno */
} TextBuffer;

#define TEXT_BUFFER_FLUSH ((size_t) 256 << 10) /* bytes that are written at once */

void text_buffer_done(TextBuffer *b);
/* Writes what there is to the file. Returns the error of all so far. */
int text_buffer_flush(TextBuffer *b);

/* The part of text_buffer_room() for a buffer that is full. */
char *text_buffer_make_room(TextBuffer *b, size_t n);

/* Returns where n bytes can be put, whose number is then to be added to b->n; NULL after an error. */
static inline char *text_buffer_room(TextBuffer *b, size_t n) {
        return b->data && b->allocated - b->n >= n && b->error == 0 ? b->data + b->n : text_buffer_make_room(b, n);
}

static inline void text_buffer_put(TextBuffer *b, const char *text, size_t n) {
        char *p = text_buffer_room(b, n);

        if (p) {
                memcpy(p, text, n);
                b->n += n;
        }
}

static inline void text_buffer_puts(TextBuffer *b, const char *text) {
        text_buffer_put(b, text, strlen(text));
}

static inline void text_buffer_putc(TextBuffer *b, char c) {
        text_buffer_put(b, &c, 1);
}

/* Numbers, behind as many blanks as make them that wide; text, too. */
void text_buffer_decimal(TextBuffer *b, uint64_t number, unsigned width);
void text_buffer_hex(TextBuffer *b, uint64_t number, unsigned width);
void text_buffer_padded(TextBuffer *b, const char *text, unsigned width);
/* Puts valid UTF-8 as a string of JSON (RFC 8259), with its quotes. Characters that would change a terminal or the order of text
 * are escaped. */
void text_buffer_json(TextBuffer *b, const char *text);
/* "1,234,567" */
void text_buffer_grouped(TextBuffer *b, uint64_t number);
/* A span in nanoseconds, with three digits that count: "1.60 ms", "81.2 s", "2 min 5 s", "3 h 7 min". */
void text_buffer_span(TextBuffer *b, uint64_t nsec);
/* With zeros in front instead. */
void text_buffer_digits(TextBuffer *b, uint64_t number, unsigned digits);
void text_buffer_format(TextBuffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
