/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* As in perf, events that were recorded as a group are one table, with a number of each in every column of numbers, unless they are
 * kept apart; --group makes a group of all events where there is none. JSON has one object for each event. */

#include "report-group.h"

#include "array.h"

static uint32_t count_members(const ReportOptions *options, const SampleEvent *events, size_t n, uint32_t event) {
        bool any = ANY_OF(n, i, events[i].members > 0);

        if (options->grouping == REPORT_GROUP_OFF || options->parts.json != REPORT_JSON_OFF)
                return 1;
        if (!any)
                return options->grouping == REPORT_GROUP_ALL && n <= SAMPLE_GROUP_MAX ? (uint32_t) n - event : 1;
        return MAX_OF(events[event].members, 1u);
}

ReportGroup report_group_at(const SampleTable *table, const ReportOptions *options, uint32_t event) {
        size_t n;
        const SampleEvent *events = sample_table_events(table, &n);
        ReportGroup g = { .events = events + event, .first = event, .n = count_members(options, events, n, event) };

        g.recorded = g.n > 1 && events[event].members > 0;
        return g;
}

int report_group_check(const SampleTable *table, const ReportOptions *options) {
        size_t n;
        const SampleEvent *events = sample_table_events(table, &n);

        if (options->group_sort == 0 || options->grouping == REPORT_GROUP_ALL || ANY_OF(n, i, events[i].members > 0))
                return 0;
        (void) fprintf(stderr, "--group-sort-idx: no events were recorded as a group (see --group)\n");
        return -EINVAL;
}

bool report_group_has_samples(const ReportGroup *g) {
        return ANY_OF(g->n, i, g->events[i].samples > 0);
}

void report_group_print(const ReportGroup *g, FILE *f) {
        (void) fprintf(f, "event%s '", g->n > 1 ? "s" : "");
        if (g->recorded)
                (void) fprintf(f, "%s { ", g->events->group ?: "anon group");
        for (uint32_t i = 0; i < g->n; i++)
                (void) fprintf(f, "%s%s", i > 0 ? ", " : "", g->events[i].name);
        (void) fputs(g->recorded ? " }'" : "'", f);
}
