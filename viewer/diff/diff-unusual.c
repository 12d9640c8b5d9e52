/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The findings of diff --trigger. They are made of the samples that the table below them is made of, so that both have the same
 * numbers, whatever the table is sorted by. */

#include "diff-unusual.h"

#include "terminal.h"

/* Returns the number of the event of that name; UINT32_MAX: there is none. */
static uint32_t unusual_event_of(const SampleTable *table, const char *name) {
        size_t n;
        const SampleEvent *events = sample_table_events(table, &n);

        for (uint32_t i = 0; i < n; i++)
                if (streq(events[i].name, name))
                        return i;
        return UINT32_MAX;
}

int diff_unusual_find(UnusualTable *t, const DiffOptions *o, DiffRange *ranges) {
        SampleTable *tables[] = { ranges[DIFF_BASELINE].samples.table, ranges[DIFF_COMPARED].samples.table };
        const SampleEvent *event;
        uint32_t number;
        int r = unusual_choose_event(tables[DIFF_BASELINE], &number);

        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                t->seconds[i] = ranges[i].seconds;
        if (r == -ENODATA)
                return 0;
        event = sample_table_events(tables[DIFF_BASELINE], &(size_t) { 0 }) + number;
        unusual_table_set_measure(t, event, o->select.no_idle);
        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                uint32_t own = unusual_event_of(tables[i], event->name);
                const SampleEvent *all = own < UINT32_MAX ? sample_table_events(tables[i], &(size_t) { 0 }) + own : NULL;

                r = unusual_table_add(t, tables[i], &ranges[i].samples.names, &ranges[i].spans, own, i, false);
                t->samples[i] = all ? all->samples : 0; /* shares are of all, whatever is selected */
                t->weight[i] = all ? (double) all->period : 0;
        }
        return r < 0 ? r : unusual_table_find(t);
}

void diff_unusual_print(const UnusualTable *t, const DiffOptions *o, TextBuffer *out) {
        bool summary = o->summary;
        const char *first = summary ? "" : "# Unusual: ", *further = summary ? "" : "#          ";

        for (size_t i = 0; i < t->n; i++) {
                text_buffer_format(out, "%s%s", i == 0 ? first : further, colour_sequence(COLOUR_RED));
                unusual_text_put(t, t->findings + i, out);
                text_buffer_format(out, "%s\n", colour_sequence(COLOUR_NONE));
        }
        if (t->n == 0) {
                text_buffer_puts(out, first);
                unusual_text_put_nothing(t, out);
                text_buffer_puts(out, unusual_table_has_little(t) && o->inputs.n == 1 ?
                                 "; --baseline compares with earlier dumps\n" : "\n");
        }
        if (t->lost > 0 || t->throttled > 0) {
                text_buffer_puts(out, summary ? "" : "# Missing: ");
                (void) unusual_text_put_loss(t, out);
                text_buffer_putc(out, '\n');
        }
        text_buffer_puts(out, summary ? "" : "#\n");
}
