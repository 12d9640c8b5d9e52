/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What stands between the slashes of an event, shared by the files of the grammar. Not for anybody else. */

#include "grammar-parser.h"

typedef enum TermKind {
        TERM_PMU, /* not one of ours: a PMU's term or event, or nothing */
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
        char *name, *value; /* value NULL: just the name */
        size_t at, value_at;
        TermKind kind;
        bool of_tracepoints;
        uint64_t number;    /* the value, or 1 without one; where it is a number */
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

/* What a term that is not a PMU's means for the event. */
int term_apply(Parser *p, const Term *t, EventSpec *s);

/* Fails at the term, with those that there are: the PMU's (or NULL) and those of every event. */
int term_unknown(Parser *p, const Term *t, const char *pmu_name, const char *pmu_terms);
