/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line is getopt_long(3)'s, so that names may be abbreviated and letters joined. A line of the help has the words of
 * its options up to a column, and what they mean behind it. */

#include "view-options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define OPTIONS_MAX 96u
#define FIRST_NUMBER 0x100 /* of options, for getopt_long(): above all letters */
#define HELP_COLUMN 31

static int argument_of(const ViewOption *o) {
        return !o->value ? no_argument : *o->value == '[' ? optional_argument : required_argument;
}

/* A letter has a colon behind it if it has a value, two if that may be missing. */
static void make_tables(const ViewVerb *v, struct option *rows, char *letters) {
        for (size_t i = 0; i < v->n; i++) {
                const ViewOption *o = v->options + i;

                rows[i] = (struct option) { o->name, argument_of(o), NULL, FIRST_NUMBER + (int) i };
                if (o->letter)
                        *letters++ = o->letter;
                for (int colon = 0; o->letter && colon < argument_of(o); colon++)
                        *letters++ = ':';
        }
        rows[v->n] = (struct option) { "help", no_argument, NULL, 'h' };
        rows[v->n + 1] = (struct option) {};
        *letters++ = 'h';
        *letters = '\0';
}

static const ViewOption *find_option(const ViewVerb *v, int number) {
        if (number >= FIRST_NUMBER)
                return v->options + (number - FIRST_NUMBER);
        for (size_t i = 0; i < v->n; i++)
                if (v->options[i].letter == number)
                        return v->options + i;
        return NULL;
}

/* Prints the words of one option; before: what stands in front of them in the line. Returns the columns. */
static int print_option(const ViewOption *o, int before) {
        int n = before > 0 ? printf(" ") : printf(o->letter ? "  " : "     ");

        if (o->letter)
                n += printf("-%c ", o->letter);
        return before + n + printf("--%s%s", o->name, o->value ?: "");
}

static void print_meaning(const char *text, int column) {
        if (column >= HELP_COLUMN)
                (void) printf("\n%*s", HELP_COLUMN, "");
        else
                (void) printf("%*s", HELP_COLUMN - column, "");
        for (; *text; text++)
                if (*text == '\n')
                        (void) printf("\n%*s", HELP_COLUMN, "");
                else
                        (void) putchar(*text);
        (void) putchar('\n');
}

static void print_help(const ViewVerb *v) {
        int column = 0;

        (void) printf("perf-recorder-view %s\n\n%s\n\n", v->synopsis, v->purpose);
        for (const ViewOption *o = v->options; o < v->options + v->n; o++) {
                if (o->kind == VIEW_OPTION_ACCEPTED)
                        continue;
                column = print_option(o, column);
                if (!o->help)
                        continue;
                print_meaning(o->help, column);
                column = 0;
        }
        for (const ViewOption *o = v->options; o < v->options + v->n; o++)
                if (o->kind == VIEW_OPTION_ACCEPTED)
                        column = print_option(o, column);
        if (column > 0)
                print_meaning("Accepted: this is always so", column);
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

static int take_words(const ViewVerb *v, void *options, char *const *words, int n) {
        for (int i = 0; i < n; i++)
                if (!v->take_word || !v->take_word(options, words[i])) {
                        (void) fprintf(stderr, "Excess argument: '%s'%s\n", words[i], v->excess ?: "");
                        return -EINVAL;
                }
        return 0;
}

int view_options_parse(const ViewVerb *verb, void *options, int argc, char **argv) {
        struct option rows[OPTIONS_MAX];
        char letters[3 * OPTIONS_MAX];
        int number, r = 0;

        if (verb->n + 2 > OPTIONS_MAX)
                return -E2BIG;
        make_tables(verb, rows, letters);
        optind = 0;
        while (r >= 0 && (number = getopt_long(argc, argv, letters, rows, NULL)) >= 0) {
                const ViewOption *o = find_option(verb, number);
                const char *value = optarg;

                if (number == 'h') {
                        print_help(verb);
                        return 1;
                }
                if (!o) /* getopt_long() printed why */
                        return -EINVAL;
                if (!value && o->takes_next && optind < argc && *argv[optind] != '-')
                        value = argv[optind++];
                r = take_option(o, options, value);
        }
        return r < 0 ? r : take_words(verb, options, argv + optind, argc - optind);
}

int view_option_take_percentage(void *field, const ViewOption *option, const char *value) {
        double *percentage = field;
        char *end;

        *percentage = strtod(value, &end);
        if (end == value || *end || !(*percentage >= 0 && *percentage <= 100))
                return option_fail(option->name, value, "not a percentage");
        return 0;
}
