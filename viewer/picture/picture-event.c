/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events are chosen by name; that with the most samples is what a recording is about. */

#include "picture-event.h"

#include "array.h"

int picture_event_find(const CountedSamples *c, const char *name, uint32_t *ret) {
        size_t n, found = SIZE_MAX, others = 0;
        const SampleEvent *events = sample_table_events(c->table, &n);

        for (size_t i = 0; i < n; i++) {
                bool more = events[i].selected > (found == SIZE_MAX ? 0 : events[found].selected);

                found = (name ? streq(events[i].name, name) : more) ? i : found;
                others += events[i].selected > 0;
        }
        if (found == SIZE_MAX && name) {
                (void) fprintf(stderr, "%s has no event '%s'; it has:\n", counted_samples_title(c), name);
                for (size_t i = 0; i < n; i++)
                        if (events[i].samples > 0)
                                (void) fprintf(stderr, "  %s\n", events[i].name);
                return -ENODATA;
        }
        if (!name && others > 1)
                (void) fprintf(stderr, "%s has samples of %zu events; these are those of '%s' (see --event)\n",
                               counted_samples_title(c), others, events[found].name);
        *ret = found == SIZE_MAX ? 0 : (uint32_t) found;
        return 0;
}

const uint32_t *picture_event_rows(const SampleTable *table, const uint32_t *order, uint32_t event, size_t *ret_n) {
        size_t n, first, end;
        const SampleRow *rows = sample_table_rows(table, &n);

        first = LOWER_BOUND(n, i, rows[order[i]].event < event);
        end = LOWER_BOUND(n, i, rows[order[i]].event <= event);
        *ret_n = end - first;
        return order + first;
}
