/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The options of a verb become what its fields hold. */

#include "view-options.h"

#include <stdio.h>
#include <stdlib.h>

static int view_take_word(const ViewVerb *v, void *options, const char *word) {
        if (v->take_word && v->take_word(options, word))
                return 0;
        (void) fprintf(stderr, "Excess argument: '%s'\n", word);
        return -EINVAL;
}

static int take_option(const ViewOption *o, void *options, const char *value) {
        void *field = (char *) options + o->offset;

        switch (o->kind) {
        case VIEW_OPTION_SET:
        case VIEW_OPTION_CLEAR:
                *(bool *) field = o->kind == VIEW_OPTION_SET;
                return 0;
        case VIEW_OPTION_TEXT:
                *(const char **) field = value;
                return 0;
        case VIEW_OPTION_CALL:
                return o->take(field, o, value);
        default:
                return 0;
        }
}

int view_options_parse(const ViewVerb *verb, void *options, int argc, char **argv) {
        static const ViewWord help = { "help", 'h', NULL, NULL };
        ViewTable table = VIEW_TABLE_EMPTY;
        const ViewWord *word;
        const char *value;
        int r = 0, more;

        for (const ViewOption *o = verb->options; r >= 0 && o < verb->options + verb->n; o++)
                r = view_table_add(&table, &(ViewWord) { o->name, o->letter, o->value, o->help, o->takes_next,
                                                         o->kind == VIEW_OPTION_ACCEPTED }, 1);
        if (r >= 0)
                r = view_table_add(&table, &help, 1);
        optind = 0;
        while (r >= 0 && (more = view_table_next(&table, argc, argv, &word, &value)) != 0) {
                if (more < 0)
                        return more;
                if (word == table.words + verb->n) {
                        (void) printf("%s %s\n\n%s\n\n", program_invocation_short_name, verb->synopsis, verb->purpose);
                        view_words_print(table.words, verb->n);
                        return 1;
                }
                if (!word && verb->command) {
                        optind--;
                        return 0;
                }
                r = word ? take_option(verb->options + (word - table.words), options, value) : view_take_word(verb, options, value);
        }
        if (verb->command)
                return r;
        for (; r >= 0 && optind < argc; optind++)
                r = view_take_word(verb, options, argv[optind]);
        return r;
}

int view_option_take_percentage(void *field, const ViewOption *option, const char *value) {
        double *percentage = field;
        char *end;

        *percentage = strtod(value, &end);
        if (end == value || *end || !(*percentage >= 0 && *percentage <= 100))
                return option_fail(option->name, value, "not a percentage");
        return 0;
}

int view_option_take_character(void *field, const ViewOption *option, const char *value) {
        if (streq(value, "\\t"))
                value = "\t";
        if (strlen(value) != 1)
                return option_fail(option->name, value, "not one character");
        *(char *) field = *value;
        return 0;
}
