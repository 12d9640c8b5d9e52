/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The -e grammar of perf record, by recursive descent over one string:
 *
 *     list   = item { "," item }
 *     item   = [ name [ ":" ] ] "{" event { "," event } "}" [ ":" modifiers ] | event
 *     event  = kind [ "/" terms "/" ] [ ":" ] [ modifiers ]
 *     kind   = symbol | cache event | "r" hex | number ":" number | "mem:" … | probe | pmu "/" terms "/" | system ":" name
 *
 * The first word and the character after it show the kind. Each step reads at p->at and moves it forward, so the time
 * is linear; the input's length and the number of events are limited, and groups do not nest. The first failure ends
 * the parse, with its column, and event_specs_parse() then removes the events that were added.
 *
 * Kinds are in grammar-kinds.c, -pmu.c, -tracepoint.c and -probe.c, terms in grammar-terms.c, modifiers in
 * grammar-modifiers.c. */

#include "grammar.h"

#include "format-text.h"
#include "grammar-parser.h"

int parser_fail(Parser *p, size_t at, int r, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;

        if (!p->d)
                return r;
        va_start(ap, format);
        sentence = format_text_va(format, ap);
        va_end(ap);
        if (p->d->column == 0)
                p->d->column = at + 1;
        return diagnosis_set(p->d, r, "%s", sentence ?: "not an event");
}

char parser_peek(const Parser *p) {
        return p->text[p->at];
}

bool parser_accept(Parser *p, char c) {
        if (p->text[p->at] != c)
                return false;
        p->at++;
        return true;
}

int parser_word(Parser *p, const char *until, char **ret) {
        size_t n = strcspn(p->text + p->at, until);
        char *word = strndup(p->text + p->at, n);

        if (!word)
                return -ENOMEM;
        p->at += n;
        *ret = word;
        return 0;
}

int parser_quoted_word(Parser *p, const char *until, char **ret) {
        size_t at = p->at;
        int r;

        if (!parser_accept(p, '\''))
                return parser_word(p, until, ret);
        r = parser_word(p, "'", ret);
        if (r >= 0 && !parser_accept(p, '\''))
                return parser_fail(p, at, -EINVAL, "The quote is not closed");
        return r;
}

void parser_skip_blanks(Parser *p) {
        p->at += strspn(p->text + p->at, " \t\n");
}

int parser_add(Parser *p, uint32_t type, uint64_t config, EventSpec **ret) {
        int r = event_specs_add(p->list, type, config, ret);

        if (r == -E2BIG)
                return parser_fail(p, p->begin, r, "There are more than %d events", EVENT_SPECS_MAX);
        if (r < 0)
                return r;
        (*ret)->column = p->begin + 1;
        if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT) {
                /* what a BPF program passes to bpf_perf_event_output() is the raw data of a sample */
                (*ret)->attr.sample_period = 1;
                (*ret)->attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
        }
        return 0;
}

/* Names the PMU of an event of a hybrid machine, "cpu_core/cycles:u/", as perf shows it. */
static int set_core_name(EventSpec *s) {
        char *name;

        if (!s->core || strchr(s->name, '/'))
                return 0;
        name = format_text("%s/%s/", s->core, s->name);
        if (!name)
                return -ENOMEM;
        free(s->name);
        s->name = name;
        return 0;
}

/* As with perf, the name of an event is its text, except for kinds that have set one. */
static int set_names(Parser *p, size_t first) {
        size_t end = p->name_end ?: p->at;
        int r = 0;

        for (size_t i = first; i < p->list->n_specs && r >= 0; i++) {
                EventSpec *s = &p->list->specs[i];

                if (!s->name)
                        s->name = strndup(p->text + p->begin, end - p->begin);
                r = s->name ? set_core_name(s) : -ENOMEM;
        }
        return r;
}

static int parse_event(Parser *p) {
        _cleanup_free_ char *word = NULL;
        size_t first = p->list->n_specs;
        int r;

        parser_skip_blanks(p);
        p->begin = p->at;
        p->name_end = 0;
        r = parser_word(p, PARSER_WORD_ENDS, &word);
        if (r < 0)
                return r;
        if (!*word)
                return parser_fail(p, p->at, -EINVAL, parser_peek(p) ? "An event is expected before \"%c\"" :
                                   "An event is expected here", parser_peek(p));
        r = parse_kind(p, word);
        if (r >= 0 && parser_peek(p) == '/')
                r = parse_terms(p, first);
        if (r >= 0)
                r = parse_modifiers(p, first, false);
        if (r >= 0)
                r = set_names(p, first);
        if (r < 0)
                return r;
        parser_skip_blanks(p);
        return 0;
}

/* Counters of several PMUs can't be in one group. */
static int parse_member(Parser *p) {
        size_t first = p->list->n_specs;
        int r;

        parser_skip_blanks(p);
        if (parser_peek(p) == '{')
                return parser_fail(p, p->at, -EINVAL, "A group can't stand in a group");
        r = parse_event(p);
        if (r < 0 || p->list->n_specs == first + 1 || p->list->specs[first].tracepoint_name)
                return r;
        return parser_fail(p, p->begin, -EINVAL, "This is an event of %zu PMUs, a group is for one: name it, as %s",
                           p->list->n_specs - first, p->list->specs[first].core ? p->list->specs[first].name : "uncore_imc_0/…/");
}

/* "name{" or "name:{", or "{" for a group without a name. */
static int parse_group_name(Parser *p, char **ret) {
        int r = parser_word(p, PARSER_WORD_ENDS, ret);

        if (r < 0)
                return r;
        if (!**ret)
                *ret = (free(*ret), NULL);
        (void) parser_accept(p, ':');
        return 0;
}

static bool at_group(const Parser *p) {
        const char *end = p->text + p->at + strcspn(p->text + p->at, PARSER_WORD_ENDS);

        return *end == '{' || (*end == ':' && end[1] == '{' && end > p->text + p->at);
}

static int parse_group(Parser *p) {
        _cleanup_free_ char *name = NULL;
        size_t first = p->list->n_specs, begin;
        int r = parse_group_name(p, &name);

        if (r < 0)
                return r;
        begin = p->at;
        p->at++;
        do {
                r = parse_member(p);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (!parser_accept(p, '}'))
                return parser_fail(p, parser_peek(p) ? p->at : begin, -EINVAL, "The group is not closed by \"}\"");
        event_specs_group(p->list, first);
        p->list->specs[first].group_name = steal_ptr(name);
        r = parse_modifiers(p, first, true);
        parser_skip_blanks(p);
        return r;
}

static int parse_list(Parser *p) {
        int r;

        do {
                parser_skip_blanks(p);
                r = at_group(p) ? parse_group(p) : parse_event(p);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (parser_peek(p))
                return parser_fail(p, p->at, -EINVAL, "\"%c\" is not expected here: a comma separates events", parser_peek(p));
        return 0;
}

int event_specs_parse(EventSpecs *list, const char *text, const GrammarSources *sources, Diagnosis *d) {
        Parser p = { .text = text, .list = list, .d = d, .sources = sources ? *sources : (GrammarSources){} };
        const EventSpecs before = *list;
        int r;

        if (strlen(text) > GRAMMAR_LENGTH_MAX)
                return diagnosis_set(d, -E2BIG, "The events are longer than %d bytes", GRAMMAR_LENGTH_MAX);
        r = parse_list(&p);
        free(p.tracefs);
        return event_specs_end(list, &before, r);
}

int event_specs_add_default(EventSpecs *list, const GrammarSources *sources) {
        size_t first = list->n_specs;
        int r = event_specs_parse(list, "cycles", sources, NULL);

        for (size_t i = first; i < list->n_specs; i++) {
                /* perf record does so for this event only, 6.1 on AMD's CPUs, newer ones on all */
                list->specs[i].attr.exclude_guest = false;
                list->specs[i].by_default = true;
                list->specs[i].precise_max = true;
        }
        return r;
}
