/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Splits a command line into words as a shell does for quotes ('…', "…") and backslashes, without any expansion.
 * 0, -EINVAL (an open quote), -E2BIG (more than max_words), -ENOMEM. */
int split_words(const char *s, size_t max_words, char ***ret);

/* The same for names of units and sessions, and patterns of them: a backslash is an ordinary character. */
int split_names(const char *s, size_t max_words, char ***ret);

/* Joins the words by blanks, quoted where a shell needs it, so that split_words() returns the same words. NULL without
 * memory. */
char *quote_words(char *const *words);
