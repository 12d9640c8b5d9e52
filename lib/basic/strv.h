/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* NULL-terminated arrays of strings that own their strings. NULL is the empty array. */

char **strv_free(char **l);
DEFINE_CLEANUP(char **, strv_free);
#define _cleanup_strv_free_ _cleanup_(strv_freep)

size_t strv_length(char *const *l);
bool strv_contains(char *const *l, const char *s);
bool strv_equal(char *const *a, char *const *b);

/* Append a copy of s, s itself (freed on failure too), a formatted string, copies of all of b. 0 or -ENOMEM. */
int strv_extend(char ***l, const char *s);
int strv_consume(char ***l, char *s);
int strv_extendf(char ***l, const char *format, ...) _printf_(2, 3);
int strv_extend_strv(char ***l, char *const *b);

char **strv_copy(char *const *l);                        /* NULL without memory (or for the empty array) */
char *strv_join(char *const *l, const char *separator);  /* NULL without memory; "" for the empty array */
void strv_sort(char **l);

/* Cuts the next word off *rest, a list with commas; "\," is part of a word, which keeps the backslash. Empty words are skipped.
 * Returns NULL after the last one. */
char *strv_next_of_list(char **rest);

#define STRV_FOREACH(s, l) for (__typeof__((l)[0]) *s = (l); s && *s; s++)
