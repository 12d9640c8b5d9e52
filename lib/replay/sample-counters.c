/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's layouts, see perf_event_open(2): a group has the number of values, the times, and value, id and lost for each
 * member; a single event has value, times, id, lost. */

#include "sample-counters.h"

static uint64_t counter_hash_of(const void *owner, uintptr_t entry) {
        return hash_mix(0, ((const SampleCounters *) owner)->counters[entry - 1].id);
}

int sample_counters_init(SampleCounters *c, const PerfDataEvent *events, size_t n_events) {
        size_t n = 0;
        bool wanted = false;
        int r = 0;

        for (size_t i = 0; i < n_events; i++) {
                wanted = wanted || (events[i].attr.sample_type & PERF_SAMPLE_READ && events[i].attr.read_format & PERF_FORMAT_ID);
                n += events[i].n_ids;
        }
        if (!wanted || n >= UINT32_MAX)
                return 0;
        c->counters = calloc(n + 1, sizeof(*c->counters));
        if (!c->counters)
                return -ENOMEM;
        for (size_t i = 0; i < n_events; i++)
                for (size_t k = 0; r >= 0 && k < events[i].n_ids; k++) {
                        c->counters[c->n++] = (SampleCounter) { .id = events[i].ids[k], .event = i };
                        r = hash_index_add(&c->index, hash_mix(0, events[i].ids[k]), c->n, counter_hash_of, c);
                }
        return r;
}

void sample_counters_done(SampleCounters *c) {
        free(c->counters);
        hash_index_done(&c->index);
        *c = (SampleCounters) {};
}

size_t sample_counters_values(const PerfSample *s, uint64_t format) {
        if (s->n_read == 0 || !(format & PERF_FORMAT_ID))
                return 0;
        return format & PERF_FORMAT_GROUP ? s->read[0] : 1;
}

bool sample_counters_value(const SampleCounters *c, const PerfSample *s, uint64_t format, size_t i, size_t *ret_counter,
                           uint64_t *ret_value) {
        size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
        size_t each = 2 + !!(format & PERF_FORMAT_LOST);
        const uint64_t *value = s->read, *id = s->read + 1 + times;
        uintptr_t found;

        if (format & PERF_FORMAT_GROUP) {
                value = s->read + 1 + times + i * each;
                id = value + 1;
        }
        found = HASH_INDEX_FIND(&c->index, hash_mix(0, *id), entry, c->counters[entry - 1].id == *id);
        if (found == 0)
                return false;
        *ret_counter = found - 1;
        *ret_value = *value;
        return true;
}

uint64_t sample_counters_advance(SampleCounters *c, size_t counter, uint64_t value) {
        uint64_t before = c->counters[counter].value;

        c->counters[counter].value = value;
        return value > before ? value - before : 0;
}

void sample_counters_restart(SampleCounters *c) {
        for (size_t i = 0; i < c->n; i++)
                c->counters[i].value = 0;
}
