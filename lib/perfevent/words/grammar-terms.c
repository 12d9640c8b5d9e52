/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Terms that select how to record one event (period=, call-graph=, …), for events of any kind. Those that select what
 * to count are its PMU's: grammar-pmu.c. A term that perf has and we lack is refused by name.
 *
 * The terms between slashes are read into a list before any is applied: a PMU's terms are not applied in their order,
 * and an event of several PMUs needs them several times. A value in quotes may have characters that would end it
 * otherwise. */

#include "array.h"
#include "grammar-term.h"
#include "branch-filter.h"
#include "near-name.h"
#include "parse-number.h"
#include "strv.h"

static const struct {
        const char *name;
        TermKind kind;
        bool of_tracepoints;
} term_names[] = {
        { "config", TERM_CONFIG, false },
        { "config1", TERM_CONFIG1, false },
        { "config2", TERM_CONFIG2, false },
#ifdef PERF_ATTR_SIZE_VER8
        { "config3", TERM_CONFIG3, false },
#endif
        { "name", TERM_NAME, false },
        { "period", TERM_PERIOD, false },
        { "freq", TERM_FREQUENCY, false },
        { "time", TERM_TIME, false },
        { "call-graph", TERM_CALL_GRAPH, true },
        { "max-stack", TERM_MAX_STACK, true },
        { "inherit", TERM_INHERIT, true },
        { "no-inherit", TERM_NO_INHERIT, true },
        { "overwrite", TERM_OVERWRITE, true },
        { "no-overwrite", TERM_NO_OVERWRITE, true },
        { "stack-size", TERM_STACK_SIZE, true },
        { "branch_type", TERM_BRANCH_TYPE, true },
        { "nr", TERM_REFUSED, true },
        { "percore", TERM_PER_CORE, true },
        { "aux-output", TERM_REFUSED, true },
        { "aux-sample-size", TERM_REFUSED, true },
        { "metric-id", TERM_REFUSED, true },
};

static int read_term(Parser *p, Term *t) {
        int r;

        parser_skip_blanks(p);
        t->at = t->value_at = p->at;
        r = parser_word(p, ",/={}", &t->name);
        if (r < 0)
                return r;
        if (!*t->name)
                return parser_fail(p, p->at, -EINVAL, "A term is expected here");
        if (*t->name == '@')
                return parser_fail(p, t->at, -EOPNOTSUPP, "Terms with \"@\" (%s) are the driver's of a trace of hardware, which "
                                   "is not recorded", t->name);
        if (parser_accept(p, '=')) {
                t->value_at = p->at;
                r = parser_quoted_word(p, ",/", &t->value);
                if (r < 0)
                        return r;
                if (!*t->value)
                        return parser_fail(p, t->value_at, -EINVAL, "The value of %s is missing", t->name);
        }
        t->number = 1;
        t->is_number = !t->value || parse_uint64(t->value, &t->number) >= 0;
        for (size_t i = 0; i < ELEMENTSOF(term_names); i++)
                if (streq(term_names[i].name, t->name)) {
                        t->kind = term_names[i].kind;
                        t->of_tracepoints = term_names[i].of_tracepoints;
                }
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

/* Fails at a value with the sentence of its own parser. */
static int term_refuse_value(Parser *p, const Term *t, int r, Diagnosis *d) {
        r = parser_fail(p, t->value_at, r, "%s", d->sentence ?: strerror(-r));
        diagnosis_done(d);
        return r;
}

static int term_set_call_graph(Parser *p, const Term *t, EventTerms *e) {
        Diagnosis d = {};
        int r = call_graph_parse(t->value ?: "", &e->call_graph, &d);

        if (r < 0)
                return term_refuse_value(p, t, r, &d);
        e->has_call_graph = true;
        return 0;
}

static int term_set_branch_type(Parser *p, const Term *t, EventTerms *e) {
        Diagnosis d = {};
        int r = 0;

        e->branch_type = 0;
        if (!streq_ptr(t->value, "no"))
                r = branch_filter_parse(t->value ?: "", &e->branch_type, &d);
        if (r < 0)
                return term_refuse_value(p, t, r, &d);
        e->has_branch_type = true;
        return 0;
}

static int term_apply_number(Parser *p, const Term *t, EventSpec *s) {
        EventTerms *e = &s->terms;

        switch (t->kind) {
        case TERM_CONFIG:
                s->attr.config = t->number;
                break;
        case TERM_CONFIG1:
                s->attr.config1 = t->number;
                break;
        case TERM_CONFIG2:
                s->attr.config2 = t->number;
                break;
#ifdef PERF_ATTR_SIZE_VER8
        case TERM_CONFIG3:
                s->attr.config3 = t->number;
                break;
#endif
        case TERM_PERIOD:
        case TERM_FREQUENCY:
                e->has_period = t->kind == TERM_PERIOD;
                e->has_frequency = !e->has_period;
                *(e->has_period ? &e->period : &e->frequency) = t->number;
                break;
        case TERM_TIME:
                if (t->number > 1)
                        return parser_fail(p, t->value_at, -EINVAL, "time is 0 or 1");
                e->has_time = true;
                e->time = t->number;
                break;
        case TERM_MAX_STACK:
                if (t->number == 0 || t->number > UINT16_MAX)
                        return parser_fail(p, t->value_at, -EINVAL, "max-stack is 1 to %d frames", UINT16_MAX);
                e->max_stack = (unsigned) t->number;
                break;
        case TERM_INHERIT:
        case TERM_NO_INHERIT:
                e->has_inherit = true;
                e->inherit = (t->number != 0) == (t->kind == TERM_INHERIT);
                break;
        case TERM_OVERWRITE:
        case TERM_NO_OVERWRITE:
                e->has_overwrite = true;
                e->overwrite = (t->number != 0) == (t->kind == TERM_OVERWRITE);
                break;
        case TERM_PER_CORE: /* perf stat's way to add up counts, without effect on samples */
                break;
        default:
                return -EINVAL;
        }
        return 0;
}

int term_apply(Parser *p, const Term *t, EventSpec *s) {
        if (t->kind == TERM_REFUSED)
                return parser_fail(p, t->at, -EOPNOTSUPP, "The term %s is not supported", t->name);
        if (s->tracepoint_name && !t->of_tracepoints)
                return parser_fail(p, t->at, -EINVAL, "The term %s is not one of tracepoints, which have call-graph, max-stack, "
                                   "stack-size, inherit, no-inherit, overwrite and no-overwrite", t->name);
        if (s->probe_kind != PROBE_NONE && (t->kind == TERM_CONFIG || t->kind == TERM_CONFIG1 || t->kind == TERM_CONFIG2))
                return parser_fail(p, t->at, -EINVAL, "The term %s is not one of probes: their place says it", t->name);
        if (t->kind == TERM_NAME)
                return t->value ? free_and_strdup(&s->name, t->value) :
                                  parser_fail(p, t->at, -EINVAL, "The value of name is missing");
        if (t->kind == TERM_CALL_GRAPH)
                return term_set_call_graph(p, t, &s->terms);
        if (t->kind == TERM_STACK_SIZE) {
                Diagnosis d = {};
                int r = call_graph_parse_dump_size(t->value ?: "", &s->terms.stack_size, &d);

                return r < 0 ? term_refuse_value(p, t, r, &d) : 0;
        }
        if (t->kind == TERM_BRANCH_TYPE)
                return term_set_branch_type(p, t, &s->terms);
        if (!t->is_number || (!t->value && (t->kind == TERM_PERIOD || t->kind == TERM_FREQUENCY || t->kind == TERM_MAX_STACK)))
                return parser_fail(p, t->value_at, -EINVAL, "%s requires a number", t->name);
        return term_apply_number(p, t, s);
}

static int term_list_names(NearNames *near, const char *pmu_terms, char ***names) {
        int r = 0;

        for (const char *at = pmu_terms; at && *at && r >= 0; at += strspn(at, ",")) {
                size_t n = strcspn(at, ",");

                r = strv_extendf(names, "%.*s", (int) n, at);
                at += n;
        }
        for (size_t i = 0; i < ELEMENTSOF(term_names) && r >= 0; i++)
                if (term_names[i].kind != TERM_REFUSED)
                        r = strv_extend(names, term_names[i].name);
        STRV_FOREACH(name, *names)
                near_names_offer(near, *name);
        return r;
}

int term_unknown(Parser *p, const Term *t, const char *pmu_name, const char *pmu_terms) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *list = NULL, *hint = NULL;
        _cleanup_(near_names_done) NearNames near = { .wanted = t->name };

        if (term_list_names(&near, pmu_terms, &names) < 0)
                return -ENOMEM;
        list = strv_join(names, ",");
        hint = near_names_hint(&near);
        if (pmu_name)
                return parser_fail(p, t->at, -ENOENT, "The PMU %s has no term or event %s%s%s terms: %s", pmu_name, t->name,
                                   hint ?: "", hint ? " Valid" : "; valid", list ?: "");
        return parser_fail(p, t->at, -EINVAL, "There is no term %s%s%s terms: %s", t->name, hint ?: "",
                           hint ? " Valid" : "; valid", list ?: "");
}

/* Parses the terms of every kind except PMUs. */
int parse_terms(Parser *p, size_t first) {
        _cleanup_(term_list_done) TermList list = {};
        int r = term_list_read(p, &list);

        for (size_t t = 0; t < list.n_terms && r >= 0; t++)
                for (size_t i = first; i < p->list->n_specs && r >= 0; i++) {
                        EventSpec *s = &p->list->specs[i];

                        if (s->attr.type == PERF_TYPE_BREAKPOINT)
                                return parser_fail(p, list.terms[t].at, -EINVAL, "Breakpoints have no terms");
                        if (list.terms[t].kind == TERM_PMU)
                                return term_unknown(p, &list.terms[t], NULL, NULL);
                        r = term_apply(p, &list.terms[t], s);
                }
        return r;
}
