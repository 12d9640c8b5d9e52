/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads what stands between slashes into a list, before anything of it is applied: a PMU's terms do not work in the order
 * in which they stand, and an event that is of several PMUs needs them several times. A value in quotes may hold what would
 * end it. Numbers are recognized here, names of terms by grammar-terms.c. */

#include "array.h"
#include "grammar-term.h"
#include "parse-number.h"

static int read_value(Parser *p, Term *t) {
        size_t at = p->at;
        int r;

        t->value_at = at;
        if (!parser_accept(p, '\''))
                return parser_word(p, ",/", &t->value);
        r = parser_word(p, "'", &t->value);
        if (r >= 0 && !parser_accept(p, '\''))
                return parser_fail(p, at, -EINVAL, "The quote is not closed");
        return r;
}

static int read_term(Parser *p, Term *t) {
        int r;

        parser_skip_blanks(p);
        t->at = t->value_at = p->at;
        r = parser_word(p, ",/={}", &t->name);
        if (r < 0)
                return r;
        if (!*t->name)
                return parser_fail(p, p->at, -EINVAL, "A term is wanted here");
        if (*t->name == '@')
                return parser_fail(p, t->at, -EOPNOTSUPP, "Terms with \"@\" (%s) are the driver's of a trace of hardware, which "
                                   "is not recorded", t->name);
        if (parser_accept(p, '=')) {
                r = read_value(p, t);
                if (r < 0)
                        return r;
                if (!*t->value)
                        return parser_fail(p, t->value_at, -EINVAL, "The value of %s is missing", t->name);
        }
        t->number = 1;
        t->is_number = !t->value || parse_uint64(t->value, &t->number) >= 0;
        term_classify(t);
        return 0;
}

int term_list_add(TermList *l, Term **ret) {
        if (ARRAY_RESERVE_NEXT(l->terms, l->n_terms) < 0)
                return -ENOMEM;
        l->terms[l->n_terms] = (Term){};
        *ret = &l->terms[l->n_terms++];
        return 0;
}

int term_list_read(Parser *p, TermList *l) {
        size_t begin = p->at;
        Term *t;
        int r;

        p->at++;
        if (parser_accept(p, '/'))
                return 0;
        do {
                r = term_list_add(l, &t);
                if (r >= 0)
                        r = read_term(p, t);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (!parser_accept(p, '/'))
                return parser_fail(p, begin, -EINVAL, "The terms are not closed by \"/\"");
        return 0;
}

void term_list_done(TermList *l) {
        for (size_t i = 0; i < l->n_terms; i++) {
                free(l->terms[i].name);
                free(l->terms[i].value);
        }
        free(l->terms);
        *l = (TermList){};
}
