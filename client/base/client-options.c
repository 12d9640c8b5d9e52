/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line: one table of options, from which getopt's arguments, the help and the tests are made, and the one
 * function that stores an option's value. Options may stand before or behind the verb ("perfctl -x: list", "perfctl list
 * -x :"); verb_check() verifies later that the verb takes them. Two options may have one letter if no verb takes both. */

#include "client-options.h"

#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/dump-facts.h>

#include "array.h"
#include "parse-number.h"
#include "parse-timestamp.h"
#include "session-name.h"
#include "strv.h"

#define FLAG(field) .flag = offsetof(ClientOptions, field)
#define TEXT(field) .text = offsetof(ClientOptions, field)

static const ClientOptionRow rows[_OPTION_MAX] = {
        [OPTION_HELP] = { 'h', "help", NULL, "Show this help, or that of a command" },
        [OPTION_VERSION] = { 0, "version", NULL, "Show the version" },
        [OPTION_SYSTEM] = { 0, "system", NULL, "Talk to the system's service (the default)" },
        [OPTION_USER] = { 0, "user", NULL, "Talk to the service of the calling user", FLAG(user) },
        [OPTION_HOST] = { 'H', "host", "[USER@]HOST", "Operate on a remote host, through ssh", TEXT(host) },
        [OPTION_MACHINE] = { 'M', "machine", "CONTAINER", "Operate on a local container", TEXT(machine) },
        [OPTION_QUIET] = { 'q', "quiet", NULL, "Print only what was asked for, no remarks", FLAG(quiet) },
        [OPTION_NO_PAGER] = { 0, "no-pager", NULL, "Do not pipe output into a pager", FLAG(no_pager) },
        [OPTION_NO_ASK_PASSWORD] = { 0, "no-ask-password", NULL, "Do not ask for a password", FLAG(no_ask_password) },
        [OPTION_SESSION] = { 0, "session", "NAME", "Another way to name a session" },
        [OPTION_FIELD_SEPARATOR] = { 'x', "field-separator", "SEP", "Print perf daemon's fields, separated by SEP",
                                     TEXT(table.separator) },
        [OPTION_VERBOSE] = { 'v', "verbose", NULL, "Print more: perf daemon's long list, ping's times", FLAG(verbose) },
        [OPTION_JSON] = { 0, "json", "MODE", "Print JSON: short, pretty, or off" },
        [OPTION_NO_LEGEND] = { 0, "no-legend", NULL, "Print neither headers nor a summary", FLAG(table.no_legend) },
        [OPTION_FULL] = { 'l', "full", NULL, "Do not cut text; with edit: the whole file", FLAG(table.full) },
        [OPTION_STATE] = { 0, "state", "STATE", "Show only sessions in one of these states" },
        [OPTION_PROPERTY] = { 'p', "property", "NAME", "Show only these properties" },
        [OPTION_VALUE_OF] = { 'P', NULL, "NAME", "Show the value of one property and nothing else" },
        [OPTION_SIGNAL] = { 's', "signal", "SIGNAL", "Send this signal, default USR2" },
        [OPTION_TIMEOUT] = { 0, "timeout", "SPAN", "Wait this long for the answers" },
        [OPTION_LINES] = { 'n', "lines", "N", "Show this many journal lines, or dumps" },
        [OPTION_FOLLOW] = { 'f', "follow", NULL, "Go on with new journal lines as they come", FLAG(journal.follow) },
        [OPTION_PAGER_END] = { 'e', "pager-end", NULL, "Begin at the end of the journal", FLAG(journal.pager_end) },
        [OPTION_FORCE] = { 0, "force", NULL, "New session, replaced files, dump above the limit", FLAG(force) },
        [OPTION_SINCE] = { 0, "since", "TIME", "Only what is not older: a time, or how long ago" },
        [OPTION_UNTIL] = { 0, "until", "TIME", "Only what is not newer" },
        [OPTION_TRIGGER] = { 0, "trigger", "TRIGGER", "Only dumps that this caused" },
        [OPTION_REVERSE] = { 'r', "reverse", NULL, "Show the newest dump first", FLAG(dump.reverse) },
        [OPTION_DELAY] = { 0, "delay", "SPAN", "Go on recording so long before the dump is written" },
        [OPTION_NEW] = { 0, "new", NULL, "Dump only what no dump has yet", FLAG(dump.fresh) },
        [OPTION_OUTPUT] = { 'o', "output", "FILE", "Write to this file; - is standard output", TEXT(output) },
        [OPTION_TEXTFILE] = { 0, "textfile", "FILE", "Write to this file for node_exporter's collector", TEXT(metrics.textfile) },
        [OPTION_HTTP] = { 0, "http", NULL, "Answer HTTP requests on sockets that systemd passes", FLAG(metrics.http) },
        [OPTION_SYMBOLS] = { 0, "symbols", NULL, "Copy the symbols beside the dump, too", FLAG(dump.symbols) },
        [OPTION_BUNDLE] = { 0, "bundle", NULL, "Put them into the copy: one file for another machine", FLAG(dump.bundle) },
        [OPTION_NOW] = { 0, "now", NULL, "At once, too; with info, open: dump the session first", FLAG(now_too) },
        [OPTION_NO_KEEP] = { 0, "no-keep", NULL, "Remove that dump afterwards", FLAG(dump.no_keep) },
        [OPTION_COMM] = { 0, "comm", "NAME", "Only samples of threads of this name" },
        [OPTION_PID] = { 0, "pid", "PID", "Only samples of this process" },
        [OPTION_TID] = { 0, "tid", "TID", "Only samples of this thread" },
        [OPTION_UNIT] = { 'u', "unit", "UNIT", "Only samples of this systemd unit" },
        [OPTION_CPU] = { 'C', "cpu", "CPU", "Only samples of these CPUs" },
        [OPTION_TIME] = { 0, "time", "RANGE", "Only samples of this time, as of perf report" },
        [OPTION_LAST] = { 0, "last", "SPAN", "Only that long before the last sample" },
        [OPTION_BEFORE_TRIGGER] = { 0, "before-trigger", "SPAN", "Only that long before what made the dump" },
        [OPTION_AROUND_TRIGGER] = { 0, "around-trigger", "SPAN", "Only that long before and behind it" },
        [OPTION_NO_IDLE] = { 0, "no-idle", NULL, "Leave the time of idle CPUs out of shares", FLAG(samples.no_idle) },
        [OPTION_WHAT] = { 0, "what", "WHAT", "hardware or breakpoint; hardware:N for N of each CPU", TEXT(reserve.what) },
        [OPTION_WAIT] = { 0, "wait", "[=SPAN]", "Wait while counters are in use, so long at most" },
        [OPTION_DETACH] = { 'd', "detach", NULL, "Return at once, and hold them in the background", FLAG(reserve.detach) },
        [OPTION_FOREGROUND] = { 'D', NULL, NULL, "Hold counters in the foreground (the default)" },
        [OPTION_WHO] = { 0, "who", NULL, "List who has counters, and reserve none", FLAG(reserve.who) },
        [OPTION_LOCK_FILE] = { 'f', NULL, "FILE", "Without effect, for scripts that call perfalloc" },
        [OPTION_VERSION_LETTER] = { 'v', NULL, NULL, "Show the version, as perfalloc does" },
        [OPTION_DESC] = { 'd', "desc", NULL, "Say what events count (the default)" },
        [OPTION_NO_DESC] = { 0, "no-desc", NULL, "Do not say what events count", FLAG(table.no_desc) },
        [OPTION_LONG_DESC] = { 'v', "long-desc", NULL, "Show units, fields of tracepoints, whole reasons", FLAG(table.long_desc) },
        [OPTION_DETAILS] = { 0, "details", NULL, "Show the numbers that the kernel is given", FLAG(table.details) },
#define X(id, field, name, help) [OPTION_##id] = { 0, name, "TEXT", help, TEXT(dump.request.field) },
        DUMP_TEXT_OPTIONS(X)
#undef X
        [OPTION_TRY] = { 0, "try", NULL, "Open what the session records, too, for a moment" },
        [OPTION_STRICT] = { 0, "strict", NULL, "Fail because of warnings, too" },
        [OPTION_VIEWER] = { 0, "viewer", "COMMAND", "Open dumps with this, default 'perf report -i'", TEXT(dump.viewer) },
};

const ClientOptionRow *client_option_row(OptionId id) {
        return &rows[id];
}

#define LETTERS_MAX (2 + 2 * _OPTION_MAX)
#define LONG_BASE 256 /* getopt's values of long options begin above all letters */

typedef struct GetoptTables {
        struct option longs[_OPTION_MAX + 1];
        char letters[LETTERS_MAX];
} GetoptTables;

/* If two options have the letter, the verb's is taken, and the first one as long as there is no verb. */
static OptionId option_from_getopt(int c, uint64_t of_verb) {
        OptionId found = _OPTION_MAX;

        if (c >= LONG_BASE)
                return (OptionId) (c - LONG_BASE);
        for (OptionId i = 0; i < _OPTION_MAX; i++)
                if (rows[i].letter && rows[i].letter == c && (found == _OPTION_MAX || of_verb & OPTION_BIT(i)))
                        found = i;
        return found;
}

/* "-" makes getopt return words that are no options in their order. */
static void client_options_make_getopt_tables(GetoptTables *t, uint64_t of_verb) {
        struct option *longs = t->longs;
        char *letters = t->letters;

        *letters++ = '-';
        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                const ClientOptionRow *row = &rows[i];
                int argument = !row->argument ? no_argument :
                        startswith(row->argument, "[=") ? optional_argument : required_argument;

                if (row->name)
                        *longs++ = (struct option){ row->name, argument, NULL, LONG_BASE + (int) i };
                if (!row->letter || option_from_getopt(row->letter, of_verb) != i)
                        continue;
                *letters++ = row->letter;
                if (row->argument)
                        *letters++ = ':';
        }
        *letters = '\0';
        *longs = (struct option){};
}

static int client_options_refuse(const char *what, const char *value) {
        (void) fprintf(stderr, "Not a %s: '%s'\n", what, value);
        return -EINVAL;
}

/* "A,B" is a list of two, as in systemctl's --property=; "A\,B" is one word, and stays as it is. */
static int client_options_store_list(char ***list, const char *argument) {
        _cleanup_free_ char *copy = strdup(argument);
        char *rest = copy, *item;

        if (!copy)
                return -ENOMEM;
        while ((item = strv_next_of_list(&rest)))
                if (strv_extend(list, item) < 0)
                        return -ENOMEM;
        return 0;
}

bool word_is_pattern(const char *word) {
        return word[strcspn(word, "*?[")] != '\0';
}

/* Patterns stay as they are. */
static int client_options_store_units(char ***list, const char *argument) {
        _cleanup_strv_free_ char **words = NULL;
        int r = client_options_store_list(&words, argument);

        STRV_FOREACH(word, words) {
                _cleanup_free_ char *unit = word_is_pattern(*word) ? strdup(*word) : unit_name_complete(*word);

                if (r >= 0)
                        r = unit ? strv_extend(list, unit) : -ENOMEM;
        }
        return r;
}

static const char *const states[] = { PR_STATES, NULL };
static const char *const triggers[] = { PR_TRIGGERS, NULL };

/* Stores words that are in the list, and patterns that match one of them. */
static int client_options_store_known(char ***list, const char *argument, const char *what, const char *const *known) {
        _cleanup_free_ char *all = strv_join((char *const *) known, ", ");
        size_t n = strv_length(*list);
        int r = all ? client_options_store_list(list, argument) : -ENOMEM;

        for (; r >= 0 && *list && (*list)[n]; n++) {
                bool matches = false;

                for (size_t i = 0; known[i]; i++)
                        matches = matches || fnmatch((*list)[n], known[i], 0) == 0;
                if (!matches) {
                        (void) fprintf(stderr, "Not a %s: '%s'; they are %s\n", what, (*list)[n], all);
                        r = -EINVAL;
                }
        }
        return r;
}

static int client_options_add_number(uint32_t **numbers, size_t *n, const char *word, const char *what) {
        unsigned number;

        if (ARRAY_RESERVE_NEXT(*numbers, *n) < 0)
                return -ENOMEM;
        if (parse_uint(word, &number) < 0)
                return client_options_refuse(what, word);
        (*numbers)[(*n)++] = number;
        return 0;
}

/* "1,2" is a list of two. */
static int client_options_store_numbers(uint32_t **numbers, size_t *n, const char *argument, const char *what) {
        _cleanup_strv_free_ char **words = NULL;
        int r = client_options_store_list(&words, argument);

        if (r >= 0 && strv_length(words) == 0)
                r = client_options_refuse(what, argument);
        STRV_FOREACH(word, words)
                if (r >= 0)
                        r = client_options_add_number(numbers, n, *word, what);
        return r;
}

static int client_options_store_word(ClientOptions *o, OptionId id, const char *argument) {
        return strv_extendf(&o->samples.times_and_cpus, "--%s=%s", rows[id].name, argument);
}

/* It is a time of dumps, and for the samples in one a word of the viewer. */
static int client_options_store_time(ClientOptions *o, OptionId id, usec_t *ret, const char *argument) {
        char examples[128];

        if (parse_timestamp(argument, o->now, ret) >= 0)
                return client_options_store_word(o, id, argument);
        (void) fprintf(stderr, "Not a time: '%s'; write it as %s\n", argument,
                       timestamp_examples(argument, examples, sizeof(examples)));
        return -EINVAL;
}

static int client_options_store(ClientOptions *o, OptionId id, const char *argument) {
        if (rows[id].flag > 0) {
                *(bool *) ((char *) o + rows[id].flag) = true;
                return 0;
        }
        if (rows[id].text > 0) {
                *(const char **) ((char *) o + rows[id].text) = argument;
                return 0;
        }
        switch (id) {
        case OPTION_SYSTEM:
                o->user = false;
                return 0;
        case OPTION_SESSION:
                return strv_extend(&o->sessions, argument);
        case OPTION_JSON:
                o->json = json_mode_from_string(argument);
                return o->json < 0 ? client_options_refuse("JSON mode (short, pretty, off)", argument) : 0;
        case OPTION_STATE:
                return client_options_store_known(&o->states, argument, "state", states);
        case OPTION_VALUE_OF:
                o->table.value_only = true;
                return client_options_store_list(&o->properties, argument);
        case OPTION_PROPERTY:
                return client_options_store_list(&o->properties, argument);
        case OPTION_SIGNAL:
                o->signal = parse_signal(argument);
                return o->signal < 0 ? client_options_refuse("signal", argument) : 0;
        case OPTION_TIMEOUT:
                if (parse_timespan(argument, &o->timeout) < 0 || o->timeout == 0)
                        return client_options_refuse("time span", argument);
                return 0;
        case OPTION_LINES:
                return parse_uint(argument, &o->journal.lines) < 0 ? client_options_refuse("number", argument) : 0;
        case OPTION_SINCE:
                return client_options_store_time(o, id, &o->dump.since, argument);
        case OPTION_UNTIL:
                return client_options_store_time(o, id, &o->dump.until, argument);
        case OPTION_TRIGGER:
                return client_options_store_known(&o->triggers, argument, "trigger", triggers);
        case OPTION_COMM:
                return client_options_store_list(&o->samples.comms, argument);
        case OPTION_UNIT:
                return client_options_store_units(&o->samples.units, argument);
        case OPTION_PID:
                return client_options_store_numbers(&o->samples.pids, &o->samples.n_pids, argument, "process ID");
        case OPTION_TID:
                return client_options_store_numbers(&o->samples.tids, &o->samples.n_tids, argument, "thread ID");
        case OPTION_CPU:
        case OPTION_TIME:
        case OPTION_LAST:
        case OPTION_BEFORE_TRIGGER:
        case OPTION_AROUND_TRIGGER:
                return client_options_store_word(o, id, argument);
        case OPTION_DELAY:
                if (parse_timespan(argument, &o->dump.delay) < 0 || o->dump.delay == USEC_INFINITY)
                        return client_options_refuse("time span", argument);
                return 0;
        case OPTION_WAIT:
                o->reserve.wait = USEC_INFINITY;
                if (argument && parse_timespan(argument, &o->reserve.wait) < 0)
                        return client_options_refuse("time span", argument);
                return 0;
        case OPTION_DESC:
                o->table.no_desc = false;
                return 0;
        case OPTION_FOREGROUND:
                o->reserve.detach = false;
                return 0;
        case OPTION_VERSION_LETTER:
                o->given |= OPTION_BIT(OPTION_VERSION);
                return 0;
        default:
                return 0; /* only o->given matters */
        }
}

/* The next option or word (1) as getopt returns it; -1: there is none. getopt would take "-1", a dump counted from the
 * newest, as an option: no option is a digit, so this is a word. */
static int client_options_next(int argc, char *argv[], const GetoptTables *t) {
        const char *word = optind > 0 && optind < argc ? argv[optind] : "";

        if (word[0] != '-' || !word[1] || word[1 + strspn(word + 1, "0123456789")])
                return getopt_long(argc, argv, t->letters, t->longs, NULL);
        optarg = argv[optind++];
        return 1;
}

int client_options_check_keep(const ClientOptions *o) {
        if (!o->dump.no_keep || o->now_too)
                return 0;
        (void) fprintf(stderr, "--no-keep is about the dump that --now makes: 'perfctl rm' removes others\n");
        return -EINVAL;
}

int client_options_parse(ClientOptions *o, int argc, char *argv[], WordOrderOf order_of, char ***ret_words) {
        _cleanup_strv_free_ char **words = NULL;
        WordOrder order = WORDS_MIXED;
        uint64_t of_verb = 0;
        GetoptTables t;
        int c, r;

        *o = (ClientOptions) {
                .now = now_usec(CLOCK_REALTIME), .journal.lines = UINT_MAX, .dump.until = USEC_INFINITY,
        };
        client_options_make_getopt_tables(&t, of_verb);
        optind = 0; /* resets getopt of glibc, so that this may be called again */
        while ((c = client_options_next(argc, argv, &t)) >= 0) {
                bool is_verb = c == 1 && !words;

                if (c == '?')
                        return -EINVAL; /* getopt has printed why */
                if (c == 1)
                        r = strv_extend(&words, optarg);
                else {
                        OptionId id = option_from_getopt(c, of_verb);

                        o->given |= OPTION_BIT(id);
                        r = client_options_store(o, id, optarg);
                }
                if (r < 0)
                        return r;
                if (is_verb) {
                        order = order_of(words[0], &of_verb);
                        client_options_make_getopt_tables(&t, of_verb);
                }
                if (c == 1 && (order == WORDS_VERBATIM || (order == WORDS_OPTIONS_FIRST && !is_verb)))
                        break;
        }
        r = strv_extend_strv(&words, argv + optind);
        if (r < 0)
                return r;
        *ret_words = steal_ptr(words);
        return 0;
}

void client_options_done(ClientOptions *o) {
        strv_free(o->sessions);
        strv_free(o->properties);
        strv_free(o->states);
        strv_free(o->triggers);
        strv_free(o->samples.comms);
        strv_free(o->samples.units);
        strv_free(o->samples.times_and_cpus);
        free(o->samples.pids);
        free(o->samples.tids);
        *o = (ClientOptions){};
}

void client_options_print_help(uint64_t mask) {
        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                const ClientOptionRow *row = &rows[i];
                char left[64], letter[4] = "  ";

                if (!(mask & OPTION_BIT(i)))
                        continue;
                if (row->letter)
                        (void) snprintf(letter, sizeof(letter), "-%c", row->letter);
                if (row->name)
                        (void) snprintf(left, sizeof(left), "%s --%s%s%s", letter, row->name,
                                        row->argument && !startswith(row->argument, "[=") ? "=" : "", row->argument ?: "");
                else
                        (void) snprintf(left, sizeof(left), "%s %s", letter, row->argument ?: "");
                (void) printf("  %-24s %s\n", left, row->help);
        }
}
