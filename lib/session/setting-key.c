/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parsers of values that several sections share. Each reports an error in one sentence that says what it expects ("not a …",
 * "neither … nor …"); the callers add the value, file, line and key. */

#include "setting-key.h"

#include "format-text.h"
#include "parse-number.h"
#include "parse-size.h"
#include "quote.h"
#include "ring-size.h"
#include "utf8.h"

#define VALUE_SHOWN_MAX 64 /* bytes */

int split_setting_words(const char *value, char ***ret, Diagnosis *d) {
        int r = split_words(value, SETTING_LIST_MAX, ret);

        if (r == -E2BIG)
                return diagnosis_set(d, r, "more than %d words", SETTING_LIST_MAX);
        if (r == -EINVAL)
                return diagnosis_set(d, r, "a quote without its end, or a backslash at the end");
        return r;
}

int split_setting_names(const char *value, char ***ret, Diagnosis *d) {
        int r = split_names(value, SETTING_LIST_MAX, ret);

        if (r == -E2BIG)
                return diagnosis_set(d, r, "more than %d words", SETTING_LIST_MAX);
        return r == -EINVAL ? diagnosis_set(d, r, "a quote without its end") : r;
}

void setting_show_value(const char *value, Diagnosis *d) {
        static const char *const beginnings[] = { "not ", "neither ", "none of " };
        static const char *const comments[] = { " #", " ;", "\t#", "\t;" };
        const char *hint = "";
        bool says_what = false;
        int n = utf8_prefix(value, VALUE_SHOWN_MAX);
        char *longer;

        if (!d || !d->sentence || *value == '\0')
                return;
        for (size_t i = 0; i < ELEMENTSOF(beginnings); i++)
                says_what = says_what || startswith(d->sentence, beginnings[i]);
        for (size_t i = 0; i < ELEMENTSOF(comments); i++)
                if (strstr(value, comments[i]))
                        hint = "; a comment has a line of its own";
        longer = says_what ? format_text("\"%.*s%s\" is %s%s", n, value, value[n] ? "…" : "", d->sentence, hint) : NULL;
        if (!longer)
                return;
        free(d->sentence);
        d->sentence = longer;
}

int parse_setting_string(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return free_and_strdup(field, value);
}

int parse_setting_path(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strlen(value);

        if (*value != '/' || value[n - 1] == '/')
                return diagnosis_set(d, -EINVAL, "not the absolute path of a file");
        return free_and_strdup(field, value);
}

int parse_setting_tristate(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        int r = parse_boolean(value);

        if (r < 0)
                return diagnosis_set(d, r, "neither yes nor no");
        *(int *) field = r;
        return 0;
}

int parse_setting_number(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v = 0;

        if (parse_uint64(value, &v) < 0 || v == 0 || v == UINT64_MAX)
                return diagnosis_set(d, -EINVAL, "not a whole number above 0");
        *(uint64_t *) field = v;
        return 0;
}

int parse_setting_size(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v = 0;

        if (parse_size(value, &v) < 0 || v == 0 || v == UINT64_MAX)
                return diagnosis_set(d, -EINVAL, "not a size above 0, such as 512K or 8M");
        *(uint64_t *) field = v;
        return 0;
}

int parse_setting_buffer_size(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t size = 0, max = RING_PAGES_MAX * (uint64_t) sysconf(_SC_PAGESIZE);
        int r = parse_setting_size(s, &size, value, d);

        if (r < 0)
                return r;
        if (size > max)
                return diagnosis_set(d, -EINVAL, "too large for a ring buffer of 2^24 pages at most");
        *(uint64_t *) field = size;
        return 0;
}

int parse_setting_timespan(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t;
        int r = parse_timespan(value, &t);

        if (r < 0)
                return diagnosis_set(d, r, "not a time span, such as 100ms or 2min 30s");
        *(usec_t *) field = t;
        return 0;
}
