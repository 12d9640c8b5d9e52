/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the row of the option table for each word, as perf's parse-options does (subcmd, Linux 6.1): "-ag", "-F99",
 * "-F 99", "--freq=99", "--freq 99", "--no-NAME" (without the "no-" if the name itself begins so), long names
 * abbreviated as far as they are unambiguous among all options of perf record. Options end at "--" or at the first
 * word that is none. The row says what the option does: it sets a field, or calls a parser. */

#include "options.h"

/* A long option that was found. */
typedef struct LongMatch {
        const OptionRow *row;
        bool unset;
} LongMatch;

typedef struct ArgumentList {
        char *const *next;
} ArgumentList;

static int option_blame(Diagnosis *d, const OptionRow *row, int r) {
        const char letter[2] = { row->letter, '\0' };

        diagnosis_locate(d, NULL, 0, row->name ? row->name : letter);
        return r;
}

static int option_set(Options *o, const OptionRow *row, const char *value, bool unset, Diagnosis *d) {
        uint8_t *field = (uint8_t *) o + row->offset;

        switch (row->kind) {
        case OPTION_KIND_BOOL:
                *(bool *) field = !unset;
                return 0;
        case OPTION_KIND_TRISTATE:
                *(int *) (void *) field = !unset;
                return 0;
        case OPTION_KIND_PARSED:
                return row->parse(o, value, unset, d);
        default: /* OPTION_KIND_PERF */
                return 0;
        }
}

/* inline_value: the text after "=" or the letter, or NULL. */
static int option_apply(Options *o, const OptionRow *row, bool unset, const char *inline_value, ArgumentList *rest, Diagnosis *d) {
        const char *value = inline_value;
        char label[128];
        int r;

        if (row->name)
                (void) snprintf(label, sizeof(label), "option `--%s%s'", unset ? "no-" : "", row->name);
        else
                (void) snprintf(label, sizeof(label), "switch `%c'", row->letter);
        if (!row->help)
                return option_blame(d, row, diagnosis_set(d, -EOPNOTSUPP, "%s of perf record is not supported", label));
        if (unset && row->argument == OPTION_REQUIRED)
                return option_blame(d, row, diagnosis_set(d, -EINVAL, "%s isn't available", label));
        if (value && (unset || row->argument == OPTION_FLAG))
                return option_blame(d, row, diagnosis_set(d, -EINVAL, "%s takes no value", label));
        if (!unset && !value && (row->argument == OPTION_REQUIRED || row->argument == OPTION_NEGATABLE)) {
                if (!*rest->next)
                        return option_blame(d, row, diagnosis_set(d, -EINVAL, "%s requires a value", label));
                value = *rest->next++;
        }
        if (row->names_file && o->untrusted)
                return option_blame(d, row, diagnosis_set(d, -EPERM, "%s names a file, but callers may not: write a session file",
                                                          label));
        r = option_set(o, row, value, unset, d);
        return r < 0 ? option_blame(d, row, r) : 0;
}

static int options_parse_letters(Options *o, const char *word, ArgumentList *rest, Diagnosis *d) {
        for (const char *p = word; *p;) {
                const OptionRow *row = option_table();
                const char *inline_value = NULL;
                int r;

                while ((row->name || row->letter) && row->letter != *p)
                        row++;
                if (!row->letter)
                        return diagnosis_set(d, -ENOKEY, "unknown switch `%c'", *p);
                p++;
                if (row->argument != OPTION_FLAG && *p) {
                        inline_value = p;
                        p += strlen(p);
                }
                r = option_apply(o, row, false, inline_value, rest, d);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* Compares word (n bytes of it) with the row's name: 2 it is the whole name, 1 an abbreviation, 0 neither. */
static int option_matches(const OptionRow *row, const char *word, size_t n, bool *ret_unset) {
        const char *name = row->name, *bare = startswith(name, "no-");

        *ret_unset = false;
        if (strncmp(name, word, n) == 0)
                return name[n] == '\0' ? 2 : 1;
        *ret_unset = true;
        if (bare && strncmp(bare, word, n) == 0)
                return bare[n] == '\0' ? 2 : 1;
        if (n > 3 && strncmp(word, "no-", 3) == 0 && strncmp(name, word + 3, n - 3) == 0)
                return name[n - 3] == '\0' ? 2 : 1;
        return 0;
}

/* The result's row is NULL if no row fits, or more than one; d says which. */
static LongMatch option_find_long(const char *word, size_t n, Diagnosis *d) {
        LongMatch found = {}, other = {};

        for (const OptionRow *row = option_table(); row->name || row->letter; row++) {
                LongMatch m = { .row = row };
                int how = row->name ? option_matches(row, word, n, &m.unset) : 0;

                if (how == 2)
                        return m;
                if (how == 1 && found.row)
                        other = found;
                if (how == 1)
                        found = m;
        }

        if (found.row && !other.row)
                return found;
        if (!found.row)
                (void) diagnosis_set(d, -ENOKEY, "unknown option `%.*s'", (int) n, word);
        else
                (void) diagnosis_set(d, -ENOKEY, "Ambiguous option: %.*s (could be --%s%s or --%s%s)", (int) n, word,
                                     other.unset ? "no-" : "", other.row->name, found.unset ? "no-" : "", found.row->name);
        return (LongMatch) {};
}

int options_parse(Options *o, char *const *argv, Diagnosis *d) {
        char *const none[] = { NULL };
        ArgumentList rest = { argv ?: none };

        while (*rest.next && (*rest.next)[0] == '-' && (*rest.next)[1]) {
                const char *word = *rest.next++;
                int r;

                if (streq(word, "--"))
                        break;
                if (word[1] == '-') {
                        const char *name = word + 2, *value = strchr(name, '=');
                        LongMatch m = option_find_long(name, value ? (size_t) (value - name) : strlen(name), d);

                        r = m.row ? option_apply(o, m.row, m.unset, value ? value + 1 : NULL, &rest, d) : -ENOKEY;
                } else
                        r = options_parse_letters(o, word + 1, &rest, d);
                if (r < 0)
                        return r;
        }
        if (*rest.next)
                return strv_extend_strv(&o->command, rest.next);
        return 0;
}
