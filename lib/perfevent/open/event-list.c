/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists the events of this machine, kind by kind in perf list's order: the generic names of tables, the PMUs of sysfs
 * with their named events and their terms, the forms for events without a name, the tracepoints of tracefs. A name
 * that no pattern matches is left out before anything about it is read. The grammar and the kernel decide whether an
 * event can be recorded, as in a recording, so that the list can't have events that -e refuses. */

#include "event-list.h"

#include <fnmatch.h>
#include "array.h"
#include "event-check.h"
#include "event-name.h"
#include "format-text.h"
#include "grammar.h"
#include "pfm-event.h"
#include "probe.h"
#include "string-table.h"
#include "strv.h"
#include "tracepoint.h"

/* One pass over all events. */
typedef struct EventListing {
        EventList *list;
        char *const *patterns;
        const EventListOptions *options;
} EventListing;

static const char *const event_group_table[] = {
        [EVENT_GROUP_HARDWARE] = "hw", [EVENT_GROUP_SOFTWARE] = "sw",           [EVENT_GROUP_CACHE] = "cache",
        [EVENT_GROUP_PFM] = "pfm",
        [EVENT_GROUP_PMU] = "pmu",     [EVENT_GROUP_RAW] = "raw",               [EVENT_GROUP_BREAKPOINT] = "breakpoint",
        [EVENT_GROUP_PROBE] = "probe", [EVENT_GROUP_TRACEPOINT] = "tracepoint", [EVENT_GROUP_SDT] = "sdt",
};

static const char *const titles[] = {
        [EVENT_GROUP_HARDWARE] = "Hardware", [EVENT_GROUP_SOFTWARE] = "Software",     [EVENT_GROUP_CACHE] = "Cache",
        [EVENT_GROUP_PFM] = "libpfm",
        [EVENT_GROUP_PMU] = "PMU",           [EVENT_GROUP_RAW] = "Raw",               [EVENT_GROUP_BREAKPOINT] = "Breakpoint",
        [EVENT_GROUP_PROBE] = "Probe",       [EVENT_GROUP_TRACEPOINT] = "Tracepoint", [EVENT_GROUP_SDT] = "SDT",
};

const char *event_group_to_string(EventGroup g) {
        return string_table_name(event_group_table, ELEMENTSOF(event_group_table), g);
}

const char *event_group_title(EventGroup g) {
        return string_table_name(titles, ELEMENTSOF(titles), g);
}

EventGroup event_group_from_string(const char *s) {
        static const struct {
                const char *word;
                EventGroup group;
        } others[] = {
                { "hardware", EVENT_GROUP_HARDWARE }, { "software", EVENT_GROUP_SOFTWARE }, { "hwcache", EVENT_GROUP_CACHE },
        };

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                if (streq(others[i].word, s))
                        return others[i].group;
        return string_table_value(event_group_table, ELEMENTSOF(event_group_table), s);
}

bool event_list_is_pattern(const char *s) {
        return strpbrk(s, "*?[") != NULL;
}

static void event_row_done(EventRow *r) {
        free(r->name);
        free(r->alias);
        free(r->pmu);
        free(r->unit);
        free(r->description);
        free(r->reason);
        strv_free(r->fields);
}

void event_list_done(EventList *l) {
        for (size_t i = 0; i < l->n_rows; i++)
                event_row_done(&l->rows[i]);
        free(l->rows);
        *l = (EventList){};
}

static bool name_matches(const char *name, const char *pattern) {
        _cleanup_free_ char *part = NULL;

        if (!name)
                return false;
        if (strchr(pattern, ':'))
                return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
        part = format_text("*%s*", pattern);
        return part && fnmatch(part, name, FNM_CASEFOLD) == 0;
}

/* False: no name in the group can match. */
static bool wants_group(const EventListing *l, EventGroup group) {
        EventGroup g = _EVENT_GROUP_INVALID;

        if (!l->patterns || !*l->patterns)
                return true;
        STRV_FOREACH(p, l->patterns) {
                g = event_group_from_string(*p);
                if (g < 0 || g == group)
                        return true;
        }
        return false;
}

bool event_row_matches(const EventRow *row, const char *pattern) {
        EventGroup g = event_group_from_string(pattern);

        return g >= 0 ? g == row->group : name_matches(row->name, pattern) || name_matches(row->alias, pattern);
}

static bool wants_row(const EventListing *l, const EventRow *row) {
        if (!l->patterns || !*l->patterns)
                return true;
        STRV_FOREACH(p, l->patterns)
                if (event_row_matches(row, *p))
                        return true;
        return false;
}

/* Moves the row into the list unless it fails. */
static int append_row(EventList *l, EventRow *row) {
        if (ARRAY_RESERVE_NEXT(l->rows, l->n_rows) < 0)
                return -ENOMEM;
        l->rows[l->n_rows++] = *row;
        *row = (EventRow){};
        return 0;
}

/* A row that has no description yet gets that of the kernel's generic events. */
static int row_set_attr(EventRow *row, const struct perf_event_attr *a) {
        int r = row->description ? 0 : event_name_describe(a->type, a->config, &row->description);

        row->attr = *a;
        return r == -ENOENT ? 0 : r;
}

/* A tracepoint whose format cannot be read has no fields. */
static int row_read_fields(EventRow *row, const char *tracefs, const char *system, const char *name) {
        int r = tracepoint_declarations(tracefs, system, name, &row->fields);

        return r == -ENOMEM ? r : 0;
}

/* Sets error and reason of a row to the result of words as an argument of -e. */
static int check_words(const EventListing *l, const char *words, EventRow *row) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = event_specs_parse(&specs, words, l->options->sources, &d);

        for (size_t i = 0; i < specs.n_specs && r >= 0; i++)
                r = event_check(&specs.specs[i], l->options->ops, &d);
        if (r < 0) {
                row->error = r;
                row->reason = steal_ptr(d.sentence);
        }
        return specs.n_specs > 0 && !row->is_form ? row_set_attr(row, &specs.specs[0].attr) : 0;
}

static EventGroup group_of_system(const char *system) {
        return startswith(system, "sdt_") ? EVENT_GROUP_SDT :
               streq(system, "probe") || startswith(system, "probe_") ? EVENT_GROUP_PROBE : EVENT_GROUP_TRACEPOINT;
}

static EventGroup group_of_spec(const EventSpec *s) {
        if (s->probe_kind != PROBE_NONE)
                return EVENT_GROUP_PROBE;
        switch (s->attr.type) {
        case PERF_TYPE_HARDWARE:
                return EVENT_GROUP_HARDWARE;
        case PERF_TYPE_SOFTWARE:
                return EVENT_GROUP_SOFTWARE;
        case PERF_TYPE_HW_CACHE:
                return EVENT_GROUP_CACHE;
        case PERF_TYPE_RAW:
                return EVENT_GROUP_RAW;
        case PERF_TYPE_BREAKPOINT:
                return EVENT_GROUP_BREAKPOINT;
        case PERF_TYPE_TRACEPOINT:
                return s->tracepoint_system ? group_of_system(s->tracepoint_system) : EVENT_GROUP_TRACEPOINT;
        default:
                return EVENT_GROUP_PMU;
        }
}

static int add_spec(EventList *l, const EventSpec *s, const EventListOptions *o) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(event_row_done) EventRow row = {
                .name = strdup(s->name), .group = group_of_spec(s), .scale = s->unit ? s->scale : 0,
        };
        _cleanup_free_ char *found = NULL;
        const char *root = o->sources ? o->sources->tracefs : NULL;
        int r = row.name ? free_and_strdup(&row.unit, s->unit) : -ENOMEM;

        if (r >= 0)
                r = row_set_attr(&row, &s->attr);
        if (r >= 0 && o->fields && s->tracepoint_system && (root || tracefs_find(&found) >= 0))
                r = row_read_fields(&row, root ?: found, s->tracepoint_system, s->tracepoint_name);
        if (r < 0)
                return r;
        row.error = event_check(s, o->ops, &d);
        row.reason = steal_ptr(d.sentence);
        return append_row(l, &row);
}

int event_list_add_named(EventList *l, const char *words, const EventListOptions *o, Diagnosis *d) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        int r = event_specs_parse(&specs, words, o->sources, d);

        for (size_t i = 0; i < specs.n_specs && r >= 0; i++)
                r = add_spec(l, &specs.specs[i], o);
        return r;
}

static const char *event_source(const EventListing *l) {
        return l->options->sources ? l->options->sources->event_source : NULL;
}

/* Adds a copy of the row. words: the argument of -e to check it with, NULL: the name, "": it is not checked. */
static int add_row(const EventListing *l, const EventRow *from, const char *words) {
        _cleanup_(event_row_done) EventRow row = {
                .group = from->group, .is_form = from->is_form, .error = from->error, .scale = from->scale, .attr = from->attr,
        };
        int r;

        if (!wants_row(l, from))
                return 0;
        r = free_and_strdup(&row.name, from->name);
        if (r >= 0)
                r = free_and_strdup(&row.alias, from->alias);
        if (r >= 0)
                r = free_and_strdup(&row.pmu, from->pmu);
        if (r >= 0)
                r = free_and_strdup(&row.unit, from->unit);
        if (r >= 0)
                r = free_and_strdup(&row.description, from->description);
        if (r >= 0)
                r = free_and_strdup(&row.reason, from->reason);
        if (r >= 0 && from->fields)
                r = strv_extend_strv(&row.fields, from->fields);
        if (r >= 0 && (!words || *words))
                r = check_words(l, words ?: row.name, &row);
        return r < 0 ? r : append_row(l->list, &row);
}

static int list_generic(const EventListing *l, uint32_t type, EventGroup group) {
        uint64_t config, next;
        uint32_t t, next_type;
        const char *name;
        int r = 0;

        for (size_t i = 0; r >= 0 && (name = event_name_at(i, &t, &config)); i++) {
                const char *alias = event_name_at(i + 1, &next_type, &next);
                bool two = alias && next_type == t && next == config;

                if (t == type)
                        r = add_row(l, &(EventRow){ .name = (char *) name, .alias = two ? (char *) alias : NULL,
                                                    .group = group }, NULL);
                i += two;
        }
        return r;
}

static int list_cache(const EventListing *l) {
        _cleanup_strv_free_ char **names = NULL;
        int r = event_name_list_cache(&names);

        STRV_FOREACH(s, names)
                if (r >= 0)
                        r = add_row(l, &(EventRow){ .name = *s, .group = EVENT_GROUP_CACHE }, NULL);
        return r;
}

static int list_alias(const EventListing *l, const Pmu *pmu, const char *alias) {
        _cleanup_(pmu_alias_done) PmuAlias a = {};
        _cleanup_free_ char *name = format_text("%s/%s/", pmu->name, alias);
        int r;

        if (!name)
                return -ENOMEM;
        if (!wants_row(l, &(EventRow){ .name = name, .group = EVENT_GROUP_PMU }))
                return 0;
        r = pmu_read_alias(pmu, alias, &a);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return add_row(l, &(EventRow){ .name = name, .group = EVENT_GROUP_PMU, .pmu = pmu->name, .unit = a.unit,
                                       .scale = a.unit ? a.scale : 0, .description = a.terms }, NULL);
}

/* Adds the form "cpu/TERM=VALUE,.../" for events without a name. */
static int list_terms(const EventListing *l, const Pmu *pmu) {
        _cleanup_free_ char *name = NULL, *terms = NULL, *description = NULL;

        terms = pmu_list_terms(pmu);
        name = format_text("%s/TERM=VALUE,.../", pmu->name);
        description = terms ? format_text("terms: %s", terms) : NULL;
        if (!name || !description)
                return -ENOMEM;
        return add_row(l, &(EventRow){ .name = name, .group = EVENT_GROUP_RAW, .is_form = true, .pmu = pmu->name,
                                       .description = description }, "");
}

static int list_pmu(const EventListing *l, const char *name) {
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        _cleanup_strv_free_ char **aliases = NULL;
        int r = pmu_open(event_source(l), name, &pmu);

        if (r >= 0)
                r = pmu_list_aliases(pmu, &aliases);
        if (r < 0)
                return r == -ENOMEM ? r : 0; /* a PMU that can't be read is left out */
        STRV_FOREACH(s, aliases)
                if (r >= 0)
                        r = list_alias(l, pmu, *s);
        if (r >= 0 && pmu->n_formats > 0)
                r = list_terms(l, pmu);
        return r;
}

static int list_pmus(const EventListing *l) {
        _cleanup_strv_free_ char **names = NULL;
        int r = pmu_list(event_source(l), &names);

        if (r == -ENOENT)
                return 0;
        STRV_FOREACH(s, names)
                if (r >= 0 && probe_kind_from_string(*s) < 0)
                        r = list_pmu(l, *s);
        return r;
}

static int list_pfm_event(const EventSpec *spec, const char *description, void *userdata) {
        const EventListing *l = userdata;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        EventRow row = { .name = spec->name, .group = EVENT_GROUP_PFM, .description = (char *) description, .attr = spec->attr };

        if (!wants_row(l, &row))
                return 0;
        row.error = event_check(spec, l->options->ops, &d);
        row.reason = d.sentence;
        return add_row(l, &row, "");
}

static int list_pfm(const EventListing *l) {
        const PfmSources sources = {
                .library = l->options->pfm_library,
                .event_source = event_source(l),
        };
        int r;

        if (!wants_group(l, EVENT_GROUP_PFM))
                return 0;
        r = pfm_visit_events(&sources, list_pfm_event, (void *) l);
        return r == -EOPNOTSUPP ? 0 : r;
}

/* A place for a breakpoint. */
static uint64_t watched;

static int list_forms(const EventListing *l) {
        char watch[32];
        int r;

        (void) snprintf(watch, sizeof(watch), "mem:%p/4:rw:u", (void *) &watched);
        r = add_row(l, &(EventRow){ .name = (char[]){ "rNNN" }, .group = EVENT_GROUP_RAW, .is_form = true,
                                    .description = (char[]){ "the CPU's event of that hexadecimal number" } }, "r1");
        if (r >= 0)
                r = add_row(l, &(EventRow){ .name = (char[]){ "mem:ADDRESS[/LENGTH][:rwx]" }, .group = EVENT_GROUP_BREAKPOINT,
                                            .is_form = true, .description = (char[]){ "accesses to memory" } }, watch);
        return r;
}

/* A probe only needs the kernel's PMU of that name. */
static int list_probe(const EventListing *l, ProbeKind kind, const char *form, const char *what) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        EventRow row = { .name = (char *) form, .group = EVENT_GROUP_PROBE, .is_form = true, .description = (char *) what };
        _cleanup_(pmu_freep) Pmu *pmu = NULL;
        int r = probe_open_pmu(event_source(l), kind, &pmu, &d);

        if (r == -ENOMEM)
                return r;
        row.error = r;
        row.reason = d.sentence;
        return add_row(l, &row, "");
}

static int compare_tracepoints(const void *a, const void *b) {
        const Tracepoint *x = a, *y = b;
        int r = strcmp(x->system, y->system);

        return r != 0 ? r : strcmp(x->name, y->name);
}

static int list_tracepoint(const EventListing *l, const char *tracefs, const Tracepoint *t) {
        _cleanup_(event_row_done) EventRow row = {
                .name = format_text("%s:%s", t->system, t->name), .group = group_of_system(t->system),
                .attr = { .size = sizeof(row.attr), .type = PERF_TYPE_TRACEPOINT, .config = t->id },
        };
        int r = 0;

        if (!row.name)
                return -ENOMEM;
        if (l->options->fields && wants_row(l, &row))
                r = row_read_fields(&row, tracefs, t->system, t->name);
        return r < 0 ? r : add_row(l, &row, "");
}

static int list_tracepoints(const EventListing *l, Diagnosis *d) {
        _cleanup_free_ char *found = NULL;
        const char *root = l->options->sources ? l->options->sources->tracefs : NULL;
        Tracepoint *t = NULL;
        size_t n = 0;
        int r;

        if (!wants_group(l, EVENT_GROUP_TRACEPOINT) && !wants_group(l, EVENT_GROUP_SDT) &&
            !wants_group(l, EVENT_GROUP_PROBE))
                return 0;
        r = root ? 0 : tracefs_find(&found);
        if (r == -ENOENT)
                return diagnosis_set(d, -EACCES, "Tracepoints are left out: tracefs is not mounted, or not visible here");
        if (r >= 0)
                r = tracepoint_expand(root ?: found, "*", "*", &t, &n, d);
        if (r < 0)
                return r;
        qsort(t, n, sizeof(*t), compare_tracepoints);
        for (size_t i = 0; i < n && r >= 0; i++)
                r = list_tracepoint(l, root ?: found, &t[i]);
        (void) tracepoints_free(t, n);
        return r;
}

int event_list_add_matching(EventList *list, char *const *patterns, const EventListOptions *o, Diagnosis *d) {
        EventListing l = { .list = list, .patterns = patterns, .options = o };
        int r = list_generic(&l, PERF_TYPE_HARDWARE, EVENT_GROUP_HARDWARE);

        if (r >= 0)
                r = list_generic(&l, PERF_TYPE_SOFTWARE, EVENT_GROUP_SOFTWARE);
        if (r >= 0)
                r = list_cache(&l);
        if (r >= 0)
                r = list_pmus(&l);
        if (r >= 0)
                r = list_pfm(&l);
        if (r >= 0)
                r = list_forms(&l);
        if (r >= 0)
                r = list_probe(&l, PROBE_USER, "uprobe:PATH:SYMBOL[+OFFSET][%return]", "a function of a program");
        if (r >= 0)
                r = list_probe(&l, PROBE_KERNEL, "kprobe:SYMBOL[+OFFSET][%return]", "a function of the kernel");
        return r < 0 ? r : list_tracepoints(&l, d);
}
