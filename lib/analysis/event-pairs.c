/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples are kept as a few numbers until their recording ends, and sorted then: a large dump has those of one CPU after those of
 * another, and many latencies begin on one CPU and end on another. What has begun is in a table by its key, and in a list with the
 * latest one last, from whose front the oldest is forgotten where too many are open.
 *
 * Where records were lost, an end may be that of another begin: such pairs are left out. */

#include "event-pairs.h"

#include "array.h"
#include "format-text.h"
#include "record-layout.h"
#include "strv.h"

#define CPU_UNKNOWN ((1u << 30) - 1)
#define NOBODY UINT32_MAX

/* Something that has begun. */
typedef struct OpenPair {
        uint64_t key, begin;
        uint32_t row;
        uint32_t next, previous; /* numbers in the list; NOBODY */
} OpenPair;

typedef struct OpenPairs {
        OpenPair *all;
        size_t n, allocated;      /* n: used, some of them free */
        size_t n_open;
        uint32_t oldest, latest;  /* NOBODY */
        uint32_t free;            /* the first of those that are free, which are a list by next; NOBODY */
        HashIndex index;          /* of numbers + 1 */
} OpenPairs;

static uint64_t open_pairs_hash(const void *owner, uintptr_t entry) {
        return ((const OpenPairs *) owner)->all[entry - 1].key;
}

static void open_pairs_remove(OpenPairs *o, uint32_t number) {
        OpenPair *p = o->all + number;

        hash_index_remove(&o->index, p->key, (uintptr_t) number + 1, open_pairs_hash, o);
        *(p->previous == NOBODY ? &o->oldest : &o->all[p->previous].next) = p->next;
        *(p->next == NOBODY ? &o->latest : &o->all[p->next].previous) = p->previous;
        p->next = o->free;
        o->free = number;
        o->n_open--;
}

/* Adds one whose key is new, as the latest. */
static int open_pairs_add(OpenPairs *o, const PairMoment *m) {
        bool fresh = o->free == NOBODY;
        uint32_t number = fresh ? (uint32_t) o->n : o->free, next_free;

        if (fresh && ARRAY_RESERVE(o->all, o->allocated, o->n + 1) < 0)
                return -ENOMEM;
        next_free = fresh ? NOBODY : o->all[number].next;
        o->all[number] = (OpenPair) { .key = m->key, .begin = m->time, .row = m->row, .next = NOBODY, .previous = o->latest };
        if (hash_index_add(&o->index, m->key, (uintptr_t) number + 1, open_pairs_hash, o) < 0)
                return -ENOMEM;
        *(o->latest == NOBODY ? &o->oldest : &o->all[o->latest].next) = number;
        o->latest = number;
        o->free = next_free;
        o->n += fresh;
        o->n_open++;
        return 0;
}

static void paired_events_done(EventPairs *p) {
        for (size_t i = 0; p->events && i < p->n_events; i++)
                trace_layout_done(&p->events[i].layout);
        free(steal_ptr(p->events));
        p->n_events = 0;
}

void event_pairs_done(EventPairs *p) {
        paired_events_done(p);
        record_losses_done(&p->losses);
        free(p->moments);
        free(p->pairs);
        *p = (EventPairs) {};
}

static bool pair_key_is_of_sample(const char *key) {
        return streq(key, PAIR_KEY_TID) || streq(key, PAIR_KEY_CPU);
}

/* Returns whether a recording must have the event of a side, or has it and it counts. */
static bool pair_side_is_needed(const PairRule *rule, size_t side, const PerfDataReader *reader) {
        const PairSide *s = rule->sides + side;

        if (side > 0 && s[-1].else_next && perf_data_reader_find_tracepoint(reader, s[-1].tracepoint))
                return false;
        return perf_data_reader_find_tracepoint(reader, s->tracepoint) || !(s->optional || s->else_next);
}

/* 0, also if the recording does not say which fields the event has: then *ret has none; -ENOMEM. */
static int paired_event_read(const PerfDataReader *reader, const PerfDataEvent *e, TraceLayout *ret) {
        const void *data;
        size_t size;
        int r = perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size);

        if (r >= 0)
                r = trace_layout_init(ret, data, size, e->attr.config);
        return r == -ENOMEM ? r : 0;
}

/* Names a field that an event lacks, and those that it has. A new string, or NULL without memory. */
static char *pair_describe_lack(const char *tracepoint, const char *key, const TraceLayout *layout) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *joined = NULL;

        for (size_t i = 0; i < layout->n; i++)
                if (!layout->fields[i].common && strv_extend(&names, layout->fields[i].name) < 0)
                        return NULL;
        joined = strv_join(names, ", ");
        return joined ? format_text("%s has no field '%s'; it has %s", tracepoint, key, joined) : NULL;
}

static int pair_side_check(const PairRule *rule, size_t side, const PerfDataReader *reader, char **ret_why) {
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        const char *name = rule->sides[side].tracepoint;
        const PerfDataEvent *e = perf_data_reader_find_tracepoint(reader, name);
        const char *lack = NULL;

        if (e && paired_event_read(reader, e, &layout) < 0)
                return -ENOMEM;
        for (size_t k = 0; k < rule->n_keys && !lack; k++)
                if (!pair_key_is_of_sample(rule->sides[side].keys[k]) && !trace_layout_find(&layout, rule->sides[side].keys[k]))
                        lack = rule->sides[side].keys[k];
        if (!e)
                *ret_why = format_text("it has no event %s; record it with -e %s", name, name);
        else if (layout.n == 0 || !(e->attr.sample_type & PERF_SAMPLE_RAW) || !(e->attr.sample_type & PERF_SAMPLE_TIME))
                *ret_why = format_text("samples of %s have no fields or no times", name);
        else if (e->attr.freq || e->attr.sample_period > 1)
                *ret_why = format_text("not each %s was recorded; record it with -c 1, in a session Period=1", name);
        else if (lack)
                *ret_why = pair_describe_lack(name, lack, &layout);
        else
                return 0;
        return *ret_why ? -ENODATA : -ENOMEM;
}

int event_pairs_check(const PairRule *rule, const PerfDataReader *reader, char **ret_why) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < rule->n; i++)
                if (pair_side_is_needed(rule, i, reader))
                        r = pair_side_check(rule, i, reader, ret_why);
        return r;
}

/* Finds the fields of a side of an event. */
static void paired_side_find(const PairRule *rule, size_t side, PairedEvent *e) {
        PairedSide *s = e->sides + side;

        s->used = true;
        for (size_t k = 0; k < rule->n_keys; k++) {
                const char *key = rule->sides[side].keys[k];

                s->of_cpu[k] = streq(key, PAIR_KEY_CPU);
                s->fields[k] = pair_key_is_of_sample(key) ? NULL : trace_layout_find(&e->layout, key);
                s->used = s->used && (s->fields[k] || pair_key_is_of_sample(key));
        }
}

static int paired_events_find(EventPairs *p, const PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = 0;

        paired_events_done(p);
        p->events = calloc(n + 1, sizeof(*p->events));
        if (!p->events)
                return -ENOMEM;
        p->n_events = n;
        for (size_t i = 0; i < n; i++)
                for (size_t side = 0; r >= 0 && side < p->rule->n; side++) {
                        if (!perf_data_event_is_tracepoint(events + i, p->rule->sides[side].tracepoint) ||
                            !pair_side_is_needed(p->rule, side, reader))
                                continue;
                        if (p->events[i].layout.n == 0)
                                r = paired_event_read(reader, events + i, &p->events[i].layout);
                        paired_side_find(p->rule, side, p->events + i);
                }
        return r;
}

/* Returns false if the sample lacks a field of the key. */
static bool pair_key_take(const PairRule *rule, const PairedSide *side, const Moment *m, uint64_t *ret) {
        const PerfSample *s = m->sample;

        *ret = 0;
        for (size_t k = 0; k < rule->n_keys; k++) {
                const TraceLayoutField *f = side->fields[k];
                uint64_t value = side->of_cpu[k] ? s->cpu : s->tid;
                const uint8_t *bytes;
                size_t n;

                if (!f && side->of_cpu[k] && !(m->event->attr.sample_type & PERF_SAMPLE_CPU))
                        return false;
                if (f && !f->text && trace_field_number(f, s->raw, s->raw_size, &value))
                        f = NULL;
                if (f && (!s->raw || !trace_field_bytes(f, s->raw, s->raw_size, &bytes, &n)))
                        return false;
                if (f) /* a text, or another array */
                        value = hash_bytes(0, bytes, f->text ? strnlen((const char *) bytes, n) : n);
                *ret = hash_mix(*ret, value);
        }
        if (rule->n_keys == 0)
                *ret = hash_mix(*ret, s->tid);
        return true;
}

static int event_pairs_keep(EventPairs *p, const Moment *m, const PairedSide *side, PairRole role, uint32_t row) {
        PairMoment kept = {
                .time = m->time, .row = row, .role = role,
                .cpu = m->event->attr.sample_type & PERF_SAMPLE_CPU && m->sample->cpu < CPU_UNKNOWN ? m->sample->cpu : CPU_UNKNOWN,
        };

        if (m->time == 0 || !pair_key_take(p->rule, side, m, &kept.key)) {
                p->totals.unreadable++;
                return 0;
        }
        p->totals.begins += role == PAIR_BEGINS;
        p->totals.ends += role == PAIR_ENDS;
        if (p->n_moments >= UINT32_MAX || ARRAY_RESERVE(p->moments, p->moments_allocated, p->n_moments + 1) < 0)
                return -ENOMEM;
        p->unordered = p->unordered || (p->n_moments > 0 && kept.time < p->moments[p->n_moments - 1].time);
        p->moments[p->n_moments++] = kept;
        return 0;
}

int event_pairs_take(EventPairs *p, const Moment *m, uint32_t row) {
        int r = 0;

        if (!moment_is_sample(m))
                return m->record->type == PERF_RECORD_LOST && m->sample->time > 0 ?
                               record_losses_add(&p->losses, m->sample->cpu, m->sample->time) : 0;
        for (PairRole role = 0; role < _PAIR_ROLE_MAX && m->number < p->n_events; role++)
                for (size_t i = 0; r >= 0 && i < p->rule->n; i++)
                        if (p->rule->sides[i].role == role && p->events[m->number].sides[i].used)
                                r = event_pairs_keep(p, m, p->events[m->number].sides + i, role, row);
        return r;
}

static int event_pairs_add(EventPairs *p, const OpenPair *open, uint64_t end) {
        if (open->row == SAMPLE_NO_ROW) {
                p->totals.unselected++;
                return 0;
        }
        if (record_losses_during(&p->losses, open->begin, end)) {
                p->totals.doubtful++;
                return 0;
        }
        if (ARRAY_RESERVE(p->pairs, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        p->pairs[p->n++] = (EventPair) {
                .begin = time_axis_of(&p->axis, open->begin), .end = time_axis_of(&p->axis, end), .row = open->row,
        };
        p->totals.pairs++;
        return 0;
}

static int event_pairs_take_moment(EventPairs *p, OpenPairs *o, const PairMoment *m) {
        uintptr_t entry = HASH_INDEX_FIND(&o->index, m->key, e, o->all[e - 1].key == m->key);
        uint32_t found = (uint32_t) (entry - 1); /* NOBODY: there is none */
        int r = 0;

        if (m->role == PAIR_BEGINS && found == NOBODY && o->n_open >= (p->max_open ?: EVENT_PAIRS_OPEN_MAX)) {
                p->totals.crowded++;
                open_pairs_remove(o, o->oldest);
        }
        p->totals.replaced += m->role == PAIR_BEGINS && found != NOBODY;
        p->totals.forgotten += m->role == PAIR_FORGETS && found != NOBODY;
        p->totals.lone_ends += m->role == PAIR_ENDS && found == NOBODY;
        if (m->role == PAIR_ENDS && found != NOBODY)
                r = event_pairs_add(p, o->all + found, m->time);
        if (found != NOBODY)
                open_pairs_remove(o, found);
        return r >= 0 && m->role == PAIR_BEGINS ? open_pairs_add(o, m) : r;
}

static int pair_moments_compare(const void *a, const void *b, void *userdata) {
        uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
        const PairMoment *moments = userdata, *x = moments + i, *y = moments + j;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return i < j ? -1 : i > j;
}

/* Makes pairs of what was kept of a recording. */
static int event_pairs_end_recording(EventPairs *p) {
        OpenPairs open = { .oldest = NOBODY, .latest = NOBODY, .free = NOBODY };
        _cleanup_free_ uint32_t *order = calloc(p->n_moments + 1, sizeof(*order));
        int r = order ? 0 : -ENOMEM;

        for (uint32_t i = 0; r >= 0 && i < p->n_moments; i++)
                order[i] = i;
        if (r >= 0 && p->unordered)
                qsort_r(order, p->n_moments, sizeof(*order), pair_moments_compare, p->moments);
        if (r >= 0 && p->losses.n > 0)
                r = record_losses_begin(&p->losses);
        for (size_t i = 0; r >= 0 && p->losses.n > 0 && i < p->n_moments; i++)
                r = record_losses_pass(&p->losses, p->moments[order[i]].cpu, p->moments[order[i]].time, false);
        record_losses_end(&p->losses);
        for (size_t i = 0; r >= 0 && i < p->n_moments; i++)
                r = event_pairs_take_moment(p, &open, p->moments + order[i]);
        p->totals.open += open.n_open;
        free(open.all);
        hash_index_done(&open.index);
        record_losses_done(&p->losses);
        p->n_moments = 0;
        p->unordered = false;
        return r;
}

int event_pairs_begin_recording(EventPairs *p, const PerfDataReader *reader) {
        int r = event_pairs_end_recording(p);

        if (r >= 0)
                r = time_axis_begin_recording(&p->axis, reader);
        return r < 0 ? r : paired_events_find(p, reader);
}

int event_pairs_finish(EventPairs *p) {
        return event_pairs_end_recording(p);
}
