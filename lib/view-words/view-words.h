/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <getopt.h>

#include "cleanup.h"

/* This is how the options of perf-recorder-view's verbs are written. */

typedef struct ViewWord {
        const char *name;
        char letter;       /* 0: none */
        const char *value; /* as in the help: "=FILE", or "[=MODE]" if it may be missing; NULL: it has none */
        const char *help;  /* lines; NULL: it stands in the line of the next row */
        bool takes_next;   /* with "[=…]": the next word is the value if it is one of --call-graph's */
        bool accepted;     /* it asks for what is always so */
} ViewWord;

/* The options of a verb, without --help. NULL: there is no such verb. */
const ViewWord *view_words_find(const char *verb, size_t *ret_n);

/* Prints the help of options. */
void view_words_print(const ViewWord *words, size_t n);

/* A table by which getopt_long(3) reads a command line. Initialise with VIEW_TABLE_EMPTY. */
#define VIEW_TABLE_MAX 128u
typedef struct ViewTable {
        ViewWord words[VIEW_TABLE_MAX];
        struct option rows[VIEW_TABLE_MAX + 1];
        char letters[3 * VIEW_TABLE_MAX + 2];
        size_t n;
} ViewTable;

#define VIEW_TABLE_EMPTY { .letters = "-" } /* words that are no options come in their order */

/* Adds options behind those that it has, but for those whose names it has. -E2BIG: there are too many. */
int view_table_add(ViewTable *t, const ViewWord *words, size_t n);

/* Reads on in argv, which ends with NULL, from optind(3). *ret is the next option and *ret_value its value, or NULL; of a word that
 * is no option *ret is NULL, and *ret_value the word. 1; 0: the options are at their end, and what follows optind is no option;
 * -EINVAL: getopt_long(3) refuses an option, and said so unless opterr is 0. */
int view_table_next(const ViewTable *t, int argc, char **argv, const ViewWord **ret, const char **ret_value);

/* The words of --call-graph. perf takes any beginning of a word, and the first one that has it. */
typedef enum CallGraphWord {
        CALL_GRAPH_WORD_GRAPH,
        CALL_GRAPH_WORD_FRACTAL,
        CALL_GRAPH_WORD_FLAT,
        CALL_GRAPH_WORD_FOLDED,
        CALL_GRAPH_WORD_NONE,
        CALL_GRAPH_WORD_CALLER,
        CALL_GRAPH_WORD_CALLEE,
        CALL_GRAPH_WORD_FUNCTION,
        CALL_GRAPH_WORD_ADDRESS,
        CALL_GRAPH_WORD_SOURCE_LINE,
        CALL_GRAPH_WORD_PERCENT,
        CALL_GRAPH_WORD_PERIOD,
        CALL_GRAPH_WORD_COUNT,
        _CALL_GRAPH_WORD_MAX,
} CallGraphWord;

/* The word that begins so; -EINVAL. */
int call_graph_word_find(const char *beginning, size_t length);

/* Says whether a command line of report has its entries shown in a browser, on a terminal. */
typedef enum ReportBrowsing {
        REPORT_BROWSING_POSSIBLE, /* nothing is against it */
        REPORT_BROWSING_REFUSED,  /* an option asks for text, or for something else than a table of entries */
        REPORT_BROWSING_WANTED,   /* --tui */
} ReportBrowsing;

/* options: a word each, as "--name" or "--name=value". The last one of --tui, --stdio and --plain counts. */
ReportBrowsing report_browsing_of(char *const *options);
