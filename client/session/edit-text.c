/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text that perfctl edit shows. The text between two marks becomes the file; below them the session's present file is
 * shown for reference. The marks are comments, so a file that contains them by accident still loads. */

#include "edit-text.h"

#include "format-text.h"
#include "strv.h"

#define MARK_ABOVE "### Text between here and the comment below becomes the new file.\n"
#define MARK_BELOW "### Lines below this comment are discarded.\n"

/* Puts "# " before every line. */
static int edit_text_add_as_comments(char **to, const char *text) {
        _cleanup_strv_free_ char **lines = NULL;
        char *joined;

        while (*text) {
                size_t n = strcspn(text, "\n");
                int r = strv_extendf(&lines, "#%s%.*s\n", n > 0 ? " " : "", (int) n, text);

                if (r < 0)
                        return r;
                text += n + (text[n] == '\n');
        }
        joined = strv_join(lines, "");
        if (!joined)
                return -ENOMEM;
        *to = joined;
        return 0;
}

char *edit_text_make(const char *target, const char *text, const char *reference) {
        _cleanup_free_ char *comments = NULL;

        if (reference && edit_text_add_as_comments(&comments, reference) < 0)
                return NULL;
        return format_text("### Editing %s\n%s\n%s\n\n%s\n%s", target, MARK_ABOVE, text ?: "", MARK_BELOW, comments ?: "");
}

char *edit_text_strip(char *s) {
        char *above = strstr(s, MARK_ABOVE), *below = strstr(s, MARK_BELOW), *line;
        size_t n;

        if (below)
                *below = '\0';
        if (above && (!below || above < below))
                s = above + strlen(MARK_ABOVE);
        line = s;
        while (*(s += strspn(s, " \t")) == '\n')
                line = ++s;
        s = *s ? line : s; /* keeps the first line's blanks */
        n = strlen(s);
        while (n > 0 && strchr(" \t\n", s[n - 1]))
                n--;
        if (n > 0) { /* keeps the newline of the last line */
                s[n + (s[n] == '\n')] = '\0';
                return s;
        }
        *s = '\0';
        return s;
}
