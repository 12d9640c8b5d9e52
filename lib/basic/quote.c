/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words and the line of text that they come from. Of a POSIX shell's rules, only those for quotes and backslashes
 * apply: '…' takes all characters as they are, in "…" a backslash escapes ", \, $, ` and a newline, and outside of
 * quotes a backslash escapes any character. Nothing is expanded: $, *, ~ and ; are ordinary characters. split_words()
 * parses all words of quote_words() as they were. split_names() has no escapes: names of units contain backslashes. */

#include "quote.h"
#include "strv.h"

#define BLANKS " \t\n\r"

/* Takes one word from *s on, which is not blank; *s is moved behind it. word is as large as the whole input. */
static int split_one(const char **s, bool escapes, char *word) {
        char quote = '\0';
        const char *p = *s;

        for (; *p; p++) {
                if (quote == '\0' && strchr(BLANKS, *p))
                        break;

                if (*p == quote)
                        quote = '\0';
                else if (quote == '\0' && (*p == '\'' || *p == '"'))
                        quote = *p;
                else if (escapes && *p == '\\' && quote != '\'' && p[1] == '\0')
                        return -EINVAL;
                else if (escapes && *p == '\\' && (quote == '\0' || (quote == '"' && strchr("\"\\$`\n", p[1]))))
                        *word++ = *++p;
                else
                        *word++ = *p;
        }
        if (quote != '\0')
                return -EINVAL;

        *word = '\0';
        *s = p;
        return 0;
}

static int split_line(const char *s, bool escapes, size_t max_words, char ***ret) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *word = malloc(strlen(s) + 1);

        if (!word)
                return -ENOMEM;

        for (size_t n = 0;; n++) {
                int r;

                s += strspn(s, BLANKS);
                if (*s == '\0')
                        break;
                if (n >= max_words)
                        return -E2BIG;
                r = split_one(&s, escapes, word);
                if (r < 0)
                        return r;
                r = strv_extend(&words, word);
                if (r < 0)
                        return r;
        }

        *ret = steal_ptr(words);
        return 0;
}

int split_words(const char *s, size_t max_words, char ***ret) {
        return split_line(s, true, max_words, ret);
}

int split_names(const char *s, size_t max_words, char ***ret) {
        return split_line(s, false, max_words, ret);
}

/* Writes word at to, in '…' if needed, and returns its end: at most 4 bytes for each of the word's and 2 more. */
static char *quote_one(char *to, const char *word) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

        if (*word != '\0' && word[strspn(word, plain)] == '\0')
                return stpcpy(to, word);
        *to++ = '\'';
        for (; *word; word++)
                if (*word == '\'')
                        to = stpcpy(to, "'\\''");
                else
                        *to++ = *word;
        *to++ = '\'';
        *to = '\0';
        return to;
}

char *quote_words(char *const *words) {
        size_t size = 1;
        char *line, *end;

        STRV_FOREACH(w, words)
                size += 4 * strlen(*w) + 3;

        line = malloc(size);
        if (!line)
                return NULL;

        end = line;
        *end = '\0';
        STRV_FOREACH(w, words) {
                if (w != words)
                        *end++ = ' ';
                end = quote_one(end, *w);
        }
        return line;
}
