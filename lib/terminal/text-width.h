/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Columns of UTF-8 text on a terminal, without a locale: East Asian wide characters have two, combining marks none, and a byte
 * that is no UTF-8 one. */
size_t text_width(const char *s);

/* Returns the bytes of the text that fit into so many columns. */
size_t text_prefix(const char *s, size_t columns);

/* A copy of the text, cut to at most columns (1 and more), with "…" (utf8) or "..." at the end if it was cut. words: it is
 * cut behind a word, if one ends in the second half. NULL without memory. */
char *text_ellipsize(const char *s, size_t columns, bool words, bool utf8);

/* A copy of the text, cut to at most columns: what lacks is in its middle, where "…" or "..." is instead. NULL without memory. */
char *text_cut_middle(const char *s, size_t columns, bool utf8);

/* A copy of the string made by utf8_line(), without characters that control a terminal or end a line. NULL without memory. */
char *text_sanitize(const char *s);
