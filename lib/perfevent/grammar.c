/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The -e grammar of perf record, by recursive descent over one string:
 *
 *     list   = item { "," item }
 *     item   = "{" event { "," event } "}" [ ":" modifiers ] | event
 *     event  = kind [ "/" terms "/" ] [ ":" ] [ modifiers ]
 *     kind   = symbol | cache event | "r" hex | number ":" number | "mem:" … | probe | pmu "/" terms "/" | system ":" name
 *
 * Which kind it is shows in the first word and the character after it. Each step looks at p->at and moves it forward, so
 * the time is linear; the input's length and the number of events are limited, groups do not nest. The first failure ends
 * it, with the column, and event_specs_parse() then takes back what was added.
 *
 * Meanings of terms are in grammar-terms.c, of modifiers in grammar-modifiers.c, of probes in grammar-probe.c. */

#include "grammar.h"

#include <linux/hw_breakpoint.h>
#include "event-name.h"
#include "grammar-parser.h"
#include "parse-number.h"
#include "tracepoint.h"

int parser_fail(Parser *p, size_t at, int r, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;

        if (!p->d)
                return r;
        va_start(ap, format);
        if (vasprintf(&sentence, format, ap) < 0)
                sentence = NULL;
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

#define WORD_ENDS ",{}/:= \t\n"

static void skip_blanks(Parser *p) {
        p->at += strspn(p->text + p->at, " \t\n");
}

/* What a BPF program hands to bpf_perf_event_output() is a sample with that as its raw data. */
static void set_bpf_output(struct perf_event_attr *a) {
        a->sample_period = 1;
        a->sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
}

int parser_add(Parser *p, uint32_t type, uint64_t config, EventSpec **ret) {
        int r = event_specs_add(p->list, type, config, ret);

        if (r == -E2BIG)
                return parser_fail(p, p->begin, r, "These are more than %d events", EVENT_SPECS_MAX);
        if (r < 0)
                return r;
        (*ret)->column = p->begin + 1;
        if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT)
                set_bpf_output(&(*ret)->attr);
        return 0;
}

static int add_simple(Parser *p, uint32_t type, uint64_t config) {
        EventSpec *s;

        return parser_add(p, type, config, &s);
}

/* Kinds that perf has and a recording of ours does not, so that the answer is better than "unknown". */
static int refuse_kind(Parser *p, const char *word) {
        static const char *const counted[] = { "duration_time", "user_time", "system_time" };
        const char *dot = strrchr(word, '.');

        for (size_t i = 0; i < ELEMENTSOF(counted); i++)
                if (streq(word, counted[i]))
                        return parser_fail(p, p->begin, -EOPNOTSUPP, "%s can be counted (perf stat), not recorded", word);
        if (dot && (streq(dot, ".o") || streq(dot, ".c") || streq(dot, ".obj") || streq(dot, ".bpf")))
                return parser_fail(p, p->begin, -EOPNOTSUPP, "BPF programs (%s) are not supported", word);
        return 0;
}

/* "r1a8": -EAGAIN if it is not one. */
static int try_raw(Parser *p, const char *word) {
        size_t digits = strspn(word + 1, "0123456789abcdefABCDEF");

        if (word[0] != 'r' || digits == 0 || word[1 + digits])
                return -EAGAIN;
        if (digits > 16)
                return parser_fail(p, p->begin, -EINVAL, "%s is longer than 64 bits", word);
        return add_simple(p, PERF_TYPE_RAW, strtoull(word + 1, NULL, 16));
}

static int try_symbol(Parser *p, const char *word) {
        uint64_t config;
        uint32_t type;

        if (event_name_find(word, &type, &config))
                return add_simple(p, type, config);
        if (event_name_find_cache(word, &config)) {
                EventSpec *s;
                int r = parser_add(p, PERF_TYPE_HW_CACHE, config, &s);

                return r < 0 ? r : free_and_strdup(&s->name, word); /* perf shows these without modifiers */
        }
        return try_raw(p, word);
}

static int parse_number(Parser *p, uint64_t *ret, const char *what) {
        _cleanup_free_ char *word = NULL;
        size_t at = p->at;
        int r;

        r = parser_word(p, WORD_ENDS, &word);
        if (r < 0)
                return r;
        r = parse_uint64(word, ret);
        if (r < 0)
                return parser_fail(p, at, r, "\"%s\" is not a number: %s is wanted here", word, what);
        return 0;
}

/* "1:9" */
static int parse_numeric(Parser *p, uint64_t type) {
        uint64_t config;
        int r;

        p->at++;
        if (type > UINT32_MAX)
                return parser_fail(p, p->begin, -EINVAL, "%" PRIu64 " is not a type of events", type);
        r = parse_number(p, &config, "the configuration of an event type");
        if (r < 0)
                return r;
        return add_simple(p, (uint32_t) type, config);
}

/* The letters of "mem:ADDR:rwx", if they are that: else modifiers stand there. */
static int parse_access(Parser *p, uint32_t *ret) {
        size_t n = parser_peek(p) == ':' ? strspn(p->text + p->at + 1, "rwx") : 0;
        uint32_t access = 0;

        if (n == 0)
                return 0;
        for (size_t i = 0; i < n; i++) {
                char c = p->text[p->at + 1 + i];
                uint32_t bit = c == 'r' ? HW_BREAKPOINT_R : c == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;

                if (access & bit)
                        return parser_fail(p, p->at + 1 + i, -EINVAL, "\"%c\" is there twice", c);
                access |= bit;
        }
        p->at += 1 + n;
        *ret = access;
        return 0;
}

/* "mem:0x1234/8:rw", from the colon on. */
static int parse_breakpoint(Parser *p) {
        uint32_t access = HW_BREAKPOINT_R | HW_BREAKPOINT_W;
        uint64_t address, length = 0;
        size_t at, name_end;
        EventSpec *s;
        int r;

        p->at++;
        r = parse_number(p, &address, "an address");
        if (r < 0)
                return r;
        name_end = p->at;
        at = p->at + 1;
        if (parser_accept(p, '/')) {
                r = parse_number(p, &length, "a length");
                if (r < 0)
                        return r;
                if (length != 1 && length != 2 && length != 4 && length != 8)
                        return parser_fail(p, at, -EINVAL, "A breakpoint's length is 1, 2, 4 or 8 bytes");
                p->name_end = name_end; /* perf's name ends before the length */
        }
        r = parse_access(p, &access);
        if (r < 0)
                return r;
        r = parser_add(p, PERF_TYPE_BREAKPOINT, 0, &s);
        if (r < 0)
                return r;
        s->attr.bp_addr = address;
        s->attr.bp_type = access;
        s->attr.bp_len = length ?: access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
        s->attr.sample_period = 1;
        return 0;
}

static int add_tracepoint(Parser *p, Tracepoint *t) {
        EventSpec *s;
        int r;

        r = parser_add(p, PERF_TYPE_TRACEPOINT, t->id, &s);
        if (r < 0)
                return r;
        s->attr.sample_period = 1;
        s->attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
        if (asprintf(&s->name, "%s:%s", t->system, t->name) < 0) {
                s->name = NULL;
                return -ENOMEM;
        }
        s->tracepoint_system = steal_ptr(t->system);
        s->tracepoint_name = steal_ptr(t->name);
        return 0;
}

static int find_tracefs(Parser *p) {
        if (p->tracefs)
                return 0;
        return p->sources.tracefs ? free_and_strdup(&p->tracefs, p->sources.tracefs) : tracefs_find(&p->tracefs);
}

static int need_tracefs(Parser *p) {
        int r = find_tracefs(p);

        if (r == -ENOENT)
                return parser_fail(p, p->begin, r, "Tracepoints need tracefs, which is not mounted: "
                                   "mount -t tracefs tracefs /sys/kernel/tracing");
        return r;
}

/* "mem-loads:u" is a PMU's event with a modifier, "sched:u" could be a tracepoint: the system decides. */
static bool is_system(Parser *p, const char *word) {
        _cleanup_free_ char *path = NULL;

        if (tracepoint_is_pattern(word))
                return true;
        if (find_tracefs(p) < 0)
                return false;
        return asprintf(&path, "%s/events/%s", p->tracefs, word) > 0 && access(path, F_OK) >= 0;
}

/* "sched:sched_*", from the colon on. */
static int parse_tracepoint(Parser *p, const char *system) {
        _cleanup_free_ char *name = NULL;
        Tracepoint *t = NULL;
        size_t n = 0;
        int r;

        p->at++;
        r = parser_word(p, WORD_ENDS, &name);
        if (r >= 0)
                r = need_tracefs(p);
        if (r < 0)
                return r;
        if (!*name)
                return parser_fail(p, p->at, -EINVAL, "The name of a tracepoint is missing after \"%s:\"", system);
        r = tracepoint_expand(p->tracefs, system, name, &t, &n, p->d);
        if (r < 0)
                return parser_fail(p, p->begin, r, "No tracepoint %s:%s", system, name);
        for (size_t i = 0; i < n && r >= 0; i++)
                r = add_tracepoint(p, &t[i]);
        (void) tracepoints_free(t, n);
        return r;
}

/* The word and what follows it decide. Terms of anything but a PMU are not read here. */
static int parse_kind(Parser *p) {
        _cleanup_free_ char *word = NULL;
        uint64_t number;
        int r;

        r = parser_word(p, WORD_ENDS, &word);
        if (r < 0)
                return r;
        if (!*word)
                return parser_fail(p, p->at, -EINVAL, parser_peek(p) ? "An event is wanted before \"%c\"" :
                                   "An event is wanted here", parser_peek(p));
        if (parser_peek(p) == ':' && streq(word, "mem"))
                return parse_breakpoint(p);
        if (parser_peek(p) == ':' && (streq(word, "uprobe") || streq(word, "kprobe")))
                return parse_probe(p, word);
        r = try_symbol(p, word);
        if (r != -EAGAIN)
                return r;
        r = refuse_kind(p, word);
        if (r < 0)
                return r;
        if (parser_peek(p) == ':' && parse_uint64(word, &number) >= 0)
                return parse_numeric(p, number);
        if (parser_peek(p) == '/')
                return parse_pmu(p, word);
        if (parser_peek(p) == ':' && is_system(p, word))
                return parse_tracepoint(p, word);
        r = parse_pmu_alias(p, word);
        if (r != -EAGAIN)
                return r;
        if (parser_peek(p) == ':')
                return parse_tracepoint(p, word); /* which says that there is none */
        return parser_fail(p, p->begin, -EINVAL, "There is no event %s; perf list shows those that are", word);
}

/* perf's name of an event is its text, but for kinds that were given one. */
static int set_names(Parser *p, size_t first) {
        size_t end = p->name_end ?: p->at;

        for (size_t i = first; i < p->list->n_specs; i++) {
                EventSpec *s = &p->list->specs[i];

                if (!s->name)
                        s->name = strndup(p->text + p->begin, end - p->begin);
                if (!s->name)
                        return -ENOMEM;
        }
        return 0;
}

static int parse_event(Parser *p) {
        size_t first = p->list->n_specs;
        int r;

        skip_blanks(p);
        p->begin = p->at;
        p->name_end = 0;
        r = parse_kind(p);
        if (r >= 0 && parser_peek(p) == '/')
                r = parse_terms(p, first);
        if (r >= 0)
                r = parse_modifiers(p, first, false);
        if (r >= 0)
                r = set_names(p, first);
        if (r < 0)
                return r;
        skip_blanks(p);
        return 0;
}

static void make_group(EventSpecs *list, size_t first) {
        unsigned size = (unsigned) (list->n_specs - first);

        list->n_groups++;
        for (size_t i = first; i < list->n_specs; i++) {
                list->specs[i].group = list->n_groups;
                list->specs[i].group_size = size;
                list->specs[i].leader = i == first;
        }
}

static int parse_group(Parser *p) {
        size_t first = p->list->n_specs, begin = p->at;
        int r;

        p->at++;
        do {
                skip_blanks(p);
                if (parser_peek(p) == '{')
                        return parser_fail(p, p->at, -EINVAL, "A group can't stand in a group");
                r = parse_event(p);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (!parser_accept(p, '}'))
                return parser_fail(p, parser_peek(p) ? p->at : begin, -EINVAL, "The group is not closed by \"}\"");
        make_group(p->list, first);
        r = parse_modifiers(p, first, true);
        skip_blanks(p);
        return r;
}

static int parse_list(Parser *p) {
        int r;

        do {
                skip_blanks(p);
                r = parser_peek(p) == '{' ? parse_group(p) : parse_event(p);
                if (r < 0)
                        return r;
        } while (parser_accept(p, ','));
        if (parser_peek(p))
                return parser_fail(p, p->at, -EINVAL, "\"%c\" is not expected here: a comma separates events", parser_peek(p));
        return 0;
}

int event_specs_parse(EventSpecs *list, const char *text, const GrammarSources *sources, Diagnosis *d) {
        Parser p = { .text = text, .list = list, .d = d, .sources = sources ? *sources : (GrammarSources){} };
        size_t n_before = list->n_specs;
        unsigned groups_before = list->n_groups;
        int r;

        if (strlen(text) > GRAMMAR_LENGTH_MAX)
                return diagnosis_set(d, -E2BIG, "Events in more than %d bytes", GRAMMAR_LENGTH_MAX);
        r = parse_list(&p);
        free(p.tracefs);
        if (r < 0) {
                event_specs_truncate(list, n_before);
                list->n_groups = groups_before;
                return r;
        }
        list->last_begin = n_before;
        return 0;
}
