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
 * The steps are in grammar-parser.c, kinds in grammar-kinds.c, -pmu.c and -probe.c, terms in grammar-terms.c. */

#include "grammar.h"

#include "format-text.h"
#include "grammar-parser.h"

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

static void start_levels(struct perf_event_attr *a) {
        if (!a->exclude_user && !a->exclude_kernel && !a->exclude_hv)
                a->exclude_user = a->exclude_kernel = a->exclude_hv = true;
}

static void start_guest(EventSpec *s) {
        if (!s->keep_guest)
                s->attr.exclude_guest = s->attr.exclude_host = true;
        s->keep_guest = true;
}

/* Precision and user level exclude guests, whose samples would be wrong. */
static void leave_out_guest(EventSpec *s) {
        if (!s->keep_guest)
                s->attr.exclude_guest = true;
}

/* 0, or -EINVAL: no such letter. */
static int apply_letter(EventSpec *s, char c) {
        struct perf_event_attr *a = &s->attr;

        switch (c) {
        case 'u':
                start_levels(a);
                leave_out_guest(s);
                a->exclude_user = false;
                break;
        case 'k':
                start_levels(a);
                a->exclude_kernel = false;
                break;
        case 'h':
                start_levels(a);
                a->exclude_hv = false;
                break;
        case 'G':
                start_guest(s);
                a->exclude_guest = false;
                break;
        case 'H':
                start_guest(s);
                a->exclude_host = false;
                break;
        case 'I':
                a->exclude_idle = true;
                break;
        case 'p':
                if (a->precise_ip == 3)
                        return -ERANGE;
                a->precise_ip++;
                leave_out_guest(s);
                break;
        case 'P':
                s->precise_max = true;
                break;
        case 'S':
                s->sample_read = true;
                break;
        case 'D':
                a->pinned = a->pinned || s->leader;
                break;
        case 'e':
                a->exclusive = a->exclusive || s->leader;
                break;
        case 'W':
                s->weak = true;
                break;
        default:
                return -EINVAL;
        }
        return 0;
}

static int apply_letters(Parser *p, EventSpec *s, size_t at, size_t n, bool group) {
        struct perf_event_attr *a = &s->attr;

        if (!group) {
                a->exclude_user = a->exclude_kernel = a->exclude_hv = a->exclude_idle = false;
                a->exclude_guest = a->exclude_host = false;
                a->precise_ip = 0;
        }
        for (size_t i = 0; i < n; i++) {
                int r = apply_letter(s, p->text[at + i]);

                if (r == -ERANGE)
                        return parser_fail(p, at + i, -EINVAL, "There is nothing more precise than ppp");
                if (r < 0)
                        return parser_fail(p, at + i, r, "\"%c\" is not a modifier: those are u k h G H I p P S D W e",
                                           p->text[at + i]);
        }
        return 0;
}

static int check_letters(Parser *p, size_t at, size_t n) {
        for (size_t i = 1; i < n; i++) {
                char c = p->text[at + i];

                if (c != 'p' && memchr(p->text + at, c, i))
                        return parser_fail(p, at + i, -EINVAL, "The modifier \"%c\" occurs twice", c);
        }
        return 0;
}

/* ":ukp", or nothing, for the specs from first on: u k h (levels), G H (guest, host), I (idle), p pp ppp P (precision), S (group
 * samples), D (pinned), e (exclusive), W (weak group). As with perf, an event's own letters replace its defaults (so cpu-clock:k
 * samples guests again), and those after a group's brace add to those of its events: group is set for them. */
static int parse_modifiers(Parser *p, size_t first, bool group) {
        size_t at, n;
        int r;

        (void) parser_accept(p, ':');
        if (strchr(",}/ \t\n", parser_peek(p))) /* also finds the end of the string */
                return 0;
        at = p->at;
        n = strcspn(p->text + at, ",{}/: \t\n");
        p->at += n;
        if (n == 0)
                return parser_fail(p, at, -EINVAL, "\"%c\" is not expected here", p->text[at]);
        r = n > 64 ? parser_fail(p, at, -EINVAL, "There are too many modifiers") : check_letters(p, at, n);
        for (size_t i = first; i < p->list->n_specs && r >= 0; i++)
                r = apply_letters(p, &p->list->specs[i], at, n, group);
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
