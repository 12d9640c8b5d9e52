/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A stack can be unwound only with the mappings that its process had at that time. So the records of all rings are taken in the
 * order of time together with those of the side band, as a reader of the file would do later. What a process maps is in a ring of
 * the side band before any sample of it is in one of the samples: the ends of the samples' rings are noted first, then the side
 * band is looked at. It is only looked at here, since flight-sideband.c may have to leave it in its rings; what of
 * a ring was seen already is known by its position.
 *
 * The recorder must not be busy here for long, as its rings fill up and it is to obey signals. So in a round it waits for rules for
 * a limited time only; then chains end, and are marked, where a rule is not known yet. It will be for the next ones. It also
 * unwinds for a limited time of its CPU; then all chains end at the address that was interrupted.
 *
 * Invariant: all samples of an event with copies of stacks are changed, whatever becomes of the chain, because the file has one
 * layout for them. Those that are no whole samples are left out. */

#include "history-stacks.h"

#include "array.h"
#include "event-index.h"
#include "fd-file.h"
#include "map-record.h"
#include "process-view.h"
#include "record-cursor.h"
#include "record-order.h"
#include "record-trailer.h"
#include "sideband-journal.h"
#include "unwind-rules.h"
#include "unwinder.h"
#include "unwound-sample.h"
#include "user-stacks.h"

#define WAIT_USEC (200 * USEC_PER_MSEC) /* for rules, in one round */
#define QUEUE_BYTES_MAX ((size_t) 4 << 20) /* of the side band that is newer than all samples */
#define BINARIES_BYTES_MAX ((size_t) 8 << 20)

/* A ring of samples, and the records in it that belong to this round. */
typedef struct StackRing {
        struct iovec segments[2];
        unsigned n_segments;
        uint64_t position; /* behind the records that were moved */
        uint64_t end;
} StackRing;

struct HistoryStacks {
        PerfDataEvent *events;   /* as they were opened */
        const PerfDataEvent *written;
        size_t n_events;
        EventIndex *index;       /* of events */
        bool registers;
        unsigned time_place;     /* in trailers */
        int time_word;           /* of samples */
        ProcessView view;
        RecordOrder order;       /* source: 0: of the side band, also newer ones than the samples so far; otherwise ring + 1 */
        uint64_t *seen;          /* of each ring of the side band, the position */
        Unwinder unwinder;
        UnwindRules *rules;
        usec_t until;            /* stacks are unwound in this round, of the thread's CPU time; 0: no more */
        StackRing *rings;
        size_t n_rings;
        uint64_t scratch[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
        uint64_t made[RECORD_SCRATCH_SIZE / sizeof(uint64_t)];
};

HistoryStacks *history_stacks_free(HistoryStacks *s) {
        if (!s)
                return NULL;
        unwind_rules_free(s->rules);
        unwinder_done(&s->unwinder);
        process_view_done(&s->view);
        record_order_done(&s->order);
        event_index_free(s->index);
        free(s->events);
        free(s->seen);
        free(s->rings);
        free(s);
        return NULL;
}

/* Memory without an identity is no file's: code that a process generated has no rules. */
static int find_rule(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        HistoryStacks *s = userdata;
        const DsoHit *hit = dso < s->view.dsos.n ? s->view.dsos.dsos + dso : NULL;

        if (!hit || !hit->path || hit->cpumode != PERF_RECORD_MISC_USER ||
            (hit->inode == 0 && hit->id.size == 0 && !streq(hit->path, "[vdso]"))) {
                *ret = (UnwindRule) { .end = UINT64_MAX };
                return 0;
        }
        return unwind_rules_find(s->rules, dso, hit, address, ret, ret_frame);
}

static int stacks_open_events(HistoryStacks *s, const EventSet *set, const PerfDataEvent *events, size_t n_events) {
        s->events = calloc(n_events + 1, sizeof(*s->events));
        if (!s->events)
                return -ENOMEM;
        for (size_t i = 0; i < n_events; i++) {
                s->events[i] = events[i];
                s->events[i].attr = set->members[i].attr;
        }
        s->n_events = n_events;
        return event_index_new(s->events, n_events, &s->index);
}

int history_stacks_renew_ids(HistoryStacks *s) {
        EventIndex *index;
        int r;

        for (size_t i = 0; i < s->n_events; i++) {
                s->events[i].ids = s->written[i].ids;
                s->events[i].n_ids = s->written[i].n_ids;
        }
        r = event_index_new(s->events, s->n_events, &index);
        if (r < 0)
                return r;
        event_index_free(s->index);
        s->index = index;
        return 0;
}

int history_stacks_new(const EventSet *set, const PerfDataEvent *events, size_t n_events, bool registers, HistoryStacks **ret) {
        _cleanup_(history_stacks_freep) HistoryStacks *s = calloc(1, sizeof(*s));
        int r;

        if (!s)
                return -ENOMEM;
        s->written = events;
        s->registers = registers;
        s->time_place = trailer_places(set->members[0].attr.sample_type).time;
        s->unwinder.source = (UnwindSource) { .find = find_rule, .userdata = s };
        s->n_rings = set->n_rings;
        s->rings = calloc(set->n_rings + 1, sizeof(*s->rings));
        s->seen = calloc(set->n_rings + 1, sizeof(*s->seen));
        if (!s->rings || !s->seen)
                return -ENOMEM;
        r = stacks_open_events(s, set, events, n_events);
        if (r >= 0)
                r = unwind_rules_new("", &s->rules);
        if (r < 0)
                return r;
        history_stacks_begin(s);
        *ret = steal_ptr(s);
        return 0;
}

void history_stacks_begin(HistoryStacks *s) {
        UnwindSource source = s->unwinder.source;

        process_view_done(&s->view);
        s->view = (ProcessView) { .living_only = true, .build_ids = ANY_OF(s->n_events, i, s->events[i].attr.build_id) };
        unwinder_done(&s->unwinder);
        s->unwinder.source = source;
        unwind_rules_forget(s->rules);
        record_order_done(&s->order);
        memset(s->seen, 0, s->n_rings * sizeof(*s->seen));
}

bool history_stacks_is_full(const HistoryStacks *s) {
        return s->view.dsos.bytes > BINARIES_BYTES_MAX;
}

static bool is_followed(const struct perf_event_header *record) {
        const PerfRecordMmap *map = (const void *) record;

        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER && record_is_whole(record, 0) &&
                       map->length > 0;
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
                return record_is_whole(record, 0);
        case PERF_RECORD_COMM:
                return record_is_exec(record) && record_is_whole(record, 0);
        default:
                return false;
        }
}

/* Records without a time were made of what is there already. */
static int stacks_follow_record(HistoryStacks *s, const struct perf_event_header *record) {
        const uint64_t *time = record_word_from_end(record, s->time_place);
        const OrderedRecord *next;
        int r;

        if (!is_followed(record))
                return 0;
        if (!time || *time == 0)
                return process_view_take(&s->view, record);
        r = record_order_put(&s->order, &(OrderedRecord) { .time = *time, .record = record }, false);
        if (r >= 0 && s->order.size > QUEUE_BYTES_MAX)
                r = record_order_finish(&s->order);
        while (r >= 0 && (next = record_order_next(&s->order)))
                r = process_view_take(&s->view, next->record);
        return r;
}

int history_stacks_follow(void *userdata, uint32_t ring, const struct iovec *records, size_t n, uint64_t tail) {
        HistoryStacks *s = userdata;
        const struct perf_event_header *record;
        uint64_t at = tail - segments_size(records, n), seen = ring < s->n_rings ? s->seen[ring] : 0;
        RecordCursor c;
        int r = 0;

        record_cursor_init(&c, records, n, s->scratch);
        while (r >= 0 && record_cursor_next(&c, &record) > 0) {
                if (ring >= s->n_rings || at >= seen)
                        r = stacks_follow_record(s, record);
                at += record->size;
        }
        if (ring < s->n_rings)
                s->seen[ring] = MAX_OF(seen, tail);
        return r;
}

/* The side band stays in its rings. */
static int stacks_look(HistoryStacks *s, EventSet *set) {
        int r = 0;

        for (size_t i = 0; i < set->n_rings && r >= 0; i++) {
                Ring *ring = set->rings + i;
                struct iovec segments[2];
                unsigned n;
                size_t bytes;

                if (!ring->sideband)
                        continue;
                bytes = ring_read_begin(ring, segments, &n);
                if (bytes > 0)
                        r = history_stacks_follow(s, (uint32_t) i, segments, n, ring->position + bytes);
        }
        return r;
}

/* Within a ring the order stays as it is. A time of 0 would be no time. */
static uint64_t record_time(const HistoryStacks *s, const struct perf_event_header *record, uint64_t before) {
        const uint64_t *words = (const uint64_t *) (record + 1), *time = NULL;

        if (record->type != PERF_RECORD_SAMPLE)
                time = record_word_from_end(record, s->time_place);
        else if ((size_t) s->time_word < record->size / sizeof(uint64_t) - 1)
                time = words + s->time_word;
        return time ? MAX_OF(*time, before) : before;
}

/* Puts the records of a ring, which stay there, but for one that begins at its end. */
static int stacks_put_ring(HistoryStacks *s, uint32_t i, uint64_t *newest) {
        StackRing *ring = s->rings + i;
        OrderedRecord r = { .time = 1, .source = i + 1 };
        RecordCursor c;
        int q = 0;

        record_cursor_init(&c, ring->segments, ring->n_segments, s->scratch);
        while (q >= 0 && record_cursor_next(&c, &r.record) > 0) {
                r.time = record_time(s, r.record, r.time);
                q = record_order_put(&s->order, &r, (const void *) r.record != s->scratch);
        }
        *newest = MAX_OF(*newest, r.time);
        return q;
}

static void stacks_note_ends(HistoryStacks *s, EventSet *set) {
        for (size_t i = 0; i < set->n_rings; i++) {
                StackRing *ring = s->rings + i;
                size_t bytes = 0;

                *ring = (StackRing) {};
                if (!set->rings[i].overwrite && !set->rings[i].sideband)
                        bytes = ring_read_begin(set->rings + i, ring->segments, &ring->n_segments);
                if (bytes == 0)
                        ring->n_segments = 0;
                ring->position = set->rings[i].position;
                ring->end = ring->position + bytes;
        }
}

/* A process without maps has no code to find a caller in. */
static int unwind(HistoryStacks *s, const PerfSample *sample, uint64_t mask, const uint64_t **chain, size_t *n) {
        const Process *process = NULL;
        UnwindStack stack;
        UnwindEnd end;
        int r;

        if (s->until > 0 && now_usec(CLOCK_THREAD_CPUTIME_ID) >= s->until)
                s->until = 0;
        if (s->until > 0)
                process = process_table_find(&s->view.processes, sample->pid);
        unwind_stack_of_sample(&stack, sample, mask);
        r = unwinder_chain(&s->unwinder, process, &stack, sample->callchain, sample->n_callchain, n, &end);
        if (r < 0)
                return r;
        *n = unwinder_mark(s->unwinder.chain, *n, end);
        *chain = s->unwinder.chain;
        return 0;
}

static int show_hit(HistoryStacks *s, const PerfSample *sample, uint16_t misc, const uint64_t **chain, size_t *n) {
        int r = unwinder_chain_hit(&s->unwinder, sample->callchain, sample->n_callchain, user_stacks_hit(sample, misc), n);

        if (r < 0)
                return r;
        *n = unwinder_mark(s->unwinder.chain, *n, user_stacks_end(sample, false));
        *chain = s->unwinder.chain;
        return 0;
}

/* 1: *ret is the record for the history; 0: there is none; -ENOMEM. */
static int stacks_change(HistoryStacks *s, const struct perf_event_header *record, const struct perf_event_header **ret) {
        const PerfDataEvent *e = record->type == PERF_RECORD_SAMPLE ? event_index_find(s->index, record) : NULL;
        const struct perf_event_attr *attr = e ? &e->attr : NULL;
        struct perf_event_header *made = (void *) s->made;
        const uint64_t *chain;
        PerfSample sample;
        size_t n;
        int r = 0;

        *ret = record;
        if (record->type != PERF_RECORD_SAMPLE)
                return 1;
        if (!e)
                return 0;
        if (attr->sample_type == s->written[e - s->events].attr.sample_type)
                return 1;
        if (sample_parse(attr, record, &sample) < 0)
                return 0;
        chain = sample.callchain;
        n = sample.n_callchain;
        if (user_stacks_has(&sample, attr->sample_regs_user))
                r = unwind(s, &sample, attr->sample_regs_user, &chain, &n);
        else if (sample.user_abi != PERF_SAMPLE_REGS_ABI_NONE)
                r = show_hit(s, &sample, record->misc, &chain, &n);
        if (r < 0)
                return r;
        if (unwound_sample_make(record, &sample, chain, n, s->registers, made) < 0)
                return 0;
        *ret = made;
        return 1;
}

static int stacks_move(HistoryStacks *s, History *h, const OrderedRecord *next) {
        StackRing *ring = s->rings + next->source - 1;
        const struct perf_event_header *changed;
        struct iovec v;
        int r = stacks_change(s, next->record, &changed);

        if (r < 0)
                return r;
        ring->position += next->record->size;
        v = (struct iovec) { (void *) changed, changed->size };
        return history_append(h, next->source - 1, &v, r > 0 ? 1 : 0, ring->position);
}

/* Bytes that are no record are left out, up to the end of their ring. */
static int stacks_end(HistoryStacks *s, History *h) {
        int r = 0;

        for (size_t i = 0; i < s->n_rings && r >= 0; i++)
                if (s->rings[i].n_segments > 0)
                        r = history_append(h, i, NULL, 0, s->rings[i].end);
        process_table_finish_round(&s->view.processes);
        return r;
}

int history_stacks_drain(HistoryStacks *s, History *h, EventSet *set, usec_t time) {
        usec_t now = now_usec(CLOCK_THREAD_CPUTIME_ID);
        const OrderedRecord *next;
        uint64_t newest = 0;
        int r;

        s->time_word = history_options(h)->time_word;
        s->until = now + MIN_OF(time, USEC_INFINITY - now);
        unwind_rules_begin_round(s->rules, WAIT_USEC);
        stacks_note_ends(s, set);
        r = stacks_look(s, set);
        for (uint32_t i = 0; i < s->n_rings && r >= 0; i++)
                r = stacks_put_ring(s, i, &newest);
        if (r >= 0)
                r = record_order_finish_until(&s->order, newest);
        while (r >= 0 && (next = record_order_next(&s->order))) {
                r = next->source > 0 ? stacks_move(s, h, next) : process_view_take(&s->view, next->record);
                r = r == -EBADMSG ? 0 : r;
        }
        record_order_trim(&s->order);
        if (r < 0)
                record_order_done(&s->order); /* records of the rings may not stay in it */
        return r < 0 ? r : stacks_end(s, h);
}
