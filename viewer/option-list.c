/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Errors of the command line are printed where the option's name is known, in one form. */

#include "option-list.h"

#include <stdio.h>

int option_fail(const char *option, const char *value, const char *why) {
        (void) fprintf(stderr, "--%s: %s: '%s'\n", option, why, value);
        return -EINVAL;
}

int option_list_parse(const char *option, const char *list, int (*take)(void *userdata, const char *word), void *userdata) {
        _cleanup_free_ char *copy = strdup(list);
        char *rest, *word;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        for (word = strtok_r(copy, ",", &rest); r >= 0 && word; word = strtok_r(NULL, ",", &rest)) {
                r = take(userdata, word);
                if (r == -EINVAL || r == -ERANGE)
                        return option_fail(option, word, "not a value of this option");
        }
        return r;
}
