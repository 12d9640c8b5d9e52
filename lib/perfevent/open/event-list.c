/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of the list. Names come from event-list-kinds.c, kind by kind; here each becomes a row if it matches a
 * pattern. The grammar and the kernel decide whether an event can be recorded, as in a recording, so that the list
 * can't have events that -e refuses. */

#include "event-list-kinds.h"

#include <fnmatch.h>
#include "array.h"
#include "event-check.h"
#include "format-text.h"
#include "grammar.h"
#include "string-table.h"
#include "strv.h"

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

void event_row_done(EventRow *r) {
        free(r->name);
        free(r->alias);
        free(r->pmu);
        free(r->unit);
        free(r->description);
        free(r->reason);
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

bool event_listing_wants_group(const EventListing *l, EventGroup group) {
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

bool event_listing_wants(const EventListing *l, const EventRow *row) {
        if (!l->patterns || !*l->patterns)
                return true;
        STRV_FOREACH(p, l->patterns)
                if (event_row_matches(row, *p))
                        return true;
        return false;
}

int event_list_add(EventList *l, EventRow *row) {
        if (ARRAY_RESERVE_NEXT(l->rows, l->n_rows) < 0)
                return -ENOMEM;
        l->rows[l->n_rows++] = *row;
        *row = (EventRow){};
        return 0;
}

void event_listing_check(const EventListing *l, const char *words, EventRow *row) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = event_specs_parse(&specs, words, l->options->sources, &d);

        for (size_t i = 0; i < specs.n_specs && r >= 0; i++)
                r = event_check(&specs.specs[i], l->options->ops, &d);
        if (r < 0) {
                row->error = r;
                row->reason = steal_ptr(d.sentence);
        }
}

static EventGroup event_group_of_spec(const EventSpec *s) {
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
                return s->tracepoint_system ? event_group_of_system(s->tracepoint_system) : EVENT_GROUP_TRACEPOINT;
        default:
                return EVENT_GROUP_PMU;
        }
}

static int add_spec(EventList *l, const EventSpec *s, const EventListOptions *o) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(event_row_done) EventRow row = { .name = strdup(s->name), .group = event_group_of_spec(s) };

        if (!row.name)
                return -ENOMEM;
        row.error = event_check(s, o->ops, &d);
        row.reason = steal_ptr(d.sentence);
        return event_list_add(l, &row);
}

int event_list_add_named(EventList *l, const char *words, const EventListOptions *o, Diagnosis *d) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        int r = event_specs_parse(&specs, words, o->sources, d);

        for (size_t i = 0; i < specs.n_specs && r >= 0; i++)
                r = add_spec(l, &specs.specs[i], o);
        return r;
}
