/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Probes in -e:
 *
 *     probe  = "uprobe:" path ":" place | "kprobe:" place
 *     place  = ( symbol [ "+" number ] | "0x" hex ) [ "%return" ]
 *
 * A path or symbol is quoted if it has characters that would end it: uprobe:/srv/app:'net/http.(*conn).serve'. probe.c
 * resolves the place; here it becomes an event, with perf's defaults for tracepoints. */

#include "grammar-parser.h"
#include "parse-number.h"
#include "probe.h"

#define PATH_ENDS ":,{} \t\n"
#define SYMBOL_ENDS ",{}/:+% \t\n"

static int read_path(Parser *p, ProbePlace *place) {
        int r = parser_quoted_word(p, PATH_ENDS, &place->path);

        if (r < 0)
                return r;
        if (!*place->path || !parser_accept(p, ':'))
                return parser_fail(p, p->at, -EINVAL, "A uprobe is uprobe:PATH:SYMBOL[+OFFSET][%%return] "
                                   "or uprobe:PATH:0xOFFSET[%%return]");
        return 0;
}

static int read_offset(Parser *p, ProbePlace *place) {
        _cleanup_free_ char *word = NULL;
        size_t at = p->at;
        int r;

        if (!parser_accept(p, '+'))
                return 0;
        r = parser_word(p, SYMBOL_ENDS, &word);
        if (r >= 0 && parse_uint64(word, &place->offset) < 0)
                return parser_fail(p, at + 1, -EINVAL, "\"%s\" is not an offset in the function", word);
        return r;
}

static int read_return(Parser *p, ProbePlace *place) {
        _cleanup_free_ char *word = NULL;
        size_t at = p->at;
        int r;

        if (!parser_accept(p, '%'))
                return 0;
        r = parser_word(p, SYMBOL_ENDS, &word);
        if (r >= 0 && !streq(word, "return"))
                return parser_fail(p, at, -EINVAL, "Only %%return is known here, not %%%s", word);
        place->is_return = true;
        return r;
}

static int read_place(Parser *p, ProbePlace *place) {
        size_t at = p->at;
        int r = parser_quoted_word(p, SYMBOL_ENDS, &place->symbol);

        if (r < 0)
                return r;
        if (!*place->symbol)
                return parser_fail(p, at, -EINVAL, "A function or an offset (0x…) is expected here");
        if (startswith(place->symbol, "0x")) {
                if (parse_uint64(place->symbol, &place->offset) < 0)
                        return parser_fail(p, at, -EINVAL, "\"%s\" is not an offset", place->symbol);
                place->symbol = (free(place->symbol), NULL);
        } else
                r = read_offset(p, place);
        return r < 0 ? r : read_return(p, place);
}

/* Moves the place of a uprobe to the event, with the path as the kernel gets it. */
static int keep_place(EventSpec *s, ProbePlace *place) {
        if (place->kind != PROBE_USER)
                return 0;
        s->probe_place = malloc(sizeof(ProbePlace));
        if (!s->probe_place)
                return -ENOMEM;
        *s->probe_place = *place;
        *place = (ProbePlace){};
        return free_and_strdup(&s->probe_place->path, s->probe_text);
}

static int add_probe(Parser *p, ProbePlace *place, const Pmu *pmu, char **text, uint64_t config2) {
        uint64_t words[PMU_WORDS] = {};
        EventSpec *s;
        int r;

        if (place->is_return && pmu_set_term(pmu, "retprobe", 1, words) < 0)
                return parser_fail(p, p->begin, -EOPNOTSUPP, "This kernel's PMU %s has no return probes", pmu->name);
        r = parser_add(p, pmu->type, words[0], &s);
        if (r < 0)
                return r;
        s->probe_kind = place->kind;
        s->probe_text = steal_ptr(*text);
        s->attr.config1 = (uintptr_t) s->probe_text;
        s->attr.config2 = config2;
        s->attr.sample_period = 1;
        s->attr.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
        return keep_place(s, place);
}

int parse_probe(Parser *p, const char *kind) {
        _cleanup_(probe_place_done) ProbePlace place = { .kind = probe_kind_from_string(kind) };
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        _cleanup_free_ char *text = NULL;
        uint64_t config2;
        size_t at;
        int r = 0;

        p->at++;
        at = p->at;
        if (place.kind == PROBE_USER && p->sources.no_files)
                return parser_fail(p, p->begin, -EPERM, "A uprobe names a file, which is not for callers: write a session file");
        if (place.kind == PROBE_USER)
                r = read_path(p, &place);
        if (r >= 0)
                r = read_place(p, &place);
        if (r < 0)
                return r;
        r = probe_open_pmu(p->sources.event_source, place.kind, &pmu, p->d);
        if (r < 0)
                return parser_fail(p, p->begin, r, "The PMU %s can't be read: %s", kind, strerror(-r));
        if (place.kind == PROBE_USER)
                place.file = place.opened = probe_file(place.path);
        r = probe_resolve(&place, p->sources.kallsyms, &text, &config2, p->d);
        if (r < 0)
                return parser_fail(p, at, r, "The place of the probe can't be found: %s", strerror(-r));
        return add_probe(p, &place, pmu, &text, config2);
}
