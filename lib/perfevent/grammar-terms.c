/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What stands between slashes: terms that say how to record one event (period=, call-graph=, …), and, of a PMU, terms
 * that say what to count, which sysfs explains (pmu.c). A PMU's named event is such terms under a name; it holds no
 * other name, so that this ends. A term that perf has and we have not is refused by name. */

#include "grammar-parser.h"
#include "branch-filter.h"
#include "parse-number.h"
#include "pmu.h"

typedef enum TermKind {
        TERM_PMU, /* not one of ours */
        TERM_CONFIG,
        TERM_CONFIG1,
        TERM_CONFIG2,
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
        TERM_REFUSED,
} TermKind;

static const struct {
        const char *name;
        TermKind kind;
        bool of_tracepoints;
} term_names[] = {
        { "config", TERM_CONFIG, false },
        { "config1", TERM_CONFIG1, false },
        { "config2", TERM_CONFIG2, false },
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
        { "percore", TERM_REFUSED, true },
        { "aux-output", TERM_REFUSED, true },
        { "aux-sample-size", TERM_REFUSED, true },
        { "metric-id", TERM_REFUSED, true },
};

/* One term as it was read. */
typedef struct Term {
        char *name, *value; /* value NULL: just the name */
        size_t at, value_at;
        TermKind kind;
        bool of_tracepoints;
        uint64_t number;    /* the value, or 1 without one; where it is a number */
        bool is_number;
} Term;

static void term_done(Term *t) {
        free(t->name);
        free(t->value);
}

/* A value in quotes may hold what would end it: name='a,b/c'. */
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

        t->at = t->value_at = p->at;
        r = parser_word(p, ",/={}", &t->name);
        if (r < 0)
                return r;
        if (!*t->name)
                return parser_fail(p, p->at, -EINVAL, "A term is wanted here");
        if (parser_accept(p, '=')) {
                r = read_value(p, t);
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

/* What the parser of those words has against a value, at its place. */
static int refuse_value(Parser *p, const Term *t, int r, Diagnosis *d) {
        r = parser_fail(p, t->value_at, r, "%s", d->sentence ?: strerror(-r));
        diagnosis_done(d);
        return r;
}

static int set_call_graph(Parser *p, const Term *t, EventTerms *e) {
        Diagnosis d = {};
        int r = call_graph_parse(t->value ?: "", &e->call_graph, &d);

        if (r < 0)
                return refuse_value(p, t, r, &d);
        e->has_call_graph = true;
        return 0;
}

static int set_stack_size(Parser *p, const Term *t, EventTerms *e) {
        Diagnosis d = {};
        int r = call_graph_parse_dump_size(t->value ?: "", &e->stack_size, &d);

        return r < 0 ? refuse_value(p, t, r, &d) : 0;
}

static int set_branch_type(Parser *p, const Term *t, EventTerms *e) {
        Diagnosis d = {};
        int r = 0;

        e->branch_type = 0;
        if (!streq_ptr(t->value, "no"))
                r = branch_filter_parse(t->value ?: "", &e->branch_type, &d);
        if (r < 0)
                return refuse_value(p, t, r, &d);
        e->has_branch_type = true;
        return 0;
}

static int set_max_stack(Parser *p, const Term *t, EventTerms *e) {
        if (t->number == 0 || t->number > UINT16_MAX)
                return parser_fail(p, t->value_at, -EINVAL, "max-stack is 1 to %d frames", UINT16_MAX);
        e->max_stack = (unsigned) t->number;
        return 0;
}

static void set_period(EventTerms *e, const Term *t) {
        e->has_period = t->kind == TERM_PERIOD;
        e->has_frequency = !e->has_period;
        *(e->has_period ? &e->period : &e->frequency) = t->number;
}

static int apply_number(Parser *p, const Term *t, EventSpec *s) {
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
        case TERM_PERIOD:
        case TERM_FREQUENCY:
                set_period(e, t);
                break;
        case TERM_TIME:
                if (t->number > 1)
                        return parser_fail(p, t->value_at, -EINVAL, "time is 0 or 1");
                e->has_time = true;
                e->time = t->number;
                break;
        case TERM_MAX_STACK:
                return set_max_stack(p, t, e);
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
        default:
                return -EINVAL;
        }
        return 0;
}

static int apply_term(Parser *p, const Term *t, EventSpec *s) {
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
                return set_call_graph(p, t, &s->terms);
        if (t->kind == TERM_STACK_SIZE)
                return set_stack_size(p, t, &s->terms);
        if (t->kind == TERM_BRANCH_TYPE)
                return set_branch_type(p, t, &s->terms);
        if (!t->is_number || (!t->value && (t->kind == TERM_PERIOD || t->kind == TERM_FREQUENCY || t->kind == TERM_MAX_STACK)))
                return parser_fail(p, t->value_at, -EINVAL, "%s wants a number", t->name);
        return apply_number(p, t, s);
}

static int set_word(const Pmu *pmu, const char *term, uint64_t value, uint64_t words[static 3]) {
        static const char *const whole[] = { "config", "config1", "config2" };

        for (size_t i = 0; i < ELEMENTSOF(whole); i++)
                if (streq(term, whole[i])) {
                        words[i] = value;
                        return 0;
                }
        return pmu_set_term(pmu, term, value, words);
}

/* "event=0x3c,umask=1,any", as sysfs has it for a named event. */
static int apply_alias(Parser *p, const Pmu *pmu, const Term *t, char *text, uint64_t words[static 3]) {
        char *state = NULL;

        for (char *s = strtok_r(text, ",", &state); s; s = strtok_r(NULL, ",", &state)) {
                uint64_t number = 1;
                char *value = strchr(s, '=');
                int r;

                if (value)
                        *value++ = 0;
                r = value && parse_uint64(value, &number) < 0 ? -EINVAL : set_word(pmu, s, number, words);
                if (r < 0)
                        return parser_fail(p, t->at, r, "%s/%s/ needs a value for %s, which can't be given this way",
                                           pmu->name, t->name, s);
        }
        return 0;
}

static int unknown_term(Parser *p, const Pmu *pmu, const Term *t) {
        _cleanup_free_ char *terms = pmu_list_terms(pmu);

        return parser_fail(p, t->at, -ENOENT, "The PMU %s has no term or event %s; its terms are: %s",
                           pmu->name, t->name, terms && *terms ? terms : "none");
}

static int apply_pmu_term(Parser *p, const Pmu *pmu, const Term *t, uint64_t words[static 3]) {
        _cleanup_free_ char *alias = NULL;
        int r;

        if (!t->value && pmu_read_alias(pmu, t->name, &alias) >= 0)
                return apply_alias(p, pmu, t, alias, words);
        if (!t->is_number)
                return parser_fail(p, t->value_at, -EINVAL, "%s wants a number", t->name);
        r = pmu_set_term(pmu, t->name, t->number, words);
        if (r == -ERANGE)
                return parser_fail(p, t->value_at, r, "%s is too large for %s: at most %#" PRIx64, t->value, t->name,
                                   pmu_term_max(pmu, t->name));
        return r == -ENOENT ? unknown_term(p, pmu, t) : r;
}

static int apply_to_all(Parser *p, const Pmu *pmu, const Term *t, size_t first) {
        int r = 0;

        for (size_t i = first; i < p->list->n_specs && r >= 0; i++) {
                EventSpec *s = &p->list->specs[i];
                uint64_t words[3] = { s->attr.config, s->attr.config1, s->attr.config2 };

                if (s->attr.type == PERF_TYPE_BREAKPOINT)
                        return parser_fail(p, t->at, -EINVAL, "Breakpoints have no terms");
                if (t->kind != TERM_PMU) {
                        r = apply_term(p, t, s);
                        continue;
                }
                if (!pmu)
                        return parser_fail(p, t->at, -EINVAL, "There is no term %s", t->name);
                r = apply_pmu_term(p, pmu, t, words);
                s->attr.config = words[0];
                s->attr.config1 = words[1];
                s->attr.config2 = words[2];
        }
        return r;
}

static int parse_terms_with(Parser *p, const Pmu *pmu, size_t first) {
        size_t begin = p->at;
        int r = 0;

        p->at++;
        if (parser_accept(p, '/'))
                return 0;
        do {
                _cleanup_(term_done) Term t = {};

                r = read_term(p, &t);
                if (r >= 0)
                        r = apply_to_all(p, pmu, &t, first);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (!parser_accept(p, '/'))
                return parser_fail(p, begin, -EINVAL, "The terms are not closed by \"/\"");
        return 0;
}

int parse_terms(Parser *p, size_t first) {
        return parse_terms_with(p, NULL, first);
}

/* PMUs that write to an area of their own (AUX), or that need a program's symbols. */
static bool pmu_is_refused(const char *name) {
        static const char *const prefixes[] = { "intel_pt", "intel_bts", "cs_etm", "arm_spe", "hisi_ptt", "kprobe", "uprobe" };

        for (size_t i = 0; i < ELEMENTSOF(prefixes); i++)
                if (startswith(name, prefixes[i]))
                        return true;
        return false;
}

static int add_pmu_event(Parser *p, const Pmu *pmu) {
        EventSpec *s;
        int r;

        r = parser_add(p, pmu->type, 0, &s);
        if (r < 0 || pmu->n_cpus == 0)
                return r;
        s->cpus = calloc(pmu->n_cpus, sizeof(int));
        if (!s->cpus)
                return -ENOMEM;
        memcpy(s->cpus, pmu->cpus, pmu->n_cpus * sizeof(int));
        s->n_cpus = pmu->n_cpus;
        return 0;
}

int parse_pmu(Parser *p, const char *name) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        size_t first = p->list->n_specs;
        int r;

        if (pmu_is_refused(name))
                return parser_fail(p, p->begin, -EOPNOTSUPP, "Events of the PMU %s are not supported", name);
        r = pmu_open(p->sources.event_source, name, &pmu);
        if (r == -ENOENT)
                return parser_fail(p, p->begin, r, "There is no PMU %s on this machine; %s lists those that are", name,
                                   p->sources.event_source ?: PMU_DEFAULT_ROOT);
        if (r < 0)
                return parser_fail(p, p->begin, r, "The PMU %s can't be read: %s", name, strerror(-r));
        r = add_pmu_event(p, pmu);
        return r < 0 ? r : parse_terms_with(p, pmu, first);
}

int parse_pmu_alias(Parser *p, const char *alias) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        _cleanup_free_ char *text = NULL;
        Term t = { .name = (char *) alias, .at = p->begin };
        uint64_t words[3] = {};
        EventSpec *s;
        int r;

        r = pmu_find_alias(p->sources.event_source, alias, &pmu);
        if (r >= 0)
                r = pmu_read_alias(pmu, alias, &text);
        if (r == -ENOENT)
                return -EAGAIN;
        if (r >= 0)
                r = apply_alias(p, pmu, &t, text, words);
        if (r >= 0)
                r = add_pmu_event(p, pmu);
        if (r < 0)
                return r;
        s = &p->list->specs[p->list->n_specs - 1];
        s->attr.config = words[0];
        s->attr.config1 = words[1];
        s->attr.config2 = words[2];
        return 0;
}
