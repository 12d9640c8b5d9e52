/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The help, made from the option table, with perf's layout: the option on the left, its description from column 26 on. */

#include "options.h"

#define HELP_COLUMN 26

static const char *const group_titles[_OPTION_GROUP_MAX] = {
        [OPTION_GROUP_EVENTS] = "Events",
        [OPTION_GROUP_SAMPLES] = "Samples",
        [OPTION_GROUP_TARGET] = "Target",
        [OPTION_GROUP_OUTPUT] = "Output",
        [OPTION_GROUP_TRIGGER] = "Triggers of dumps",
        [OPTION_GROUP_CONTROL] = "Control",
};

static void usage_print_synopsis(FILE *f) {
        const char *name = program_invocation_short_name; /* perfctl record is another name of this program */

        fprintf(f, "\n Usage: %s [<options>] [<command>]\n    or: %s [<options>] -- <command> [<options>]\n", name, name);
}

static void usage_print_row(FILE *f, const OptionRow *row) {
        char left[128];
        size_t n = 0;

        n += (size_t) snprintf(left, sizeof(left), row->letter ? "    -%c" : "      ", row->letter);
        if (row->name)
                n += (size_t) snprintf(left + n, sizeof(left) - n, "%s--%s", row->letter ? ", " : "  ", row->name);
        if (row->argument == OPTION_REQUIRED || row->argument == OPTION_NEGATABLE)
                n += (size_t) snprintf(left + n, sizeof(left) - n, " <%s>", row->value);
        if (row->argument == OPTION_OPTIONAL)
                n += (size_t) snprintf(left + n, sizeof(left) - n, "[=<%s>]", row->value);

        if (n + 2 > HELP_COLUMN)
                fprintf(f, "%s\n%*s%s\n", left, HELP_COLUMN, "", row->help);
        else
                fprintf(f, "%-*s%s\n", HELP_COLUMN, left, row->help);
}

void usage_print(FILE *f) {
        usage_print_synopsis(f);
        for (OptionGroup g = 0; g < _OPTION_GROUP_MAX; g++) {
                fprintf(f, "\n%s\n", group_titles[g]);
                for (const OptionRow *row = option_table(); row->name || row->letter; row++)
                        if (row->help && row->group == g)
                                usage_print_row(f, row);
        }
}

void usage_print_option(FILE *f, const char *name) {
        usage_print_synopsis(f);
        for (const OptionRow *row = option_table(); row->name || row->letter; row++) {
                bool same = row->name ? streq(row->name, name) : name[0] == row->letter && name[1] == '\0';

                if (same && row->help) {
                        fputc('\n', f);
                        usage_print_row(f, row);
                }
        }
}
