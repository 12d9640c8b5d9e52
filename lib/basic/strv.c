/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NULL-terminated arrays of owned strings. The length is not kept: appending walks the array, which is fine for words
 * of a command line or keys of a file, whose numbers their parsers limit, and wrong for anything larger. */

#include "strv.h"

#include <stdarg.h>

#include "array.h"
#include "format-text.h"

char **strv_free(char **l) {
        STRV_FOREACH(s, l)
                free(*s);
        free(l);
        return NULL;
}

size_t strv_length(char *const *l) {
        size_t n = 0;

        STRV_FOREACH(s, l)
                n++;
        return n;
}

bool strv_contains(char *const *l, const char *s) {
        STRV_FOREACH(i, l)
                if (streq(*i, s))
                        return true;
        return false;
}

bool strv_equal(char *const *a, char *const *b) {
        size_t n = strv_length(a);

        return n == strv_length(b) && !ANY_OF(n, i, !streq(a[i], b[i]));
}

int strv_consume(char ***l, char *s) {
        size_t n = strv_length(*l);

        if (!s)
                return -ENOMEM;
        if (ARRAY_RESIZE(*l, n + 2) < 0) {
                free(s);
                return -ENOMEM;
        }
        (*l)[n] = s;
        (*l)[n + 1] = NULL;
        return 0;
}

int strv_extend(char ***l, const char *s) {
        return strv_consume(l, strdup(s));
}

int strv_extendf(char ***l, const char *format, ...) {
        va_list ap;
        char *s;

        va_start(ap, format);
        s = format_text_va(format, ap);
        va_end(ap);
        return strv_consume(l, s);
}

int strv_extend_strv(char ***l, char *const *b) {
        STRV_FOREACH(s, b) {
                int r = strv_extend(l, *s);

                if (r < 0)
                        return r;
        }
        return 0;
}

char **strv_copy(char *const *l) {
        _cleanup_strv_free_ char **copy = NULL;

        if (strv_extend_strv(&copy, l) < 0)
                return NULL;
        return steal_ptr(copy);
}

char *strv_join(char *const *l, const char *separator) {
        size_t separator_size = strlen(separator), size = 1;
        char *joined, *end;

        STRV_FOREACH(s, l)
                size += strlen(*s) + separator_size;

        joined = malloc(size);
        if (!joined)
                return NULL;

        end = joined;
        *end = '\0';
        STRV_FOREACH(s, l) {
                if (s != l)
                        end = stpcpy(end, separator);
                end = stpcpy(end, *s);
        }
        return joined;
}

static int compare_strings(const void *a, const void *b) {
        return strcmp(*(char *const *) a, *(char *const *) b);
}

void strv_sort(char **l) {
        if (l)
                qsort(l, strv_length(l), sizeof(char *), compare_strings);
}

char *strv_next_of_list(char **rest) {
        char *word = *rest + strspn(*rest, ","), *end = word;

        while (*end && *end != ',')
                end += *end == '\\' && end[1] ? 2 : 1;
        *rest = end + (*end == ',');
        *end = '\0';
        return *word ? word : NULL;
}
