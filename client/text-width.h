/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Columns that UTF-8 text takes on a terminal, without a locale: East Asian wide characters two, combining marks none.
 * A byte that is not UTF-8 counts as one. */
size_t text_width(const char *s);

/* The text cut to at most so many columns (1 and more), its end replaced by "…" (utf8) or "..." where it was cut. A
 * new string, or NULL without memory. */
char *text_ellipsize(const char *s, size_t columns, bool utf8);

/* A copy of the whole string by utf8_line(): nothing in it can steer a terminal or break a line. NULL without memory. */
char *text_sanitize(const char *s);
