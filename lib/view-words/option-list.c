/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Errors of the command line are printed where the option's name is known, in one form. */

#include "option-list.h"

#include <limits.h>
#include <stdio.h>

#include "fd-file.h"
#include "strv.h"
#include "utf8.h"

#define LIST_SIZE_MAX ((size_t) 1 << 20) /* of a file of names */

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

int option_list_take_name(void *names, const char *word) {
        const char *path = startswith(word, "file://");
        _cleanup_free_ char *text = NULL;
        char *rest, *line;
        int r;

        if (!path)
                return strv_extend(names, word);
        r = read_file(path, LIST_SIZE_MAX, &text, NULL);
        for (line = r >= 0 ? strtok_r(text, "\n", &rest) : NULL; r >= 0 && line; line = strtok_r(NULL, "\n", &rest)) {
                _cleanup_free_ char *name = utf8_line(line, SIZE_MAX, PATH_MAX);

                r = name ? strv_extend(names, name) : -ENOMEM;
        }
        if (r < 0)
                (void) fprintf(stderr, "Failed to read the list %s: %s\n", path, strerror(-r));
        return r == -EINVAL || r == -ERANGE ? -EIO : r; /* or it is reported again */
}
