/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The variables are those of perfctl: SYSTEMD_COLORS, which perfctl sets if its pager shows colours, then NO_COLOR, then TERM. */

#include "share-color.h"

#include "parse-number.h"

#define RED 5.0
#define GREEN 0.5

bool share_colors_wanted(void) {
        const char *e = getenv("SYSTEMD_COLORS"), *term = getenv("TERM");

        if (e) /* a boolean or a number of colours, 16, 256 or 24bit, which means on */
                return parse_boolean(e) != 0;
        return !getenv("NO_COLOR") && !(term && streq(term, "dumb")) && isatty(STDOUT_FILENO) > 0;
}

int share_colors_take(void *colors, const ViewOption *option, const char *value) {
        if (!streq(value, "always") && !streq(value, "never") && !streq(value, "auto"))
                return option_fail(option->name, value, "not always, never or auto");
        *(bool *) colors = streq(value, "auto") ? share_colors_wanted() : streq(value, "always");
        return 0;
}

const char *share_color_begin(double percent, bool colors) {
        return !colors || percent <= GREEN ? "" : percent >= RED ? "\033[31m" : "\033[32m";
}

const char *share_color_end(double percent, bool colors) {
        return !colors || percent <= GREEN ? "" : "\033[m";
}

size_t share_print(double percent, bool colors, FILE *f, const char *before, int width) {
        int n;

        (void) fputs(share_color_begin(percent, colors), f);
        n = fprintf(f, "%s%*.2f%%", before, width, percent);
        (void) fputs(share_color_end(percent, colors), f);
        return n > 0 ? (size_t) n : 0;
}
