/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The terms between the slashes of an event, private to the files of the grammar. */

#include "grammar-parser.h"

typedef enum TermKind {
        TERM_PMU, /* none of the others: a PMU's term or event, or unknown */
        TERM_CONFIG,
        TERM_CONFIG1,
        TERM_CONFIG2,
        TERM_CONFIG3,
        TERM_NAME,
        TERM_PERIOD,
        TERM_FREQUENCY,
        TERM_TIME,
        TERM_CALL_GRAPH,
        TERM_MAX_STACK,
        TERM_STACK_SIZE,
        TERM_BRANCH_TYPE,
        TERM_INHERIT,
        TERM_NO_INHERIT,
        TERM_OVERWRITE,
        TERM_NO_OVERWRITE,
        TERM_PER_CORE,
        TERM_REFUSED,
} TermKind;

/* One term as it was read. */
typedef struct Term {
        char *name, *value; /* value NULL: the name only */
        size_t at, value_at;
        TermKind kind;
        bool of_tracepoints;
        uint64_t number;    /* the value, if it is a number; 1 without a value */
        bool is_number;
} Term;

typedef struct TermList {
        Term *terms;
        size_t n_terms;
} TermList;

/* "/term,term=value/"; p->at is at the first slash. */
int term_list_read(Parser *p, TermList *list);
int term_list_add(TermList *list, Term **ret);
void term_list_done(TermList *list);

/* Applies a term that is not a PMU's to the event. */
int term_apply(Parser *p, const Term *t, EventSpec *s);

/* Fails at the term with the list of valid ones: the PMU's (or NULL) and those of every event. */
int term_unknown(Parser *p, const Term *t, const char *pmu_name, const char *pmu_terms);
