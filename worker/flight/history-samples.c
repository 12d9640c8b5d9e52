/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dump has the records between two positions of the history. The upper one is the mark, which the loop sets right
 * after it has read the rings: nothing that comes later belongs to the dump. The blocks in between are walked twice,
 * first for what the dump has to know beforehand, then to be written: to decompress a block again costs less memory
 * than to keep it. Samples that the history drops during a walk, for newer ones, count as lost.
 *
 * history_each() takes the history's lock itself, so the walks run in a thread while the loop appends. */

#include "history-samples.h"

#include "history-drain.h"
#include "sample-summary.h"

struct HistorySource {
        History *history;
        EventSet *set;
        FlightState *state;
        HistoryStacks *stacks; /* NULL: none are unwound */
        SampleReader *reader;
        uint64_t mark;      /* position up to which the next dump goes */
        FlightWish wish;    /* of the last take */
        HistorySpan span;   /* … that it has */
};

HistorySource *history_source_free(HistorySource *s) {
        if (!s)
                return NULL;
        sample_reader_free(s->reader);
        free(s);
        return NULL;
}

int history_source_new(History *h, EventSet *set, const PerfDataEvent *events, size_t n_events, FlightState *state,
                       HistoryStacks *stacks, HistorySource **ret) {
        _cleanup_(history_source_freep) HistorySource *s = calloc(1, sizeof(HistorySource));
        int r;

        if (!s)
                return -ENOMEM;
        s->history = h;
        s->set = set;
        s->state = state;
        s->stacks = stacks;
        r = sample_reader_new(events, n_events, &s->reader);
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

int history_source_renew_ids(HistorySource *s) {
        return sample_reader_renew_ids(s->reader);
}

static int history_source_mark(void *userdata) {
        HistorySource *s = userdata;
        int r = history_drain(s->history, s->set, s->stacks);

        if (r >= 0)
                s->mark = history_position(s->history);
        return r;
}

/* The history drops old samples by whole blocks, and none of the block being filled; a dump leaves out those that are
 * too old. */
static void history_source_set_span(HistorySource *s, const FlightWish *wish) {
        usec_t age = history_options(s->history)->max_age;

        if (wish->now > 0)
                history_tell_time(s->history, wish->now);
        s->span = (HistorySpan) {
                .from = flight_state_begin(s->state, 0, wish),
                .to = s->mark,
                .since = age >= wish->now / NSEC_PER_USEC ? wish->from : MAX_OF(wish->from, wish->now - age * NSEC_PER_USEC),
                .until = wish->until,
        };
        s->wish = *wish;
}

static struct iovec history_source_cut(const HistorySource *s, const struct iovec *records) {
        struct iovec v = *records;

        if (s->span.since > 0 || s->span.until > 0)
                v.iov_len = sample_reader_cut(s->reader, v.iov_base, v.iov_len, s->span.since, s->span.until);
        return v;
}

typedef struct Looking {
        const HistorySource *source;
        SampleSummary all;
        uint64_t bytes;
} Looking;

static int history_source_look(void *userdata, const struct iovec *records) {
        Looking *l = userdata;
        struct iovec v = history_source_cut(l->source, records);

        l->bytes += sample_summary_add(&l->all, l->source->reader, v.iov_base, v.iov_len);
        return 0;
}

static int history_source_describe(const Looking *l, uint64_t missed, FlightTaken *ret) {
        FlightTaken t = {
                .samples = l->all.counts.samples,
                .lost = l->all.counts.lost + missed,
                .throttled = l->all.counts.throttled,
                .bytes = l->bytes,
                .first = l->all.last > 0 ? l->all.first : 0,
                .last = l->all.last,
                .oldest = l->all.oldest < UINT64_MAX ? l->all.oldest : 0,
        };
        const HistorySource *s = l->source;
        HistoryTotals totals = {};
        int r = sample_summary_pids(&l->all, &t.pids, &t.n_pids);

        if (s->wish.from > 0)
                history_totals(s->history, &totals);
        if (totals.dropped_samples > 0 && MAX_OF(totals.counts.first, s->span.since) > s->wish.from)
                t.begin = MAX_OF(totals.counts.first, s->span.since);

        if (r >= 0)
                r = sample_summary_cgroups(&l->all, &t.cgroups, &t.n_cgroups);
        if (r < 0) {
                flight_taken_done(&t);
                return r;
        }
        *ret = t;
        return 0;
}

static int history_source_take(void *userdata, const FlightWish *wish, FlightTaken *ret) {
        HistorySource *s = userdata;
        Looking l = { .source = s };
        uint64_t missed = 0;
        int r = sample_summary_init(&l.all);

        if (r < 0)
                return r;
        history_source_set_span(s, wish);
        r = history_each(s->history, &s->span, history_source_look, &l, &missed);
        if (r >= 0)
                r = history_source_describe(&l, missed, ret);
        sample_summary_done(&l.all);
        return r;
}

typedef struct Handing {
        const HistorySource *source;
        FlightRecords records;
        void *userdata;
} Handing;

static int history_source_hand_out(void *userdata, const struct iovec *records) {
        const Handing *h = userdata;
        struct iovec v = history_source_cut(h->source, records);

        return v.iov_len > 0 ? h->records(h->userdata, &v) : 0;
}

static int history_source_each(void *userdata, FlightRecords records, void *records_userdata) {
        HistorySource *s = userdata;
        Handing h = { .source = s, .records = records, .userdata = records_userdata };

        return history_each(s->history, &s->span, history_source_hand_out, &h, NULL);
}

static void history_source_about_to_name(void *userdata, const char *name) {
        HistorySource *s = userdata;

        s->state->rings[0].pending = s->span.to;
        flight_state_announce(s->state, &s->wish, name);
}

static void history_source_settle(void *userdata, bool named) {
        HistorySource *s = userdata;

        flight_state_settle(s->state, named);
}

static void history_source_count(void *userdata, FlightCounts *ret) {
        const HistorySource *s = userdata;
        HistoryCounts c;

        history_appended(s->history, &c);
        *ret = (FlightCounts) { .samples = c.samples, .lost = c.lost, .throttled = c.throttled };
}

FlightSamples history_source_samples(HistorySource *s) {
        return (FlightSamples) {
                .mark = history_source_mark, .take = history_source_take, .each = history_source_each,
                .about_to_name = history_source_about_to_name, .settle = history_source_settle,
                .count = history_source_count, .userdata = s,
        };
}
