/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields of samples, and the option of perf record for each. Names are perf script's if it has one, so that a field has the same
 * name in a session file as when the recording is read. */

#include "sample-field.h"

#include "array.h"

static const struct {
        const char *field, *option;
} field_options[] = {
        { "addr", "-d" },
        { "data-src", "-d" },
        { "phys-addr", "--phys-data" },
        { "data-page-size", "--data-page-size" },
        { "code-page-size", "--code-page-size" },
        { "time", "-T" },
        { "period", "-P" },
        { "cpu", "--sample-cpu" },
        { "identifier", "--sample-identifier" },
        { "raw", "-R" },
        { "weight", "-W" },
        { "transaction", "--transaction" },
        { "brstack", "-b" },
        { "uregs", "--user-regs" },
        { "iregs", "--intr-regs" },
        { "cgroup", "--all-cgroups" },
        { "namespaces", "--namespaces" },
        { "switches", "--switch-events" },
};

static bool same_word(const char *a, const char *b) {
        for (; *a && *b; a++, b++)
                if (*a != *b && !(*a == '-' && *b == '_'))
                        return false;
        return *a == *b;
}

const char *sample_field_option(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(field_options); i++)
                if (same_word(field_options[i].field, word))
                        return field_options[i].option;
        return NULL;
}

char *sample_field_list(void) {
        const char *words[ELEMENTSOF(field_options) + 1] = {};

        for (size_t i = 0; i < ELEMENTSOF(field_options); i++)
                words[i] = field_options[i].field;
        return strv_join((char *const *) words, ", ");
}

int sample_field_add_options(char *const *fields, char ***line) {
        int r = 0;

        for (size_t i = 0; fields && fields[i] && r >= 0; i++) {
                const char *option = sample_field_option(fields[i]);

                if (option && !ANY_OF(i, k, streq_ptr(sample_field_option(fields[k]), option)))
                        r = strv_extend(line, option);
        }
        return r;
}
