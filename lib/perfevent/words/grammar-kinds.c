/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kind of an event, by its first word and the character behind it: a symbol, a cache event, raw, TYPE:CONFIG, a
 * breakpoint, a tracepoint, or those in other files, PMUs (grammar-pmu.c) and probes (grammar-probe.c). On a hybrid
 * machine an event of the CPU is one event for each kind of core. */

#include <linux/hw_breakpoint.h>
#include "event-name.h"
#include "format-text.h"
#include "grammar-parser.h"
#include "near-name.h"
#include "parse-number.h"
#include "pmu.h"
#include "tracepoint.h"

static int add_event_of_type(Parser *p, uint32_t type, uint64_t config) {
        _cleanup_strv_free_ char **cores = NULL;
        EventSpec *s;
        bool of_cpu = type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
        int r = of_cpu ? pmu_find_hybrid(p->sources.event_source, &cores) : 0;

        if (r < 0)
                return r;
        if (!cores)
                return parser_add(p, type, config, &s);
        STRV_FOREACH(c, cores)
                if (r >= 0)
                        r = parser_add_of_core(p, *c, type, config);
        return r;
}

/* Refuses kinds that perf has and we can't record, with a better message than "unknown". */
static int refuse_kind(Parser *p, const char *word) {
        static const char *const counted[] = { "duration_time", "user_time", "system_time" };
        const char *dot = strrchr(word, '.');

        for (size_t i = 0; i < ELEMENTSOF(counted); i++)
                if (streq(word, counted[i]))
                        return parser_fail(p, p->begin, -EOPNOTSUPP, "%s can be counted (perf stat), not recorded", word);
        if (dot && (streq(dot, ".o") || streq(dot, ".c") || streq(dot, ".obj") || streq(dot, ".bpf")))
                return parser_fail(p, p->begin, -EOPNOTSUPP, "BPF programs (%s) are not supported", word);
        return -EAGAIN;
}

/* "r1a8". -EAGAIN: not of this form. */
static int try_raw(Parser *p, const char *word) {
        uint64_t config;
        int r = event_name_parse_raw(word, &config);

        if (r == -ERANGE)
                return parser_fail(p, p->begin, -EINVAL, "%s is longer than 64 bits", word);
        return r < 0 ? -EAGAIN : add_event_of_type(p, PERF_TYPE_RAW, config);
}

static int try_symbol(Parser *p, const char *word) {
        size_t first = p->list->n_specs;
        uint64_t config;
        uint32_t type;
        int r = 0;

        if (event_name_find(word, &type, &config))
                return add_event_of_type(p, type, config);
        if (!event_name_find_cache(word, &config))
                return try_raw(p, word);
        r = add_event_of_type(p, PERF_TYPE_HW_CACHE, config);
        for (size_t i = first; i < p->list->n_specs && r >= 0; i++)
                r = free_and_strdup(&p->list->specs[i].name, word); /* perf shows these without modifiers */
        return r;
}

static int parse_number(Parser *p, uint64_t *ret, const char *what) {
        _cleanup_free_ char *word = NULL;
        size_t at = p->at;
        int r = parser_word(p, PARSER_WORD_ENDS, &word);

        if (r < 0)
                return r;
        r = parse_uint64(word, ret);
        if (r < 0)
                return parser_fail(p, at, r, "\"%s\" is not a number: %s is expected here", word, what);
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
        return add_event_of_type(p, (uint32_t) type, config);
}

/* The letters of "mem:ADDR:rwx"; if they are others, they are modifiers. */
static int parse_access(Parser *p, uint32_t *ret) {
        size_t n = parser_peek(p) == ':' ? strspn(p->text + p->at + 1, "rwx") : 0;
        uint32_t access = 0;

        if (n == 0)
                return 0;
        for (size_t i = 0; i < n; i++) {
                char c = p->text[p->at + 1 + i];
                uint32_t bit = c == 'r' ? HW_BREAKPOINT_R : c == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;

                if (access & bit)
                        return parser_fail(p, p->at + 1 + i, -EINVAL, "\"%c\" occurs twice", c);
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
        int r = parser_add(p, PERF_TYPE_TRACEPOINT, t->id, &s);

        if (r < 0)
                return r;
        s->attr.sample_period = 1;
        s->attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
        s->name = format_text("%s:%s", t->system, t->name);
        if (!s->name)
                return -ENOMEM;
        s->tracepoint_system = steal_ptr(t->system);
        s->tracepoint_name = steal_ptr(t->name);
        return 0;
}

static int find_tracefs(Parser *p) {
        if (p->tracefs)
                return 0;
        return p->sources.tracefs ? free_and_strdup(&p->tracefs, p->sources.tracefs) : tracefs_find(&p->tracefs);
}

/* Returns whether a word before a colon is a system of tracepoints; "mem-loads:u" is an event with a modifier. */
static bool is_system(Parser *p, const char *word) {
        _cleanup_free_ char *path = NULL;

        if (tracepoint_is_pattern(word))
                return true;
        if (find_tracefs(p) < 0)
                return false;
        path = format_text("%s/events/%s", p->tracefs, word);
        return path && access(path, F_OK) >= 0;
}

/* Returns the first system that has a tracepoint of that name, a new string; NULL: there is none. */
static char *find_system(Parser *p, const char *name) {
        _cleanup_strv_free_ char **systems = NULL;
        uint64_t id;

        if (find_tracefs(p) < 0 || tracepoint_list(p->tracefs, NULL, &systems) < 0)
                return NULL;
        STRV_FOREACH(s, systems)
                if (tracepoint_id(p->tracefs, *s, name, &id) >= 0)
                        return strdup(*s);
        return NULL;
}

/* Refuses dynamic events (probe:, probe_LIBRARY:, sdt_BINARY:), which are ordinary tracepoints once they are created. 0: it is
 * not one. */
static int refuse_dynamic(Parser *p, const char *system, const char *name) {
        const char *library = startswith(system, "probe_"), *binary = startswith(system, "sdt_");
        _cleanup_free_ char *kprobes = NULL;

        if (library)
                return parser_fail(p, p->begin, -ENOENT, "There is no probe %s:%s; make it by: perf probe -x PATH %s, with the "
                                   "path of %s", system, name, name, library);
        if (binary)
                return parser_fail(p, p->begin, -ENOENT, "There is no event %s:%s; make it from the notes in the binary by: "
                                   "perf buildid-cache --add PATH/%s; perf probe %s:%s", system, name, binary, system, name);
        if (!streq(system, "probe"))
                return 0;
        kprobes = find_tracefs(p) >= 0 ? format_text("%s/kprobe_events", p->tracefs) : NULL; /* which this kernel may not have */
        if (kprobes && access(kprobes, F_OK) >= 0)
                return parser_fail(p, p->begin, -ENOENT, "There is no probe probe:%s; make it by: perf probe %s", name, name);
        return parser_fail(p, p->begin, -ENOENT, "There is no probe probe:%s, and none can be made: this kernel has no kprobes "
                           "(CONFIG_KPROBE_EVENTS); perhaps a tracepoint near it serves (perfctl events tracepoint)", name);
}

/* Returns similar names: events of the system, or systems. */
static char *hint_tracepoints(Parser *p, const char *system, const char *name) {
        _cleanup_(near_names_done) NearNames near = { .wanted = name };
        _cleanup_strv_free_ char **names = NULL;

        if (tracepoint_list(p->tracefs, system, &names) < 0) {
                near.wanted = system;
                (void) tracepoint_list(p->tracefs, NULL, &names);
        }
        STRV_FOREACH(n, names)
                near_names_offer(&near, *n);
        return near_names_hint(&near);
}

static int refuse_tracepoint(Parser *p, const char *system, const char *name) {
        _cleanup_free_ char *hint = NULL;
        int r;

        if (tracepoint_is_pattern(name) || tracepoint_is_pattern(system))
                return parser_fail(p, p->begin, -ENOENT, "No tracepoint matches %s:%s; perfctl events tracepoint lists all",
                                   system, name);
        r = refuse_dynamic(p, system, name);
        if (r < 0)
                return r;
        hint = hint_tracepoints(p, system, name);
        return parser_fail(p, p->begin, -ENOENT, "There is no tracepoint %s:%s%s", system, name,
                           hint ?: "; perfctl events tracepoint lists all");
}

/* "system:name" with patterns; p->at is at the colon. */
static int parse_tracepoint(Parser *p, const char *system) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *name = NULL;
        Tracepoint *t = NULL;
        size_t n = 0;
        int r;

        p->at++;
        r = parser_word(p, PARSER_WORD_ENDS, &name);
        if (r >= 0)
                r = find_tracefs(p);
        if (r == -ENOENT)
                return parser_fail(p, p->begin, r, "Tracepoints need tracefs, which is not mounted: "
                                   "mount -t tracefs tracefs /sys/kernel/tracing");
        if (r < 0)
                return r;
        if (!*name)
                return parser_fail(p, p->at, -EINVAL, "The name of a tracepoint is missing after \"%s:\"", system);
        r = tracepoint_expand(p->tracefs, system, name, &t, &n, &d);
        if (r == -ENOENT)
                return refuse_tracepoint(p, system, name);
        if (r < 0)
                return parser_fail(p, p->begin, r, "%s", d.sentence ?: strerror(-r));
        for (size_t i = 0; i < n && r >= 0; i++)
                r = add_tracepoint(p, &t[i]);
        (void) tracepoints_free(t, n);
        return r;
}

static int refuse_unknown_event(Parser *p, const char *word) {
        _cleanup_free_ char *system = find_system(p, word), *hint = NULL;
        _cleanup_(near_names_done) NearNames near = { .wanted = word };

        if (system)
                return parser_fail(p, p->begin, -EINVAL, "There is no event %s, but a tracepoint %s:%s", word, system, word);
        event_name_offer(&near);
        hint = near_names_hint(&near);
        if (!hint && strchr(word, '.'))
                return parser_fail(p, p->begin, -EINVAL, "There is no event %s; if it is one of the CPU's manual, --pfm-events may "
                                   "know it", word);
        return parser_fail(p, p->begin, -EINVAL, "There is no event %s%s", word,
                           hint ?: "; perfctl events lists those that are");
}

static int refuse_missing_pmu(Parser *p, const char *name) {
        _cleanup_(near_names_done) NearNames near = { .wanted = name };
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *hint = NULL;

        (void) pmu_list(p->sources.event_source, &names);
        STRV_FOREACH(n, names)
                near_names_offer(&near, *n);
        hint = near_names_hint(&near);
        return parser_fail(p, p->begin, -ENOENT, "There is no PMU %s on this machine%s (%s)", name, hint ?: "",
                           p->sources.event_source ?: PMU_DEFAULT_ROOT);
}

/* Parses what follows a word and a colon: after a number an event of that type. A word may be a system of tracepoints
 * or an event with modifiers: -EAGAIN. */
static int parse_with_colon(Parser *p, const char *word) {
        uint64_t number;

        if (streq(word, "mem"))
                return parse_breakpoint(p);
        if (streq(word, "uprobe") || streq(word, "kprobe"))
                return parse_probe(p, word);
        if (parse_uint64(word, &number) >= 0)
                return parse_numeric(p, number);
        return -EAGAIN;
}

/* Returns whether modifiers follow an unknown word: "cycels:u" was meant as an event, "shed:sched_switch" as a
 * tracepoint. */
static bool at_modifiers(const Parser *p) {
        const char *rest = p->text + p->at + 1, *end = rest + strspn(rest, "ukhGHIpPSDeWb");

        return strchr(PARSER_WORD_ENDS, *end) != NULL; /* also finds the end of the string */
}

int parse_kind(Parser *p, const char *word) {
        char next = parser_peek(p);
        int r = next == ':' ? parse_with_colon(p, word) : -EAGAIN;

        if (r == -EAGAIN)
                r = try_symbol(p, word);
        if (r == -EAGAIN)
                r = refuse_kind(p, word);
        if (r == -EAGAIN && next == '/')
                r = parse_pmu(p, word);
        if (r == -EAGAIN && next == ':' && is_system(p, word))
                r = parse_tracepoint(p, word);
        if (r == -EAGAIN)
                r = parse_pmu_alias(p, word);
        if (r != -EAGAIN)
                return r;
        if (next == '/')
                return refuse_missing_pmu(p, word);
        return next == ':' && !at_modifiers(p) ? parse_tracepoint(p, word) : refuse_unknown_event(p, word);
}
