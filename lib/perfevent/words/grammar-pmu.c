/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events of the PMUs that sysfs shows: "PMU/terms/", or a PMU's named event without the PMU. A name may stand for
 * several PMUs, each of which gets an event. A named event is a list of terms; these contain no other named event, so
 * there is no recursion.
 *
 * As with perf, the order of a PMU's terms does not matter: config= and rNNN set words, terms and named events add
 * bits to them. */

#include "array.h"
#include "event-name.h"
#include "grammar-term.h"
#include "near-name.h"
#include "parse-number.h"
#include "pmu.h"
#include "strv.h"

int parser_add_of_core(Parser *p, const char *pmu_name, uint32_t type, uint64_t config) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        EventSpec *s;
        int r = pmu_open(p->sources.event_source, pmu_name, &pmu);

        if (r < 0)
                return parser_fail(p, p->begin, r, "The PMU %s can't be read: %s", pmu_name, strerror(-r));
        if (type == PERF_TYPE_RAW)
                type = pmu->type;
        else
                config |= (uint64_t) pmu->type << PERF_PMU_TYPE_SHIFT;
        r = parser_add(p, type, config, &s);
        if (r >= 0)
                r = event_spec_set_cpus(s, pmu->cpus, pmu->n_cpus);
        return r < 0 ? r : free_and_strdup(&s->core, pmu_name);
}

/* "instructions" of "cpu_core/instructions/": an event of one kind of core. -EAGAIN: no such name. */
static int parse_symbol_of_core(Parser *p, const char *core, const char *word) {
        uint32_t type = PERF_TYPE_HW_CACHE;
        uint64_t config;

        if (!event_name_find_cache(word, &config) &&
            (!event_name_find(word, &type, &config) || type != PERF_TYPE_HARDWARE))
                return -EAGAIN;
        return parser_add_of_core(p, core, type, config);
}

/* Refuses PMUs that write to an area of their own (AUX) or have another syntax here. */
static int refuse_unsupported(Parser *p, const char *name) {
        static const char *const traces[] = { "intel_pt", "intel_bts", "cs_etm", "arm_spe", "hisi_ptt" };

        for (size_t i = 0; i < ELEMENTSOF(traces); i++)
                if (startswith(name, traces[i]))
                        return parser_fail(p, p->begin, -EOPNOTSUPP, "Traces of hardware (%s) are not supported, perf record "
                                           "takes them", name);
        if (streq(name, "uprobe"))
                return parser_fail(p, p->begin, -EOPNOTSUPP, "Probes are uprobe:PATH:SYMBOL[+OFFSET][%%return] here");
        if (streq(name, "kprobe"))
                return parser_fail(p, p->begin, -EOPNOTSUPP, "Probes are kprobe:SYMBOL[+OFFSET][%%return] here");
        return 0;
}

static void get_words(const struct perf_event_attr *a, uint64_t words[static PMU_WORDS]) {
        words[0] = a->config;
        words[1] = a->config1;
        words[2] = a->config2;
#if PMU_WORDS > 3
        words[3] = a->config3;
#endif
}

static void set_words(struct perf_event_attr *a, const uint64_t words[static PMU_WORDS]) {
        a->config = words[0];
        a->config1 = words[1];
        a->config2 = words[2];
#if PMU_WORDS > 3
        a->config3 = words[3];
#endif
}

static int set_whole_word(const char *name, uint64_t value, uint64_t words[static PMU_WORDS]) {
        static const char *const whole[] = { "config", "config1", "config2", "config3" };

        for (size_t i = 0; i < PMU_WORDS; i++)
                if (streq(name, whole[i])) {
                        words[i] |= value;
                        return 0;
                }
        return -ENOENT;
}

/* A part of a named event: "umask=1", "any", "nodeid=?" (whose value stands beside the name). */
static int apply_part(const Pmu *pmu, char *part, const TermList *l, uint64_t words[static PMU_WORDS]) {
        char *value = strchr(part, '=');
        uint64_t number = 1;
        int r;

        if (value)
                *value++ = 0;
        if (value && streq(value, "?"))
                return ANY_OF(l->n_terms, i, l->terms[i].value && l->terms[i].is_number && streq(l->terms[i].name, part)) ?
                               0 : -ENODATA;
        if (value && parse_uint64(value, &number) < 0)
                return -EINVAL;
        r = set_whole_word(part, number, words);
        return r == -ENOENT ? pmu_set_term(pmu, part, number, words) : r;
}

/* "event=0x3c,umask=1,any", as sysfs has it for a named event. */
static int apply_alias(Parser *p, const Pmu *pmu, const TermList *l, const Term *t, EventSpec *s, PmuAlias *a) {
        uint64_t words[PMU_WORDS];
        char *state = NULL;

        get_words(&s->attr, words);
        for (char *part = strtok_r(a->terms, ",", &state); part; part = strtok_r(NULL, ",", &state)) {
                int r = apply_part(pmu, part, l, words);

                if (r == -ENODATA)
                        return parser_fail(p, t->at, -EINVAL, "%s/%s/ needs a value for %s: %s/%s,%s=VALUE/", pmu->name, t->name,
                                           part, pmu->name, t->name, part);
                if (r < 0)
                        return parser_fail(p, t->at, r, "%s/%s/ can't be understood: sysfs says %s, which is no term of it",
                                           pmu->name, t->name, part);
        }
        set_words(&s->attr, words);
        if (!a->unit && a->scale == 1)
                return 0;
        if (s->unit || s->scale != 1)
                return parser_fail(p, t->at, -EINVAL, "Only one of the named events in an event may have a unit or a scale");
        return event_spec_set_unit(s, a->unit, a->scale);
}

static int apply_bits(Parser *p, const Pmu *pmu, const Term *t, EventSpec *s) {
        uint64_t words[PMU_WORDS];
        int r;

        if (!t->is_number)
                return parser_fail(p, t->value_at, -EINVAL, "%s requires a number", t->name);
        get_words(&s->attr, words);
        r = pmu_set_term(pmu, t->name, t->number, words);
        if (r == -ERANGE)
                return parser_fail(p, t->value_at, r, "%s is too large for %s: at most %#" PRIx64, t->value, t->name,
                                   pmu_term_max(pmu, t->name));
        set_words(&s->attr, words);
        return r;
}

/* Returns the named event of a term, which is the name only or a value: event=NAME. */
static const char *term_alias(const Pmu *pmu, const Term *t) {
        if (t->value)
                return !t->is_number && strcasecmp(t->name, "event") == 0 ? t->value : NULL;
        return pmu_has_term(pmu, t->name) ? NULL : t->name;
}

static int refuse_term(Parser *p, const Pmu *pmu, const Term *t) {
        _cleanup_(near_names_done) NearNames near = { .wanted = t->name };
        _cleanup_strv_free_ char **aliases = NULL;
        _cleanup_free_ char *terms = pmu_list_terms(pmu), *hint = NULL;

        if (!t->value)
                (void) pmu_list_aliases(pmu, &aliases);
        STRV_FOREACH(a, aliases)
                near_names_offer(&near, *a);
        hint = near_names_hint(&near);
        if (hint)
                return parser_fail(p, t->at, -ENOENT, "The PMU %s has no event %s%s", pmu->name, t->name, hint);
        return term_unknown(p, t, pmu->name, terms);
}

static int apply_pmu_term(Parser *p, const Pmu *pmu, const TermList *l, const Term *t, EventSpec *s) {
        _cleanup_(pmu_alias_done) PmuAlias a = {};
        const char *alias = term_alias(pmu, t);
        int r = alias ? pmu_read_alias(pmu, alias, &a) : -ENOENT;

        if (r != -ENOENT)
                return r < 0 ? r : apply_alias(p, pmu, l, t, s, &a);
        return pmu_has_term(pmu, t->name) ? apply_bits(p, pmu, t, s) : refuse_term(p, pmu, t);
}

/* "cpu/r1a8/": config=0x1a8, if the PMU has no such name itself. */
static bool term_is_raw(const Pmu *pmu, const Term *t) {
        _cleanup_(pmu_alias_done) PmuAlias a = {};
        uint64_t config;

        return t->kind == TERM_PMU && !t->value && !pmu_has_term(pmu, t->name) && event_name_parse_raw(t->name, &config) >= 0 &&
               pmu_read_alias(pmu, t->name, &a) == -ENOENT;
}

static int apply_terms(Parser *p, const Pmu *pmu, const TermList *l, EventSpec *s) {
        int r = 0;

        for (size_t i = 0; i < l->n_terms && r >= 0; i++)
                if (l->terms[i].kind != TERM_PMU)
                        r = term_apply(p, &l->terms[i], s);
                else if (term_is_raw(pmu, &l->terms[i]))
                        (void) event_name_parse_raw(l->terms[i].name, (uint64_t *) &s->attr.config);
        for (size_t i = 0; i < l->n_terms && r >= 0; i++)
                if (l->terms[i].kind == TERM_PMU && !term_is_raw(pmu, &l->terms[i]))
                        r = apply_pmu_term(p, pmu, l, &l->terms[i], s);
        return r;
}

static int add_pmu_event(Parser *p, const char *name, const TermList *l) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        EventSpec *s;
        int r = pmu_open(p->sources.event_source, name, &pmu);

        if (r < 0)
                return parser_fail(p, p->begin, r, "The PMU %s can't be read: %s", name, strerror(-r));
        r = parser_add(p, pmu->type, 0, &s);
        if (r >= 0)
                r = event_spec_set_unit(s, NULL, 1); /* only named events have one: "software/config=0/" has none, as
                                                      * with perf */
        if (r >= 0)
                r = event_spec_set_cpus(s, pmu->cpus, pmu->n_cpus);
        return r < 0 ? r : apply_terms(p, pmu, l, s);
}

static int add_pmu_events(Parser *p, char *const *names, const TermList *l) {
        int r = 0;

        STRV_FOREACH(name, names)
                if (r >= 0)
                        r = add_pmu_event(p, *name, l);
        return r;
}

/* "cpu_core/instructions/" if it is not a named event; terms that select how to record may follow it. -EAGAIN: not of
 * this form. */
static int try_symbol_of_core(Parser *p, const char *name, const TermList *l) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        _cleanup_(pmu_alias_done) PmuAlias a = {};
        EventSpec *s;
        int r;

        if (l->n_terms == 0 || l->terms[0].value || !pmu_is_hybrid(p->sources.event_source, name))
                return -EAGAIN;
        r = pmu_open(p->sources.event_source, name, &pmu);
        if (r >= 0)
                r = pmu_read_alias(pmu, l->terms[0].name, &a);
        if (r != -ENOENT)
                return r < 0 ? r : -EAGAIN;
        r = parse_symbol_of_core(p, name, l->terms[0].name);
        if (r < 0)
                return r;
        s = &p->list->specs[p->list->n_specs - 1];
        r = free_and_strdup(&s->name, l->terms[0].name);
        for (size_t i = 1; i < l->n_terms && r >= 0; i++)
                r = l->terms[i].kind == TERM_PMU ? term_unknown(p, &l->terms[i], NULL, NULL) : term_apply(p, &l->terms[i], s);
        return r;
}

int parse_pmu(Parser *p, const char *name) {
        _cleanup_(term_list_done) TermList list = {};
        _cleanup_strv_free_ char **names = NULL;
        int r = refuse_unsupported(p, name);

        if (r < 0)
                return r;
        r = pmu_find(p->sources.event_source, name, &names);
        if (r < 0)
                return r == -ENOENT ? -EAGAIN : r;
        r = term_list_read(p, &list);
        if (r < 0)
                return r;
        r = try_symbol_of_core(p, names[0], &list);
        return r == -EAGAIN ? add_pmu_events(p, names, &list) : r;
}

int parse_pmu_alias(Parser *p, const char *alias) {
        _cleanup_(term_list_done) TermList list = {};
        _cleanup_strv_free_ char **names = NULL;
        Term *t;
        int r = pmu_find_alias(p->sources.event_source, alias, &names);

        if (r < 0)
                return r == -ENOENT ? -EAGAIN : r;
        r = term_list_add(&list, &t);
        if (r < 0)
                return r;
        *t = (Term) { .name = strdup(alias), .at = p->begin, .number = 1, .is_number = true };
        if (!t->name)
                return -ENOMEM;
        if (parser_peek(p) == '/')
                r = term_list_read(p, &list);
        return r < 0 ? r : add_pmu_events(p, names, &list);
}
