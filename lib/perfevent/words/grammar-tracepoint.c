/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "system:name", with patterns in both. Dynamic events (probe:, probe_LIBRARY:, sdt_BINARY:) are ordinary tracepoints
 * once they are created; if they are missing, the message explains how to create them. */

#include "format-text.h"
#include "grammar-parser.h"
#include "near-name.h"
#include "tracepoint.h"

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

bool parser_is_system(Parser *p, const char *word) {
        _cleanup_free_ char *path = NULL;

        if (tracepoint_is_pattern(word))
                return true;
        if (find_tracefs(p) < 0)
                return false;
        path = format_text("%s/events/%s", p->tracefs, word);
        return path && access(path, F_OK) >= 0;
}

char *parser_find_system(Parser *p, const char *name) {
        _cleanup_strv_free_ char **systems = NULL;
        uint64_t id;

        if (find_tracefs(p) < 0 || tracepoint_list(p->tracefs, NULL, &systems) < 0)
                return NULL;
        STRV_FOREACH(s, systems)
                if (tracepoint_id(p->tracefs, *s, name, &id) >= 0)
                        return strdup(*s);
        return NULL;
}

/* Kernel probes need a file that this kernel may not have. */
static bool has_kprobes(Parser *p) {
        _cleanup_free_ char *path = find_tracefs(p) >= 0 ? format_text("%s/kprobe_events", p->tracefs) : NULL;

        return path && access(path, F_OK) >= 0;
}

/* Refuses events that have to be created first. 0: it is not one. */
static int refuse_dynamic(Parser *p, const char *system, const char *name) {
        const char *library = startswith(system, "probe_"), *binary = startswith(system, "sdt_");

        if (library)
                return parser_fail(p, p->begin, -ENOENT, "There is no probe %s:%s; make it by: perf probe -x PATH %s, with the "
                                   "path of %s", system, name, name, library);
        if (binary)
                return parser_fail(p, p->begin, -ENOENT, "There is no event %s:%s; make it from the notes in the binary by: "
                                   "perf buildid-cache --add PATH/%s; perf probe %s:%s", system, name, binary, system, name);
        if (!streq(system, "probe"))
                return 0;
        if (has_kprobes(p))
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

int parse_tracepoint(Parser *p, const char *system) {
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
