/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Values of options of the viewer's verbs. */

/* Prints what is wrong with a value. Returns -EINVAL. */
int option_fail(const char *option, const char *value, const char *why);

/* Splits at commas, except for "\,", which is a comma in a word, and calls take for each word; its -EINVAL and -ERANGE are
 * reported. 0, -EINVAL, -ENOMEM. */
int option_list_parse(const char *option, const char *list, int (*take)(void *userdata, const char *word), void *userdata);

/* For it: adds a name to a char **, or of file://FILE the lines, those that are not empty. -ENOMEM, or another error of the file,
 * which was printed. */
int option_list_take_name(void *names, const char *word);
