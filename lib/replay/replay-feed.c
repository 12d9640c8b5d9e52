/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread reads ahead where all samples are brief: then it shares nothing with the caller that changes but for call chains. Who
 * asks for whole samples may fork to read them, and a copy of this process would have the locks of the other thread, but not the
 * thread that gives them back. */

#include "replay-feed.h"

#include "array.h"
#include "record-trailer.h"
#include "sample.h"
#include "unwinder.h"

#define RECORDS_PER_TURN 1024u

int replay_feed_init(ReplayFeed *f, PerfDataReader *reader) {
        *f = (ReplayFeed) { .reader = reader };
        recorded_chains_init(&f->recorded);
        f->n_events = perf_data_reader_events(reader, &f->events);
        f->layouts = calloc(f->n_events + 1, sizeof(*f->layouts));
        f->brief = calloc(f->n_events + 1, sizeof(*f->brief));
        if (!f->layouts || !f->brief)
                return -ENOMEM;
        for (size_t i = 0; i < f->n_events; i++)
                sample_layout_init(f->layouts + i, &f->events[i].attr);
        return deferred_chains_read(&f->deferred, reader);
}

void replay_feed_done(ReplayFeed *f) {
        f->ahead = read_ahead_free(f->ahead);
        deferred_chains_done(&f->deferred);
        recorded_chains_done(&f->recorded);
        free(f->layouts);
        free(f->brief);
}

void replay_feed_make_brief(ReplayFeed *f, uint64_t fields) {
        for (size_t i = 0; i < f->n_events; i++) {
                const SampleLayout *l = f->layouts + i;

                f->brief[i] = !(f->events[i].attr.sample_type & fields) && !l->callchain_floats && !l->cgroup_floats;
        }
}

static uint64_t word_at(const uint64_t *words, int place) {
        return place >= 0 ? words[place] : 0;
}

static int feed_take_chain(ReplayFeed *f, const uint64_t *chain, size_t n, BriefSample *s) {
        int r = deferred_chain_waits(chain, n) ? deferred_chains_merge(&f->deferred, s->tid, false, &chain, &n) : 0;

        if (r < 0 || n == 0 || !recorded_chains_has_room(&f->recorded))
                return r;
        s->end = unwinder_mark_of(chain, n);
        return recorded_chains_intern(&f->recorded, chain, n, &s->chain);
}

/* 1; 0: it does not have the fields that its event promises; -ENOMEM. */
static int feed_make_brief(ReplayFeed *f, size_t number, const struct perf_event_header *record, BriefSample *s) {
        const SampleLayout *l = f->layouts + number;
        const uint64_t *words = (const uint64_t *) (record + 1), *cgroup;
        size_t n_words = record->size / sizeof(uint64_t) - 1, n = 0;
        uint64_t tid;
        int r = 0;

        if (n_words < l->words || (l->callchain >= 0 && (n = words[l->callchain]) > n_words - l->words))
                return 0;
        *s = (BriefSample) {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = record->misc, .size = sizeof(*s) }, .ip = word_at(words, l->ip),
                .period = l->period >= 0 ? words[l->period] : f->events[number].attr.sample_period,
        };
        tid = word_at(words, l->tid);
        memcpy(&s->pid, &tid, sizeof(s->pid));
        memcpy(&s->tid, (const uint8_t *) &tid + sizeof(s->pid), sizeof(s->tid));
        if (l->cpu >= 0)
                memcpy(&s->cpu, words + l->cpu, sizeof(s->cpu));
        cgroup = record_word_from_end(record, l->cgroup);
        s->cgroup = cgroup ? *cgroup : 0;
        if (n > 0 && f->chains)
                r = feed_take_chain(f, words + l->callchain + 1, n, s);
        return r < 0 ? r : 1;
}

/* A sample that cannot be made brief is handed on as it is. 1; 0: it is not needed; -ENOMEM. */
static int feed_take_sample(ReplayFeed *f, const PerfDataEvent *e, const struct perf_event_header *record, OrderedRecord *ret) {
        size_t number = (size_t) (e - f->events), n_words = record->size / sizeof(uint64_t) - 1;
        const uint64_t *words = (const uint64_t *) (record + 1);
        const SampleLayout *l = f->layouts + number;
        uint32_t cpu = UINT32_MAX;
        int r;

        if (n_words < l->words)
                return 1;
        ret->time = word_at(words, l->time);
        if (l->cpu >= 0)
                memcpy(&cpu, words + l->cpu, sizeof(cpu));
        if (f->selection && !(sample_selection_has_time(f->selection, ret->time) && sample_selection_has_cpu(f->selection, cpu)))
                return 0;
        if (!f->brief[number])
                return 1;
        r = feed_make_brief(f, number, record, &f->made);
        if (r == 1) {
                ret->source |= REPLAY_BRIEF;
                ret->record = &f->made.header;
        }
        return r < 0 ? r : 1;
}

/* 1; 0: it is not needed; -ENOMEM. */
static int feed_take(ReplayFeed *f, const struct perf_event_header *record, OrderedRecord *ret) {
        bool sample = record->type == PERF_RECORD_SAMPLE;
        const PerfDataEvent *e;
        PerfSample trailer;

        *ret = (OrderedRecord) { .record = record };
        if (record->type == PERF_RECORD_FINISHED_ROUND)
                return 1;
        if (record->type >= PERF_RECORD_USER_TYPE_START || (record->type < 32 && !(f->records >> record->type & 1)) ||
            (!sample && !record_is_whole(record, 0)))
                return 0;
        e = perf_data_reader_event_of(f->reader, record);
        if (!e)
                return 1;
        ret->source = (uint32_t) (e - f->events) + 1;
        if (sample)
                return feed_take_sample(f, e, record, ret);
        ret->time = sample_parse_trailer(&e->attr, record, &trailer) >= 0 ? trailer.time : 0;
        return 1;
}

static int feed_read(void *userdata, OrderedRecord *ret) {
        ReplayFeed *f = userdata;

        for (size_t n = 0; n < RECORDS_PER_TURN; n++) {
                const struct perf_event_header *record;
                int r = perf_data_reader_next(f->reader, &f->cursor, &record);

                if (r == 1)
                        r = feed_take(f, record, ret) ?: -EAGAIN;
                if (r != -EAGAIN)
                        return r;
        }
        *ret = (OrderedRecord) {};
        return 1;
}

void replay_feed_rewind(ReplayFeed *f) {
        f->ahead = read_ahead_free(f->ahead);
        f->cursor = 0;
        if (f->n_events > 0 && !ANY_OF(f->n_events, i, !f->brief[i]) && read_ahead_pays_off() &&
            read_ahead_new(feed_read, f, &f->ahead) < 0)
                f->ahead = NULL; /* this thread reads */
}

int replay_feed_next(ReplayFeed *f, OrderedRecord *ret) {
        return f->ahead ? read_ahead_next(f->ahead, ret) : feed_read(f, ret);
}
