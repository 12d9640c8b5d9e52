/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The state of one parse, private to the files of the grammar. */

#include <inttypes.h>
#include <stdarg.h>
#include "grammar.h"

typedef struct Parser {
        const char *text;
        size_t at;        /* next character */
        size_t begin;     /* of the current event */
        size_t name_end;  /* end of the shown name; 0: that of the event's text */
        EventSpecs *list;
        Diagnosis *d;     /* or NULL */
        GrammarSources sources;
        char *tracefs;    /* found when the first tracepoint needs it */
} Parser;

/* Sets sentence and column, unless they are set, and returns r. */
int parser_fail(Parser *p, size_t at, int r, const char *format, ...) _printf_(4, 5);

char parser_peek(const Parser *p); /* 0 at the end */
bool parser_accept(Parser *p, char c);
void parser_skip_blanks(Parser *p);

#define PARSER_WORD_ENDS ",{}/:= \t\n"

/* Reads up to the next character of until; *ret is a new string, perhaps empty. */
int parser_word(Parser *p, const char *until, char **ret);
int parser_quoted_word(Parser *p, const char *until, char **ret); /* or up to the closing quote, after ' */

int parser_add(Parser *p, uint32_t type, uint64_t config, EventSpec **ret);

/* Parses an event whose first word was read; the character after it is next. Terms of kinds other than PMUs are left
 * to parse_terms(). */
int parse_kind(Parser *p, const char *word);

/* "/term,term=value/" for the specs from first on; p->at is at the first slash. */
int parse_terms(Parser *p, size_t first);

/* "PMU/term=value,…/"; p->at is at the first slash. -EAGAIN: there is no such PMU. */
int parse_pmu(Parser *p, const char *name);

/* Adds an event of one kind of core of a hybrid machine. type: PERF_TYPE_RAW, or one of the kernel's own names. */
int parser_add_of_core(Parser *p, const char *pmu_name, uint32_t type, uint64_t config);

/* A named event of any PMU, without the PMU, and terms if they follow. -EAGAIN: there is none of that name. */
int parse_pmu_alias(Parser *p, const char *alias);

/* "uprobe:PATH:SYMBOL" and "kprobe:SYMBOL"; p->at is at the first colon. */
int parse_probe(Parser *p, const char *kind);
