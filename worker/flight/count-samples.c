/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The loop's part reads events and appends readings; a thread's part, the walk, hands out those of a dump.
 *
 * The history drops its oldest records block by block, so that the first reading in it may lack a part, which the walk knows by the
 * number of counts, and leaves out. The first whole reading, or the last one before the wished window, is the base of a dump: its
 * counts are subtracted from all others. So that the next dump has this one's last reading as its base, the position up to which
 * there are dumps is where that reading begins. */

#include "count-samples.h"

#include "event-reading.h"
#include "record.h"
#include "record-cursor.h"
#include "record-layout.h"

typedef struct CountValues {
        uint64_t words[3]; /* value, time enabled, time running, as in PerfRecordStat */
} CountValues;

/* An event of the set, and what it counted. */
typedef struct CountTotal {
        uint64_t kernel_id; /* of the event that was read last */
        CountValues offset; /* counted by events before that one */
        CountValues last;   /* all of it, in the last reading */
        uint32_t thread;    /* its number among those of the set */
} CountTotal;

struct CountSource {
        History *history;
        const EventSet *set;
        FlightState *state;
        CountTotal *totals; /* of the set's events */
        CountTable *table;  /* NULL: nobody else reads them */
        RecordBuffer reading;
        uint64_t appended;  /* bytes, by this process */
        uint64_t mark, mark_begin; /* the last reading of the next dump: the position behind it, and where it begins */
        FlightWish wish;    /* of the last take */
        HistorySpan span;   /* … that it has */
        uint64_t settled;   /* … and where its last reading begins */
};

int history_for_counts(uint64_t size, usec_t max_age, int level, History **ret) {
        const HistoryOptions o = {
                .size = size, .max_age = max_age, .level = level, .n_rings = 1,
                .time_word = (offsetof(PerfRecordStatRound, time) - sizeof(struct perf_event_header)) / sizeof(uint64_t),
                .sample_type = PERF_RECORD_STAT_ROUND,
        };

        return history_new(&o, ret);
}

CountSource *count_source_free(CountSource *s) {
        if (!s)
                return NULL;
        record_buffer_done(&s->reading);
        free(s->totals);
        free(s);
        return NULL;
}

/* --- the walk --- */

typedef struct CountWalk {
        const CountSource *source;
        CountValues *base, *now; /* of the set's events */
        size_t n_now;            /* counts of the reading that is walked */
        bool based;
        uint64_t since, until;   /* see FlightWish */
        uint64_t first, last;    /* times of the first and the last reading that was handed out; 0: none was */
        uint64_t readings, bytes;
        RecordBuffer *out;       /* NULL: they are only counted */
} CountWalk;

static int walk_put_reading(const CountWalk *w, uint64_t time) {
        const CountSource *s = w->source;

        for (size_t i = 0; i < s->set->n_events; i++) {
                CountValues v = w->now[i];

                for (size_t k = 0; k < ELEMENTSOF(v.words); k++)
                        v.words[k] -= MIN_OF(v.words[k], w->base[i].words[k]);
                (void) record_put_stat(w->out, event_set_file_id(s->set, i), s->set->events[i].cpu, s->totals[i].thread, v.words);
        }
        (void) record_put_stat_round(w->out, false, time);
        return byte_buffer_relieve(w->out);
}

static int walk_end_reading(CountWalk *w, uint64_t time) {
        size_t n_events = w->source->set->n_events;
        bool whole = w->n_now == n_events;

        w->n_now = 0;
        if (!whole || (w->until > 0 && time > w->until))
                return 0;
        if (!w->based || time < w->since) {
                CountValues *base = w->base;

                w->base = w->now;
                w->now = base;
                w->based = true;
                return 0;
        }
        w->first = w->first > 0 ? w->first : time;
        w->last = time;
        w->readings++;
        w->bytes += n_events * sizeof(PerfRecordStat) + sizeof(PerfRecordStatRound);
        return w->out ? walk_put_reading(w, time) : 0;
}

static int walk_on_record(const struct perf_event_header *h, void *userdata) {
        CountWalk *w = userdata;
        const PerfRecordStat *stat = (const PerfRecordStat *) h;
        const EventSet *set = w->source->set;

        if (!record_is_whole(h, 0))
                return 0;
        if (h->type == PERF_RECORD_STAT_ROUND)
                return walk_end_reading(w, ((const PerfRecordStatRound *) h)->time);
        if (h->type != PERF_RECORD_STAT || w->n_now >= set->n_events || stat->id != event_set_file_id(set, w->n_now))
                return 0;
        w->now[w->n_now++] = (CountValues) { { stat->value, stat->enabled, stat->running } };
        return 0;
}

static int walk_on_records(void *userdata, const struct iovec *records) {
        return record_cursor_each(records, 1, walk_on_record, userdata);
}

static void walk_done(CountWalk *w) {
        free(w->base);
        free(w->now);
}

static int walk_begin(CountWalk *w, const CountSource *s) {
        size_t n = s->set->n_events + 1;

        *w = (CountWalk) { .source = s, .base = calloc(n, sizeof(CountValues)), .now = calloc(n, sizeof(CountValues)) };
        return w->base && w->now ? 0 : -ENOMEM;
}

static int walk_run(CountWalk *w, RecordBuffer *out) {
        const CountSource *s = w->source;
        int r;

        w->since = s->wish.from;
        w->until = s->wish.until;
        w->out = out;
        r = history_each(s->history, &s->span, walk_on_records, w, NULL);
        return r >= 0 && out ? byte_buffer_flush(out) : r;
}

/* --- readings --- */

static int source_read_event(const CountSource *s, size_t i, CountValues *ret) {
        const Event *e = &s->set->events[i];
        EventReading reading = {};
        int r = e->fd < 0 ? -ENODATA : event_read(e, s->set->members[e->member].attr.read_format, &reading);

        *ret = (CountValues) { { reading.value, reading.enabled, reading.running } };
        return r;
}

/* Counts never go back, whatever the events did. */
static void source_update(CountSource *s, size_t i) {
        CountTotal *t = &s->totals[i];
        CountValues now;

        if (source_read_event(s, i, &now) < 0)
                return;
        if (t->kernel_id != s->set->events[i].id) {
                t->kernel_id = s->set->events[i].id;
                t->offset = t->last;
        }
        for (size_t k = 0; k < ELEMENTSOF(now.words); k++)
                t->last.words[k] = MAX_OF(t->last.words[k], t->offset.words[k] + now.words[k]);
}

void count_source_set_table(CountSource *s, CountTable *table) {
        s->table = table;
}

int count_source_read(CountSource *s) {
        uint64_t time = now_nsec(s->set->members[0].attr.clockid), begin = history_position(s->history);
        struct iovec records;
        int r;

        record_buffer_reset(&s->reading);
        count_table_begin(s->table);
        for (size_t i = 0; i < s->set->n_events; i++) {
                source_update(s, i);
                (void) record_put_stat(&s->reading, event_set_file_id(s->set, i), s->set->events[i].cpu, s->totals[i].thread,
                                       s->totals[i].last.words);
                count_table_add(s->table, i, s->totals[i].last.words);
        }
        count_table_publish(s->table);
        r = record_put_stat_round(&s->reading, false, time);
        if (r < 0)
                return r;
        records = record_buffer_iovec(&s->reading);
        s->appended += records.iov_len;
        history_tell_time(s->history, time);
        r = history_append(s->history, 0, &records, 1, s->appended);
        if (r >= 0)
                r = history_commit(s->history);
        s->mark_begin = begin;
        return r;
}

/* The counts of the last reading of another recorder, whose events go on. Where these have counted less, others counted before
 * them. */
static int source_go_on(CountSource *s) {
        _cleanup_(walk_done) CountWalk w = {};
        int r = walk_begin(&w, s);

        if (r < 0)
                return r;
        s->span = (HistorySpan) { .to = UINT64_MAX };
        s->wish.from = UINT64_MAX; /* each reading becomes the base */
        r = walk_run(&w, NULL);
        s->wish = (FlightWish) {};
        for (size_t i = 0; r >= 0 && i < s->set->n_events; i++) {
                CountTotal *t = &s->totals[i];
                CountValues now;

                t->last = w.base[i];
                if (source_read_event(s, i, &now) < 0)
                        continue;
                t->kernel_id = s->set->events[i].id;
                for (size_t k = 0; k < ELEMENTSOF(now.words); k++)
                        t->offset.words[k] = t->last.words[k] - MIN_OF(t->last.words[k], now.words[k]);
        }
        return r;
}

int count_source_new(History *h, const EventSet *set, FlightState *state, CountSource **ret) {
        _cleanup_(count_source_freep) CountSource *s = calloc(1, sizeof(CountSource));
        int r;

        if (!s)
                return -ENOMEM;
        *s = (CountSource) { .history = h, .set = set, .state = state, .appended = history_tail(h, 0) };
        s->totals = calloc(set->n_events + 1, sizeof(CountTotal));
        if (!s->totals)
                return -ENOMEM;
        for (size_t i = 0; i < set->n_events; i++) {
                s->totals[i].kernel_id = set->events[i].id;
                for (size_t t = 0; t < set->n_tids; t++)
                        if (set->tids[t] == set->events[i].tid)
                                s->totals[i].thread = (uint32_t) t;
        }
        r = history_position(h) > 0 ? source_go_on(s) : 0;
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

/* Both sets have their events by CPU. */
void count_source_continue(CountSource *s, const CountSource *previous) {
        const EventSet *set = s->set, *old = previous->set;

        for (size_t m = 0; m < set->n_members; m++) {
                const SetMember *a = &set->members[m], *b = old->members;
                size_t same = 0, k = 0;

                for (; same < old->n_members; same++, b++)
                        if (streq(a->name, b->name) && streq_ptr(a->spec->cgroup, b->spec->cgroup))
                                break;
                for (size_t i = 0; i < set->n_events; i++) {
                        const Event *e = &set->events[i];

                        if (e->member != m)
                                continue;
                        while (k < old->n_events && (old->events[k].member != same || old->events[k].cpu < e->cpu))
                                k++;
                        if (k < old->n_events && old->events[k].cpu == e->cpu && old->events[k].tid == e->tid)
                                s->totals[i].last = s->totals[i].offset = previous->totals[k].last;
                }
        }
}

/* --- the source of dumps --- */

static int source_mark(void *userdata) {
        CountSource *s = userdata;
        int r = count_source_read(s);

        s->mark = history_position(s->history);
        return r;
}

static int source_take(void *userdata, const FlightWish *wish, FlightTaken *ret) {
        CountSource *s = userdata;
        _cleanup_(walk_done) CountWalk w = {};
        int r = walk_begin(&w, s);

        if (r < 0)
                return r;
        s->wish = *wish;
        s->settled = s->mark_begin;
        s->span = (HistorySpan) { .from = flight_state_begin(s->state, 0, wish), .to = s->mark };
        r = walk_run(&w, NULL);
        if (r >= 0)
                *ret = (FlightTaken) {
                        .samples = w.readings, .bytes = w.bytes, .first = w.first, .last = w.last, .oldest = w.first,
                };
        return r;
}

static int source_each(void *userdata, FlightRecords each, void *records_userdata) {
        const CountSource *s = userdata;
        _cleanup_(record_buffer_done) RecordBuffer out = { .drain = each, .userdata = records_userdata };
        _cleanup_(walk_done) CountWalk w = {};
        int r = walk_begin(&w, s);

        return r < 0 ? r : walk_run(&w, &out);
}

static void source_about_to_name(void *userdata, const char *name) {
        CountSource *s = userdata;

        s->state->rings[0].pending = s->settled;
        flight_state_announce(s->state, &s->wish, name);
}

static void source_settle(void *userdata, bool named) {
        flight_state_settle(((CountSource *) userdata)->state, named);
}

static void source_count(void *userdata, FlightCounts *ret) {
        const CountSource *s = userdata;
        HistoryCounts c;

        history_appended(s->history, &c);
        *ret = (FlightCounts) { .samples = c.samples };
}

FlightSamples count_source_samples(CountSource *s) {
        return (FlightSamples) {
                .mark = source_mark, .take = source_take, .each = source_each, .about_to_name = source_about_to_name,
                .settle = source_settle, .count = source_count, .userdata = s,
        };
}
