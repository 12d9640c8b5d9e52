/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the id in a record to its event. The place of the id depends on the event's sample_type, which is not known
 * before the id: so it must be the same for all events, as perf arranges by PERF_SAMPLE_IDENTIFIER. In files that
 * break this the event of a record can't be found, and the result is NULL. */

#include "event-index.h"

#include "record-trailer.h"
#include "sample-layout.h"

typedef struct IdEntry {
        uint64_t id;
        const PerfDataEvent *event;
} IdEntry;

struct EventIndex {
        const PerfDataEvent *events;
        size_t n_events;
        IdEntry *entries; /* sorted by id */
        size_t n_entries;
        int sample_word;  /* of the id in a sample, after the header; -1: not the same for all, or none */
        unsigned trailer_word; /* in any other record, from its end, see record-trailer.h; 0 likewise */
};

static void find_words(EventIndex *x) {
        x->sample_word = -1;
        for (size_t i = 0; i < x->n_events; i++) {
                TrailerPlaces places = trailer_places_of(&x->events[i].attr);
                SampleLayout layout;

                sample_layout_init(&layout, &x->events[i].attr);
                if (i == 0) {
                        x->sample_word = layout.id;
                        x->trailer_word = places.id;
                }
                if (layout.id != x->sample_word)
                        x->sample_word = -1;
                if (places.id != x->trailer_word)
                        x->trailer_word = 0;
        }
}

static int compare_ids(const void *a, const void *b) {
        uint64_t x = ((const IdEntry *) a)->id, y = ((const IdEntry *) b)->id;

        return x < y ? -1 : x > y;
}

int event_index_new(const PerfDataEvent *events, size_t n_events, EventIndex **ret) {
        _cleanup_event_index_free_ EventIndex *x = calloc(1, sizeof(*x));
        size_t n = 0;

        if (!x)
                return -ENOMEM;
        x->events = events;
        x->n_events = n_events;
        for (size_t i = 0; i < n_events; i++)
                n += events[i].n_ids;
        x->entries = calloc(n + 1, sizeof(*x->entries));
        if (!x->entries)
                return -ENOMEM;
        for (size_t i = 0; i < n_events; i++)
                for (size_t k = 0; k < events[i].n_ids; k++)
                        x->entries[x->n_entries++] = (IdEntry) { .id = events[i].ids[k], .event = events + i };
        qsort(x->entries, x->n_entries, sizeof(*x->entries), compare_ids);
        find_words(x);
        *ret = steal_ptr(x);
        return 0;
}

EventIndex *event_index_free(EventIndex *x) {
        if (!x)
                return NULL;
        free(x->entries);
        free(x);
        return NULL;
}

const PerfDataEvent *event_index_find_id(const EventIndex *x, uint64_t id) {
        IdEntry key = { .id = id }, *e;

        e = bsearch(&key, x->entries, x->n_entries, sizeof(*x->entries), compare_ids);
        return e ? e->event : NULL;
}

const PerfDataEvent *event_index_find(const EventIndex *x, const struct perf_event_header *record) {
        const uint64_t *id = NULL;

        if (record->type >= PERF_RECORD_USER_TYPE_START || x->n_events == 0)
                return NULL;
        if (x->n_events == 1)
                return x->events;
        if (record->type != PERF_RECORD_SAMPLE)
                id = record_word_from_end(record, x->trailer_word);
        else if (x->sample_word >= 0 && ((size_t) x->sample_word + 2) * sizeof(uint64_t) <= record->size)
                id = (const uint64_t *) (record + 1) + x->sample_word;
        return id ? event_index_find_id(x, *id) : NULL;
}

int event_index_sample_word(const EventIndex *x) {
        return x->sample_word;
}
