/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Errors of the command line are printed where the option's name is known, in one form. */

#include "option-list.h"

#include <stdio.h>

#include "strv.h"

int option_fail(const char *option, const char *value, const char *why) {
        (void) fprintf(stderr, "--%s: %s: '%s'\n", option, why, value);
        return -EINVAL;
}

/* Other backslashes stay, for patterns. */
static void unescape_commas(char *word) {
        char *to = word;

        for (const char *from = word; *from; from++)
                if (*from != '\\' || from[1] != ',')
                        *to++ = *from;
        *to = '\0';
}

int option_list_parse(const char *option, const char *list, int (*take)(void *userdata, const char *word), void *userdata) {
        _cleanup_free_ char *copy = strdup(list);
        char *rest = copy, *word;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        while (r >= 0 && (word = strv_next_of_list(&rest))) {
                unescape_commas(word);
                r = take(userdata, word);
                if (r == -EINVAL || r == -ERANGE)
                        return option_fail(option, word, "not a value of this option");
        }
        return r;
}
