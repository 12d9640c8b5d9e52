/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browser.h"

/* The options by which another verb selects the samples that a browser shows. */

/* Takes the options out of a command line of report that select samples, or say where names come from: words "--NAME=VALUE", as
 * perfctl writes all options. 0, -ENOMEM. */
int browse_words_take(int argc, char **argv, char ***ret);

/* Puts an option that selects by a name, in place of one before. 0, -ENOMEM. */
int browse_words_set_name(char ***words, const char *option, const char *name);

/* Appends these, and what the browser shows instead of what they have of it. libraries: the verb has --dsos. 0, -ENOMEM;
 * -EOPNOTSUPP: it is a part that the verb has no option for. */
int browse_words_add(const BrowserSubject *subject, char *const *taken, bool libraries, char ***words);
