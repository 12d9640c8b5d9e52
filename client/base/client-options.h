/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-request.h"
#include "json.h"
#include "parse-time.h"

/* The parsed command line, with the options of all verbs. client-options.c has the one table of options. */

typedef enum OptionId {
        OPTION_HELP,
        OPTION_VERSION,
        OPTION_SYSTEM,
        OPTION_USER,
        OPTION_HOST,
        OPTION_MACHINE,
        OPTION_QUIET,
        OPTION_NO_PAGER,
        OPTION_NO_ASK_PASSWORD,
        OPTION_SESSION,
        OPTION_FIELD_SEPARATOR,
        OPTION_VERBOSE,
        OPTION_JSON,
        OPTION_NO_LEGEND,
        OPTION_FULL,
        OPTION_STATE,
        OPTION_PROPERTY,
        OPTION_VALUE_OF,
        OPTION_SIGNAL,
        OPTION_TIMEOUT,
        OPTION_LINES,
        OPTION_FOLLOW,
        OPTION_PAGER_END,
        OPTION_FORCE,
        OPTION_SINCE,
        OPTION_UNTIL,
        OPTION_TRIGGER,
        OPTION_REVERSE,
        OPTION_DELAY,
        OPTION_NEW,
        OPTION_OUTPUT,
        OPTION_TEXTFILE,
        OPTION_HTTP,
        OPTION_SYMBOLS,
        OPTION_BUNDLE,
        OPTION_VIEWER,
        OPTION_TRY,
        OPTION_STRICT,
        OPTION_NOW,
        OPTION_NO_KEEP,
        OPTION_COMM,
        OPTION_PID,
        OPTION_TID,
        OPTION_UNIT,
        OPTION_CPU,
        OPTION_TIME,
        OPTION_LAST,
        OPTION_BEFORE_TRIGGER,
        OPTION_AROUND_TRIGGER,
        OPTION_NO_IDLE,
        OPTION_WHAT,
        OPTION_WAIT,
        OPTION_DETACH,
        OPTION_FOREGROUND,
        OPTION_WHO,
        OPTION_LOCK_FILE,
        OPTION_VERSION_LETTER,
        OPTION_DESC,
        OPTION_NO_DESC,
        OPTION_LONG_DESC,
        OPTION_DETAILS,
#define X(id, ...) OPTION_##id,
        DUMP_TEXT_OPTIONS(X)
#undef X
        _OPTION_MAX,
} OptionId;

_Static_assert(_OPTION_MAX <= 64, "an option is a bit of what a verb takes and of what was given");

#define OPTION_BIT(id) (UINT64_C(1) << (id))

/* The options that every verb takes. */
#define OPTIONS_GLOBAL                                                                                              \
        (OPTION_BIT(OPTION_HELP) | OPTION_BIT(OPTION_VERSION) | OPTION_BIT(OPTION_SYSTEM) | OPTION_BIT(OPTION_USER) | \
         OPTION_BIT(OPTION_HOST) | OPTION_BIT(OPTION_MACHINE) | OPTION_BIT(OPTION_QUIET) |                           \
         OPTION_BIT(OPTION_NO_PAGER) | OPTION_BIT(OPTION_NO_ASK_PASSWORD))

/* Says how tables look. */
typedef struct TableOptions {
        bool no_legend, full;
        bool no_desc, long_desc, details; /* of events */
        bool value_only;           /* -P */
        const char *separator;     /* -x, or NULL */
} TableOptions;

/* Options of "reserve". */
typedef struct ReserveOptions {
        const char *what;          /* --what=, or NULL */
        usec_t wait;               /* --wait; 0: not set, USEC_INFINITY: without a limit */
        bool detach, who;          /* -d, --who */
} ReserveOptions;

/* Options of "metrics". */
typedef struct MetricsOptions {
        const char *textfile;      /* --textfile=, or NULL */
        bool http;                 /* --http */
} MetricsOptions;

/* The samples that a view is of. */
typedef struct SampleOptions {
        char **comms, **units;     /* --comm=, -u */
        uint32_t *pids, *tids;     /* --pid=, --tid= */
        size_t n_pids, n_tids;
        char **times_and_cpus;     /* as words of the viewer's: --since= --until= --last= -C … */
        bool no_idle;              /* --no-idle */
} SampleOptions;

/* Options that are passed on to journalctl. */
typedef struct JournalOptions {
        unsigned lines;            /* -n, UINT_MAX: not set */
        bool follow, pager_end;
} JournalOptions;

/* The dumps that are wanted, or how one is made. */
typedef struct DumpOptions {
        usec_t since, until;       /* µs since the epoch; 0 and USEC_INFINITY: not set */
        usec_t delay;
        bool fresh, reverse, symbols, bundle, no_keep; /* fresh: --new */
        const char *viewer;        /* --viewer=, or NULL */
        DumpRequest request;       /* the words of DUMP_TEXT_OPTIONS only */
} DumpOptions;

typedef struct ClientOptions {
        uint64_t given;            /* OPTION_BITs */
        bool user;                 /* the user's service manager and bus */
        const char *host;          /* -H, or NULL */
        const char *machine;       /* -M, or NULL */
        bool quiet, no_pager, no_ask_password, force;
        bool verbose;
        TableOptions table;
        JsonMode json;
        int signal;                /* -s, 0: not set */
        usec_t timeout;            /* 0: the daemon's default */
        usec_t now;                /* time at which the command line was read */
        bool now_too;              /* --now */
        const char *output;        /* -o, or NULL */
        DumpOptions dump;
        JournalOptions journal;
        ReserveOptions reserve;
        MetricsOptions metrics;
        SampleOptions samples;
        char **triggers;           /* --trigger= */
        char **sessions;           /* --session= */
        char **properties;         /* -p */
        char **states;             /* --state= */
} ClientOptions;

/* The order of the words behind a verb. */
typedef enum WordOrder {
        WORDS_MIXED,         /* options and operands in any order */
        WORDS_OPTIONS_FIRST, /* the first operand begins a command, whose options are its own */
        WORDS_VERBATIM,      /* none is an option of perfctl */
} WordOrder;

/* Returns the order for a word, which may be no verb. *ret_options has the verb's options: a letter that two options have is the
 * verb's one behind it. */
typedef WordOrder (*WordOrderOf)(const char *verb, uint64_t *ret_options);

/* Reads all options, before and behind the verb. The other words go to *ret_words: the verb first, if any. On -EINVAL the reason
 * has been printed. */
int client_options_parse(ClientOptions *o, int argc, char *argv[], WordOrderOf order_of, char ***ret_words);
void client_options_done(ClientOptions *o);

/* -EINVAL, after an error was printed: --no-keep is given without --now. */
int client_options_check_keep(const ClientOptions *o);

/* True for a word with a wildcard of fnmatch(3). No name of a session or unit contains one. */
bool word_is_pattern(const char *word);

/* A row of the table, for help and tests. */
typedef struct ClientOptionRow {
        char letter;          /* 0: none */
        const char *name;     /* without the dashes */
        const char *argument; /* its name in the help, or NULL; "[=NAME]": it may be left out */
        const char *help;
        size_t flag;          /* offset in ClientOptions of the bool that it sets; 0: it sets something else */
        size_t text;          /* … of the const char * that its argument becomes */
} ClientOptionRow;

const ClientOptionRow *client_option_row(OptionId id);

/* Prints the options of a mask, aligned. */
void client_options_print_help(uint64_t mask);
