/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists the events of this machine, kind by kind in perf list's order: the generic names of tables, the PMUs of sysfs
 * with their named events and their terms, the forms for events without a name, the tracepoints of tracefs. A name
 * that no pattern matches is left out before anything about it is read. */

#include "event-list-kinds.h"

#include "event-check.h"
#include "event-name.h"
#include "format-text.h"
#include "grammar.h"
#include "pfm-event.h"
#include "probe.h"
#include "tracepoint.h"

static const char *event_source(const EventListing *l) {
        return l->options->sources ? l->options->sources->event_source : NULL;
}

/* Adds a copy of the row. words: the argument of -e to check it with, NULL: the name, "": it is not checked. */
static int add_row(const EventListing *l, const EventRow *from, const char *words) {
        _cleanup_(event_row_done) EventRow row = { .group = from->group, .is_form = from->is_form, .error = from->error };
        int r;

        if (!event_listing_wants(l, from))
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
        if (r < 0)
                return r;
        if (!words || *words)
                event_listing_check(l, words ?: row.name, &row);
        return event_list_add(l->list, &row);
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
        if (!event_listing_wants(l, &(EventRow){ .name = name, .group = EVENT_GROUP_PMU }))
                return 0;
        r = pmu_read_alias(pmu, alias, &a);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return add_row(l, &(EventRow){ .name = name, .group = EVENT_GROUP_PMU, .pmu = pmu->name, .unit = a.unit,
                                       .description = a.terms }, NULL);
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
        EventRow row = { .name = spec->name, .group = EVENT_GROUP_PFM, .description = (char *) description };

        if (!event_listing_wants(l, &row))
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

        if (!event_listing_wants_group(l, EVENT_GROUP_PFM))
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

EventGroup event_group_of_system(const char *system) {
        return startswith(system, "sdt_") ? EVENT_GROUP_SDT :
               streq(system, "probe") || startswith(system, "probe_") ? EVENT_GROUP_PROBE : EVENT_GROUP_TRACEPOINT;
}

static int compare_tracepoints(const void *a, const void *b) {
        const Tracepoint *x = a, *y = b;
        int r = strcmp(x->system, y->system);

        return r != 0 ? r : strcmp(x->name, y->name);
}

static int list_tracepoints(const EventListing *l, Diagnosis *d) {
        _cleanup_free_ char *found = NULL;
        const char *root = l->options->sources ? l->options->sources->tracefs : NULL;
        Tracepoint *t = NULL;
        size_t n = 0;
        int r;

        if (!event_listing_wants_group(l, EVENT_GROUP_TRACEPOINT) && !event_listing_wants_group(l, EVENT_GROUP_SDT) &&
            !event_listing_wants_group(l, EVENT_GROUP_PROBE))
                return 0;
        r = root ? 0 : tracefs_find(&found);
        if (r == -ENOENT)
                return diagnosis_set(d, -EACCES, "Tracepoints are left out: tracefs is not mounted, or not visible here");
        if (r >= 0)
                r = tracepoint_expand(root ?: found, "*", "*", &t, &n, d);
        if (r < 0)
                return r;
        qsort(t, n, sizeof(*t), compare_tracepoints);
        for (size_t i = 0; i < n && r >= 0; i++) {
                _cleanup_free_ char *name = format_text("%s:%s", t[i].system, t[i].name);
                const EventRow row = { .name = name, .group = event_group_of_system(t[i].system) };

                r = name ? add_row(l, &row, "") : -ENOMEM;
        }
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
