/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events of several recordings in one list. The kernel counts ids up since boot, so an id is one event; if it is
 * two, the recordings are of two boots, and times and processes can't be compared either. The id must be at the same
 * place in all records; records of no event, with id 0, end as those of the first event, so first events must be
 * alike. */

#include "array.h"
#include "merge-parts.h"

#define TRAILER_FIELDS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
                        PERF_SAMPLE_IDENTIFIER)
#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

static bool has_name(const PerfDataEvent *e) {
        return e->name && *e->name;
}

/* Ignores the attribute's size in the file, and the name if a file has none. */
static bool same_event(const PerfDataEvent *a, const PerfDataEvent *b) {
        struct perf_event_attr attr = a->attr;

        attr.size = b->attr.size;
        return memcmp(&attr, &b->attr, sizeof(attr)) == 0 && (!has_name(a) || !has_name(b) || streq(a->name, b->name));
}

/* Returns the first event like e that no other event of the same recording has taken. */
static PerfDataEvent *find(const MergedEvents *m, const PerfDataEvent *e, const bool *taken) {
        for (size_t i = 0; i < m->n; i++)
                if (!taken[i] && same_event(&m->events[i], e))
                        return &m->events[i];
        return NULL;
}

static int add_ids(PerfDataEvent *to, const PerfDataEvent *e) {
        size_t n = to->n_ids;
        uint64_t *ids = (uint64_t *) to->ids;

        if (ARRAY_RESIZE(ids, to->n_ids + e->n_ids + 1) < 0)
                return -ENOMEM;
        to->ids = ids;
        for (size_t i = 0; i < e->n_ids; i++)
                if (n == 0 || !ANY_OF(to->n_ids, k, to->ids[k] == e->ids[i]))
                        ids[to->n_ids++] = e->ids[i];
        return 0;
}

static int add_all(MergedEvents *m, const PerfDataEvent *events, size_t n) {
        _cleanup_free_ bool *taken = calloc(m->n + n + 1, sizeof(*taken));
        int r = 0;

        if (!taken)
                return -ENOMEM;
        for (size_t i = 0; i < n && r >= 0; i++) {
                PerfDataEvent *e = find(m, &events[i], taken);

                if (!e && ARRAY_RESERVE_NEXT(m->events, m->n) < 0)
                        return -ENOMEM;
                if (!e) {
                        e = &m->events[m->n++];
                        *e = (PerfDataEvent) { .attr = events[i].attr };
                }
                taken[e - m->events] = true;
                if (!has_name(e) && has_name(&events[i])) {
                        e->name = strdup(events[i].name);
                        r = e->name ? 0 : -ENOMEM;
                }
                if (r >= 0)
                        r = add_ids(e, &events[i]);
        }
        return r;
}

static uint64_t id_place(const struct perf_event_attr *attr) {
        if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
                return PERF_SAMPLE_IDENTIFIER;
        return attr->sample_type & PERF_SAMPLE_ID ? PERF_SAMPLE_ID | (attr->sample_type & BEFORE_ID) : 0;
}

static int compare_ids(const void *a, const void *b) {
        uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

        return x < y ? -1 : x > y;
}

/* Checks that no id is there twice. */
static int check_ids(const MergedEvents *m, Diagnosis *d) {
        _cleanup_free_ uint64_t *ids = NULL;
        size_t n = 0;

        for (size_t i = 0; i < m->n; i++)
                n += m->events[i].n_ids;
        ids = calloc(n + 1, sizeof(*ids));
        if (!ids)
                return -ENOMEM;
        n = 0;
        for (size_t i = 0; i < m->n; i++)
                for (size_t k = 0; k < m->events[i].n_ids; k++)
                        ids[n++] = m->events[i].ids[k];
        qsort(ids, n, sizeof(*ids), compare_ids);
        for (size_t i = 1; i < n; i++)
                if (ids[i] == ids[i - 1])
                        return diagnosis_set(d, -EOPNOTSUPP, "They are of different boots or machines");
        return 0;
}

static int check(const MergedEvents *m, Diagnosis *d) {
        const struct perf_event_attr *first = &m->events[0].attr;

        for (size_t i = 1; i < m->n; i++) {
                const struct perf_event_attr *attr = &m->events[i].attr;

                if (attr->sample_id_all != first->sample_id_all || id_place(attr) != id_place(first) || id_place(attr) == 0)
                        return diagnosis_set(d, -EOPNOTSUPP, "Their events differ in what a sample says of itself");
        }
        return check_ids(m, d);
}

int merged_events_init(MergedEvents *m, PerfDataReader *const *readers, size_t n, Diagnosis *d) {
        size_t n_first = 0;
        int r = 0;

        *m = (MergedEvents) {};
        for (size_t i = 0; i < n && r >= 0; i++) {
                const PerfDataEvent *events;
                size_t n_events = perf_data_reader_events(readers[i], &events);

                if (i == 0)
                        n_first = n_events;
                r = add_all(m, events, n_events);
                if (r >= 0 && n_events > 0 && (events[0].attr.sample_type ^ m->events[0].attr.sample_type) & TRAILER_FIELDS)
                        r = diagnosis_set(d, -EOPNOTSUPP, "Their events differ in what a record says of itself");
        }
        m->same = m->n == n_first;
        if (r >= 0 && m->n == 0)
                r = diagnosis_set(d, -EOPNOTSUPP, "They have no events");
        if (r >= 0)
                r = check(m, d);
        if (r < 0)
                merged_events_done(m);
        return r;
}

void merged_events_done(MergedEvents *m) {
        for (size_t i = 0; i < m->n; i++) {
                free((char *) m->events[i].name);
                free((uint64_t *) m->events[i].ids);
        }
        free(m->events);
        *m = (MergedEvents) {};
}
