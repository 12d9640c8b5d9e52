/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This must read millions of samples in some hundredths of a second, so of each it reads only the header and the two
 * words that have process and time. They are at the same place in all samples, unless the events' samples have
 * different fields (index). A PID is below 2^22 (PID_MAX_LIMIT in linux/threads.h), so a set of them is a bitmap, of
 * which mostly a page or two are touched. The ids of control groups are numbers of 64 bits, of which there are few. */

#include "sample-summary.h"

#include "array.h"
#include "event-index.h"
#include "record-trailer.h"
#include "sample-layout.h"

#define PIDS_MAX (1u << 22)
#define PID_WORDS (PIDS_MAX / 64)

#define CGROUPS_MAX (1u << 17) /* with more in the samples, the control groups count as not known */

struct SampleReader {
        const PerfDataEvent *events;
        size_t n_events;
        SampleLayout *layouts; /* of each event */
        EventIndex *index;     /* NULL: all layouts are alike */
};

SampleReader *sample_reader_free(SampleReader *x) {
        if (!x)
                return NULL;
        event_index_free(x->index);
        free(x->layouts);
        free(x);
        return NULL;
}

int sample_reader_new(const PerfDataEvent *events, size_t n_events, SampleReader **ret) {
        _cleanup_(sample_reader_freep) SampleReader *x = calloc(1, sizeof(SampleReader));
        bool alike = true;
        int r;

        if (!x)
                return -ENOMEM;
        x->events = events;
        x->n_events = n_events;
        x->layouts = calloc(n_events + 1, sizeof(SampleLayout));
        if (!x->layouts)
                return -ENOMEM;
        for (size_t i = 0; i < n_events; i++) {
                sample_layout_init(&x->layouts[i], &events[i].attr);
                alike = alike && x->layouts[i].tid == x->layouts[0].tid && x->layouts[i].time == x->layouts[0].time &&
                        x->layouts[i].cgroup == x->layouts[0].cgroup && x->layouts[i].cgroup_floats == x->layouts[0].cgroup_floats;
        }
        if (!alike) {
                r = event_index_new(events, n_events, &x->index);
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(x);
        return 0;
}

int sample_reader_renew_ids(SampleReader *x) {
        EventIndex *index;
        int r = x->index ? event_index_new(x->events, x->n_events, &index) : 0;

        if (r < 0 || !x->index)
                return r;
        event_index_free(x->index);
        x->index = index;
        return 0;
}

int sample_summary_init(SampleSummary *s) {
        *s = (SampleSummary) { .first = UINT64_MAX, .oldest = UINT64_MAX, .pids = calloc(PID_WORDS, sizeof(uint64_t)) };
        return s->pids ? 0 : -ENOMEM;
}

void sample_summary_done(SampleSummary *s) {
        free(s->pids);
        free(s->cgroups);
        hash_index_done(&s->cgroup_index);
        *s = (SampleSummary) {};
}

static const SampleLayout *sample_layout_of(const SampleReader *x, const struct perf_event_header *h) {
        const PerfDataEvent *e;

        if (!x->index)
                return x->layouts;
        e = event_index_find(x->index, h);
        return e ? &x->layouts[e - x->events] : NULL;
}

static uint64_t record_word_at(const struct perf_event_header *h, int word) {
        uint64_t v;

        if (word < 0 || ((size_t) word + 2) * sizeof(v) > h->size)
                return 0;
        memcpy(&v, (const uint8_t *) h + ((size_t) word + 1) * sizeof(v), sizeof(v));
        return v;
}

static void summary_add_process(SampleSummary *s, uint64_t pid_tid) {
        uint64_t pid = pid_tid & UINT32_MAX;

        if (pid >= PIDS_MAX)
                return;
        s->pids[pid / 64] |= UINT64_C(1) << pid % 64;
        s->n_words = MAX_OF(s->n_words, (size_t) pid / 64 + 1);
}

static uint64_t hash_of_cgroup(const void *owner, uintptr_t entry) {
        const SampleSummary *s = owner;

        return hash_mix(0, s->cgroups[entry - 1]);
}

static void summary_add_cgroup(SampleSummary *s, uint64_t id) {
        uint64_t hash = hash_mix(0, id);

        if (s->cgroups_unknown || HASH_INDEX_FIND(&s->cgroup_index, hash, number, s->cgroups[number - 1] == id))
                return;
        s->cgroups_unknown = true;
        if (s->n_cgroups >= CGROUPS_MAX || ARRAY_RESERVE_NEXT(s->cgroups, s->n_cgroups) < 0)
                return;
        s->cgroups[s->n_cgroups] = id;
        if (hash_index_add(&s->cgroup_index, hash, s->n_cgroups + 1, hash_of_cgroup, s) < 0)
                return;
        s->n_cgroups++;
        s->cgroups_unknown = false;
}

static void summary_add_sample(SampleSummary *s, const SampleReader *x, const struct perf_event_header *h) {
        const SampleLayout *l = sample_layout_of(x, h);
        const uint64_t *cgroup;
        uint64_t time;

        if (l) {
                s->cgroups_unknown = s->cgroups_unknown || l->cgroup_floats;
                cgroup = record_word_from_end(h, l->cgroup);
                if (cgroup)
                        summary_add_cgroup(s, *cgroup);
                time = record_word_at(h, l->time);
                summary_add_process(s, record_word_at(h, l->tid));
                if (l->time >= 0) {
                        s->first = MIN_OF(s->first, time);
                        s->last = MAX_OF(s->last, time);
                        s->oldest = MIN_OF(s->oldest, time);
                }
        }
        s->counts.samples++;
}

static TrailerPlaces sample_trailer_places(const SampleReader *x, const SampleLayout *l) {
        return trailer_places_of(&x->events[l - x->layouts].attr);
}

/* Readers need the name of the task that is switched, so its process counts as one that has samples. */
static void summary_add_switch(SampleSummary *s, const SampleReader *x, const struct perf_event_header *h) {
        const SampleLayout *l = sample_layout_of(x, h);
        const uint64_t *task, *time;

        if (!l)
                return;
        task = record_word_from_end(h, sample_trailer_places(x, l).tid);
        time = record_word_from_end(h, sample_trailer_places(x, l).time);
        if (task)
                summary_add_process(s, *task);
        if (time)
                s->oldest = MIN_OF(s->oldest, *time);
}

/* Returns NULL if no whole record is left. */
static const struct perf_event_header *whole_record_at(const void *data, size_t size, size_t at) {
        const struct perf_event_header *h = (const void *) ((const uint8_t *) data + at);

        if (size - at < sizeof(*h) || h->size < sizeof(*h) || h->size % 8 != 0 || h->size > size - at)
                return NULL;
        return h;
}

size_t sample_summary_add(SampleSummary *s, const SampleReader *x, const void *data, size_t size) {
        const struct perf_event_header *h;
        size_t at = 0;

        for (; (h = whole_record_at(data, size, at)); at += h->size)
                if (h->type == PERF_RECORD_SAMPLE)
                        summary_add_sample(s, x, h);
                else if (h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_SWITCH_CPU_WIDE)
                        summary_add_switch(s, x, h);
                else
                        record_counts_add(&s->counts, h);
        return at;
}

/* Returns NULL if the record has no time. */
static const uint64_t *record_time_of(const SampleReader *x, const struct perf_event_header *h) {
        const SampleLayout *l = sample_layout_of(x, h);

        if (!l)
                return NULL;
        if (h->type != PERF_RECORD_SAMPLE)
                return record_word_from_end(h, sample_trailer_places(x, l).time);
        return l->time >= 0 && ((size_t) l->time + 2) * sizeof(uint64_t) <= h->size ? (const uint64_t *) (h + 1) + l->time : NULL;
}

size_t sample_reader_cut(const SampleReader *x, void *data, size_t size, uint64_t from, uint64_t until) {
        const struct perf_event_header *h;
        size_t kept = 0, step;

        for (size_t at = 0; (h = whole_record_at(data, size, at)); at += step) {
                const uint64_t *time = record_time_of(x, h);

                step = h->size;
                if (time && (*time < from || (until > 0 && *time > until)))
                        continue;
                if (kept != at)
                        memmove((uint8_t *) data + kept, h, step);
                kept += step;
        }
        return kept;
}

uint64_t sample_reader_oldest(const SampleReader *x, const void *data, size_t size) {
        const struct perf_event_header *h;
        uint64_t oldest = UINT64_MAX;

        for (size_t at = 0; (h = whole_record_at(data, size, at)); at += h->size) {
                const uint64_t *time = record_time_of(x, h);

                oldest = MIN_OF(oldest, time ? *time : UINT64_MAX);
        }
        return oldest;
}

void sample_summary_merge(SampleSummary *s, const SampleSummary *other) {
        record_counts_merge(&s->counts, &other->counts);
        s->first = MIN_OF(s->first, other->first);
        s->last = MAX_OF(s->last, other->last);
        s->oldest = MIN_OF(s->oldest, other->oldest);
        s->n_words = MAX_OF(s->n_words, other->n_words);
        for (size_t i = 0; i < other->n_words; i++)
                s->pids[i] |= other->pids[i];
        s->cgroups_unknown = s->cgroups_unknown || other->cgroups_unknown;
        for (size_t i = 0; i < other->n_cgroups; i++)
                summary_add_cgroup(s, other->cgroups[i]);
}

int sample_summary_pids(const SampleSummary *s, uint32_t **ret, size_t *ret_n) {
        size_t n = 0, at = 0;
        uint32_t *pids;

        for (size_t i = 0; i < s->n_words; i++)
                n += (size_t) __builtin_popcountll(s->pids[i]);
        pids = calloc(n + 1, sizeof(uint32_t));
        if (!pids)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_words; i++)
                for (uint64_t bits = s->pids[i]; bits != 0; bits &= bits - 1)
                        pids[at++] = (uint32_t) (i * 64) + (uint32_t) __builtin_ctzll(bits);
        *ret = pids;
        *ret_n = n;
        return 0;
}

static int compare_ids(const void *a, const void *b) {
        const uint64_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

int sample_summary_cgroups(const SampleSummary *s, uint64_t **ret, size_t *ret_n) {
        uint64_t *ids = NULL;

        if (!s->cgroups_unknown) {
                ids = calloc(s->n_cgroups + 1, sizeof(*ids));
                if (!ids)
                        return -ENOMEM;
                for (size_t i = 0; i < s->n_cgroups; i++)
                        ids[i] = s->cgroups[i];
                qsort(ids, s->n_cgroups, sizeof(*ids), compare_ids);
        }
        *ret = ids;
        *ret_n = ids ? s->n_cgroups : 0;
        return 0;
}
