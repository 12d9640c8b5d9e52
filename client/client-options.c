/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line: one table of options, from which getopt's arguments, the help and the tests are made, and the one
 * function that stores what an option says. Options may stand before and behind the verb alike ("perfctl -x: list",
 * "perfctl list -x :"); whether the verb takes them is checked afterwards, in main.c. */

#include "client-options.h"

#include <getopt.h>
#include <limits.h>

#include "parse-number.h"
#include "strv.h"
#include "verbs.h"

static const OptionRow rows[_OPTION_MAX] = {
        [OPTION_HELP] = { 'h', "help", NULL, "Show this help, or that of a command" },
        [OPTION_VERSION] = { 0, "version", NULL, "Show the version" },
        [OPTION_SYSTEM] = { 0, "system", NULL, "Talk to the system's service (the default)" },
        [OPTION_USER] = { 0, "user", NULL, "Talk to the service of the calling user" },
        [OPTION_HOST] = { 'H', "host", "[USER@]HOST", "Operate on a remote host, through ssh" },
        [OPTION_MACHINE] = { 'M', "machine", "CONTAINER", "Operate on a local container" },
        [OPTION_QUIET] = { 'q', "quiet", NULL, "Print only what was asked for, no remarks" },
        [OPTION_NO_PAGER] = { 0, "no-pager", NULL, "Do not pipe output into a pager" },
        [OPTION_NO_ASK_PASSWORD] = { 0, "no-ask-password", NULL, "Do not ask for a password" },
        [OPTION_SESSION] = { 0, "session", "NAME", "Another way to name a session" },
        [OPTION_FIELD_SEPARATOR] = { 'x', "field-separator", "SEP", "Print perf daemon's fields, separated by SEP" },
        [OPTION_VERBOSE] = { 'v', "verbose", NULL, "Print more: perf daemon's long list, ping's times" },
        [OPTION_JSON] = { 0, "json", "MODE", "Print JSON: short, pretty, or off" },
        [OPTION_NO_LEGEND] = { 0, "no-legend", NULL, "Print neither headers nor a summary" },
        [OPTION_FULL] = { 'l', "full", NULL, "Do not cut text; with edit: the whole file" },
        [OPTION_PROPERTY] = { 'p', "property", "NAME", "Show only these properties" },
        [OPTION_VALUE_OF] = { 'P', NULL, "NAME", "Show the value of one property and nothing else" },
        [OPTION_SIGNAL] = { 's', "signal", "SIGNAL", "Which signal to send, USR2 if not said" },
        [OPTION_TIMEOUT] = { 0, "timeout", "SPAN", "How long to wait for the answers" },
        [OPTION_LINES] = { 'n', "lines", "N", "How many journal lines to show" },
        [OPTION_FOLLOW] = { 'f', "follow", NULL, "Go on with new journal lines as they come" },
        [OPTION_PAGER_END] = { 'e', "pager-end", NULL, "Begin at the end of the journal" },
        [OPTION_FORCE] = { 0, "force", NULL, "With edit: a new session; with import: replace files" },
};

const OptionRow *option_row(OptionId id) {
        return &rows[id];
}

#define LETTERS_MAX (2 + 2 * _OPTION_MAX)
#define LONG_BASE 256 /* getopt's values of long options: above every letter */

/* "-" lets getopt hand out words that are no options in their order. */
static void make_getopt_tables(char *letters, struct option *longs) {
        *letters++ = '-';
        for (int i = 0; i < _OPTION_MAX; i++) {
                const OptionRow *row = &rows[i];

                if (row->name)
                        *longs++ = (struct option){ row->name, row->argument ? required_argument : no_argument, NULL,
                                                    LONG_BASE + i };
                if (!row->letter)
                        continue;
                *letters++ = row->letter;
                if (row->argument)
                        *letters++ = ':';
        }
        *letters = '\0';
        *longs = (struct option){};
}

static OptionId option_from_getopt(int c) {
        if (c >= LONG_BASE)
                return (OptionId) (c - LONG_BASE);
        for (OptionId i = 0; i < _OPTION_MAX; i++)
                if (rows[i].letter && rows[i].letter == c)
                        return i;
        return _OPTION_MAX;
}

static int refuse(const char *what, const char *value) {
        (void) fprintf(stderr, "Not a %s: '%s'\n", what, value);
        return -EINVAL;
}

/* "A,B" are two properties, as systemctl takes them. */
static int store_properties(Options *o, const char *argument) {
        _cleanup_free_ char *copy = strdup(argument);
        char *rest = copy, *item;

        if (!copy)
                return -ENOMEM;
        while ((item = strsep(&rest, ",")))
                if (*item && strv_extend(&o->properties, item) < 0)
                        return -ENOMEM;
        return 0;
}

static int store(Options *o, OptionId id, const char *argument) {
        switch (id) {
        case OPTION_SYSTEM:
                o->user = false;
                return 0;
        case OPTION_USER:
                o->user = true;
                return 0;
        case OPTION_HOST:
                o->host = argument;
                return 0;
        case OPTION_MACHINE:
                o->machine = argument;
                return 0;
        case OPTION_QUIET:
                o->quiet = true;
                return 0;
        case OPTION_NO_PAGER:
                o->no_pager = true;
                return 0;
        case OPTION_NO_ASK_PASSWORD:
                o->no_ask_password = true;
                return 0;
        case OPTION_SESSION:
                return strv_extend(&o->sessions, argument);
        case OPTION_FIELD_SEPARATOR:
                o->separator = argument;
                return 0;
        case OPTION_VERBOSE:
                o->verbose = true;
                return 0;
        case OPTION_JSON:
                o->json = json_mode_from_string(argument);
                return o->json < 0 ? refuse("JSON mode (short, pretty, off)", argument) : 0;
        case OPTION_NO_LEGEND:
                o->no_legend = true;
                return 0;
        case OPTION_FULL:
                o->full = true;
                return 0;
        case OPTION_VALUE_OF:
                o->value_only = true;
                return store_properties(o, argument);
        case OPTION_PROPERTY:
                return store_properties(o, argument);
        case OPTION_SIGNAL:
                o->signal = parse_signal(argument);
                return o->signal < 0 ? refuse("signal", argument) : 0;
        case OPTION_TIMEOUT:
                if (parse_timespan(argument, &o->timeout) < 0 || o->timeout == 0)
                        return refuse("time span", argument);
                return 0;
        case OPTION_LINES:
                return parse_uint(argument, &o->lines) < 0 ? refuse("number of lines", argument) : 0;
        case OPTION_FOLLOW:
                o->follow = true;
                return 0;
        case OPTION_PAGER_END:
                o->pager_end = true;
                return 0;
        case OPTION_FORCE:
                o->force = true;
                return 0;
        case OPTION_HELP:
        case OPTION_VERSION:
        case _OPTION_MAX:
                break; /* being given is all there is to them */
        }
        return 0;
}

static int take_rest(char ***words, char *const *rest) {
        for (; *rest; rest++)
                if (strv_extend(words, *rest) < 0)
                        return -ENOMEM;
        return 0;
}

int options_parse(Options *o, int argc, char *argv[], char ***ret_words) {
        _cleanup_strv_free_ char **words = NULL;
        struct option longs[_OPTION_MAX + 1];
        char letters[LETTERS_MAX];
        int c, r;

        *o = (Options){ .lines = UINT_MAX };
        make_getopt_tables(letters, longs);
        optind = 0; /* getopt of glibc begins anew, a second time too */
        while ((c = getopt_long(argc, argv, letters, longs, NULL)) >= 0) {
                bool first_word = c == 1 && !words;

                if (c == '?')
                        return -EINVAL; /* getopt has said why */
                if (c == 1)
                        r = strv_extend(&words, optarg);
                else {
                        o->given |= OPTION_BIT(option_from_getopt(c));
                        r = store(o, option_from_getopt(c), optarg);
                }
                if (r < 0)
                        return r;
                if (first_word && verb_is_verbatim(words[0]))
                        break;
        }
        r = take_rest(&words, argv + optind);
        if (r < 0)
                return r;
        *ret_words = steal_ptr(words);
        return 0;
}

void options_done(Options *o) {
        strv_free(o->sessions);
        strv_free(o->properties);
        *o = (Options){};
}

void options_print_help(unsigned mask) {
        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                const OptionRow *row = &rows[i];
                char left[64], letter[4] = "  ";

                if (!(mask & OPTION_BIT(i)))
                        continue;
                if (row->letter)
                        (void) snprintf(letter, sizeof(letter), "-%c", row->letter);
                if (row->name)
                        (void) snprintf(left, sizeof(left), "%s --%s%s%s", letter, row->name, row->argument ? "=" : "",
                                        row->argument ? row->argument : "");
                else
                        (void) snprintf(left, sizeof(left), "%s %s", letter, row->argument);
                (void) printf("  %-24s %s\n", left, row->help);
        }
}
