/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the id in a record to its event. Where the id stands depends on the event's sample_type, which is not known before
 * the id is: so it must stand at one place for all events, as perf arranges by PERF_SAMPLE_IDENTIFIER. Files with several
 * events that break this have records whose event cannot be told; they are answered with NULL. */

#include "event-index.h"

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
        int trailer_word; /* in any other record, from the end, the last being 1; -1 likewise */
};

#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
#define AFTER_ID (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

static int sample_word(const struct perf_event_attr *attr) {
        if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
                return 0;
        return attr->sample_type & PERF_SAMPLE_ID ? __builtin_popcountll(attr->sample_type & BEFORE_ID) : -1;
}

static int trailer_word(const struct perf_event_attr *attr) {
        if (!attr->sample_id_all)
                return -1;
        if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
                return 1;
        return attr->sample_type & PERF_SAMPLE_ID ? 1 + __builtin_popcountll(attr->sample_type & AFTER_ID) : -1;
}

static void find_words(EventIndex *x) {
        x->sample_word = x->n_events > 0 ? sample_word(&x->events[0].attr) : -1;
        x->trailer_word = x->n_events > 0 ? trailer_word(&x->events[0].attr) : -1;
        for (size_t i = 1; i < x->n_events; i++) {
                if (sample_word(&x->events[i].attr) != x->sample_word)
                        x->sample_word = -1;
                if (trailer_word(&x->events[i].attr) != x->trailer_word)
                        x->trailer_word = -1;
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
        const uint64_t *words = (const uint64_t *) record;
        size_t n = record->size / sizeof(uint64_t);
        int word;

        if (record->type >= PERF_RECORD_USER_TYPE_START || x->n_events == 0)
                return NULL;
        if (x->n_events == 1)
                return x->events;
        word = record->type == PERF_RECORD_SAMPLE ? x->sample_word : x->trailer_word;
        if (word < 0 || (size_t) word + 1 >= n + (record->type != PERF_RECORD_SAMPLE))
                return NULL;
        return event_index_find_id(x, record->type == PERF_RECORD_SAMPLE ? words[1 + word] : words[n - (size_t) word]);
}

int event_index_sample_word(const EventIndex *x) {
        return x->sample_word;
}
