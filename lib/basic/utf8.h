/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Text of unknown origin as valid UTF-8 (RFC 3629), which the bus, the journal and JSON require: names of files and
 * processes, output of recorders, and all of that cut to a length. A byte that belongs to no character becomes U+FFFD,
 * and no cut splits a character. */

/* Bytes of the character at s, which has size bytes (1 and more; SIZE_MAX: s ends in NUL), its code point in *ret; 0 if
 * there is none. */
size_t utf8_decode(const char *s, size_t size, uint32_t *ret);

/* Bytes of s up to max and up to a character's end, as the precision of "%.*s". */
int utf8_prefix(const char *s, int max);

/* True for control characters (C0, DEL and C1), each of which may begin a control sequence of a terminal, and for those that
 * change the direction of text (embeddings, overrides and isolates). */
bool utf8_is_control(uint32_t c);

/* A copy of s up to its NUL or size bytes (SIZE_MAX: up to its NUL), of at most max bytes. NULL without memory. */
char *utf8_text(const char *s, size_t size, size_t max);

/* The same as one line that can't control a terminal: tabs and line ends become blanks, and the rest of utf8_is_control()
 * becomes "?". */
char *utf8_line(const char *s, size_t size, size_t max);

/* utf8_line() into buf, which has size bytes (1 and more) and ends in NUL. Returns false if s was cut. */
bool utf8_line_to(char *buf, size_t size, const char *s);
