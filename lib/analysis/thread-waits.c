/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples are kept as a few numbers until their recording ends, and sorted then: a recording has those of one CPU after those of
 * another, and in a large dump even the queue of samples hands them on in parts.
 *
 * A thread waits from the switch that leaves it. A sample or record that shows it running, exiting or beginning forgets that wait,
 * so that lost switches, or two process instances with one number, do not make one wait. A wait during which a CPU lost records is
 * left out: the thread may have run there. So is one before a CPU's first sample in a dump, whose older ones were overwritten. */

#include "thread-waits.h"

#include "array.h"
#include "parse-time.h"
#include "record-layout.h"
#include "saturate.h"

typedef struct WaitingThread {
        uint32_t tid, row;
        uint64_t since, woken; /* woken: 0: it was not */
        uint32_t waker;
        char state;
        bool off, asleep;
} WaitingThread;

/* The threads of one recording. */
typedef struct WaitPairing {
        ThreadWaits *waits;
        WaitingThread *threads;
        size_t n;
        HashIndex index; /* of number + 1 */
} WaitPairing;

static uint64_t tid_hash(uint32_t tid) {
        return hash_mix(0, tid);
}

static uint64_t tid_hash_of(const void *owner, uintptr_t entry) {
        return tid_hash(((const WaitPairing *) owner)->threads[entry - 1].tid);
}

/* *ret is valid until the next call. */
static int waits_find_thread(WaitPairing *p, uint32_t tid, WaitingThread **ret) {
        uint64_t hash = tid_hash(tid);
        uintptr_t found = HASH_INDEX_FIND(&p->index, hash, entry, p->threads[entry - 1].tid == tid);
        int r = 0;

        if (found == 0) {
                if (ARRAY_RESERVE_NEXT(p->threads, p->n) < 0)
                        return -ENOMEM;
                p->threads[p->n++] = (WaitingThread) { .tid = tid };
                found = p->n;
                r = hash_index_add(&p->index, hash, found, tid_hash_of, p);
        }
        *ret = p->threads + found - 1;
        return r;
}

static int waits_add_span(ThreadWaits *w, const WaitSpan *span) {
        if (span->nsec == 0)
                return 0;
        if (ARRAY_RESERVE(w->spans, w->spans_allocated, w->n_spans + 1) < 0)
                return -ENOMEM;
        w->spans[w->n_spans++] = *span;
        return 0;
}

/* open: the wait goes on. Without a waking that was recorded, all of it is of the state in which the thread left. */
static int add_spans(ThreadWaits *w, const WaitingThread *t, uint64_t until, bool open) {
        uint64_t woken = t->state == 'R' ? t->since : t->woken > t->since ? MIN_OF(t->woken, until) : until;
        bool was_woken = t->woken > 0;
        int r = waits_add_span(w, &(WaitSpan) { .row = t->row, .waker = was_woken ? t->waker : WAKER_UNKNOWN, .state = t->state,
                                                .open = open && !was_woken, .nsec = woken - t->since });

        return r < 0 ? r : waits_add_span(w, &(WaitSpan) { .row = t->row, .waker = WAKER_UNKNOWN, .state = 'R', .open = open,
                                                           .nsec = until - woken });
}

/* 1; 0: the wait does not count; -ENOMEM. */
static int add_wait(ThreadWaits *w, uint32_t row, uint64_t since, uint64_t until) {
        if (row == SAMPLE_NO_ROW)
                return 0;
        if (record_losses_during(&w->losses, since, until)) {
                w->totals.doubtful++;
                return 0;
        }
        if (ARRAY_RESERVE(w->times, w->times_allocated, (size_t) row + 1) < 0)
                return -ENOMEM;
        for (; w->n_times <= row; w->n_times++)
                w->times[w->n_times] = 0;
        w->times[row] = saturate_sum(w->times[row], until - since);
        w->totals.waits++;
        return 1;
}

static int take_switch(WaitPairing *p, const WaitEvent *e) {
        WaitingThread *t;
        int r = 0;

        if (e->threads.in > 0) {
                r = waits_find_thread(p, e->threads.in, &t);
                if (r >= 0 && t->off && !p->waits->wakers)
                        r = add_wait(p->waits, t->row, t->since, e->time);
                if (r > 0 && p->waits->spans_wanted)
                        r = add_spans(p->waits, t, e->time, false);
                if (r < 0)
                        return r;
                t->off = false;
        }
        if (e->threads.out > 0)
                r = waits_find_thread(p, e->threads.out, &t);
        if (r < 0 || e->threads.out == 0)
                return r;
        if (t->off && t->row != SAMPLE_NO_ROW && !p->waits->wakers)
                p->waits->totals.doubtful++; /* it leaves again, and it is not known when it came back */
        *t = (WaitingThread) {
                .tid = t->tid, .row = e->row, .since = e->time, .off = e->threads.kind != SCHED_OUT_DEAD,
                .asleep = e->threads.kind == SCHED_OUT_ASLEEP, .state = e->threads.state ?: 'S',
        };
        return 0;
}

/* The first waking of a wait counts. One of a thread that is still on its way to sleep, or was only preempted, ends none. */
static int take_waking(WaitPairing *p, const WaitEvent *e) {
        WaitingThread *t;
        int r = waits_find_thread(p, e->threads.in, &t);

        if (r >= 0 && t->off && t->asleep && p->waits->wakers)
                r = add_wait(p->waits, e->row, t->since, e->time);
        if (r < 0)
                return r;
        if (t->off && t->asleep) {
                t->woken = e->time;
                t->waker = e->threads.out;
        }
        t->asleep = false;
        r = waits_find_thread(p, e->threads.out, &t);
        if (r >= 0)
                t->off = false; /* it runs */
        return r;
}

static int take_event(WaitPairing *p, const WaitEvent *e) {
        WaitingThread *t;
        int r;

        if (e->threads.kind == SCHED_WAKING)
                return take_waking(p, e);
        if (e->threads.kind != 0)
                return take_switch(p, e);
        r = waits_find_thread(p, e->threads.in, &t);
        if (r >= 0)
                t->off = false;
        return r;
}

static int compare_events(const void *a, const void *b, void *userdata) {
        uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
        const WaitEvent *events = userdata, *x = events + i, *y = events + j;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return i < j ? -1 : i > j;
}

/* end: of the recording. */
static int count_open(WaitPairing *p, uint64_t end) {
        ThreadWaits *w = p->waits;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < p->n; i++) {
                const WaitingThread *t = p->threads + i;
                bool open = t->off && (w->wakers ? t->asleep : t->row != SAMPLE_NO_ROW);

                w->totals.open += open;
                if (open && w->spans_wanted && !record_losses_during(&w->losses, t->since, end))
                        r = add_spans(w, t, end, true);
        }
        return r;
}

/* Pairs what was kept of a recording. */
static int end_recording(ThreadWaits *w) {
        _cleanup_free_ uint32_t *order = calloc(w->n + 1, sizeof(*order));
        WaitPairing p = { .waits = w };
        int r = 0;

        if (!order)
                return -ENOMEM;
        for (uint32_t i = 0; i < w->n; i++)
                order[i] = i;
        qsort_r(order, w->n, sizeof(*order), compare_events, w->events);
        r = record_losses_begin(&w->losses);
        for (size_t i = 0; r >= 0 && i < w->n; i++)
                r = record_losses_pass(&w->losses, w->events[order[i]].cpu, w->events[order[i]].time, w->overwritten || !w->rounds);
        record_losses_end(&w->losses);
        for (size_t i = 0; r >= 0 && i < w->n; i++)
                r = take_event(&p, w->events + order[i]);
        if (r >= 0)
                r = count_open(&p, w->n > 0 ? w->events[order[w->n - 1]].time : 0);
        free(p.threads);
        hash_index_done(&p.index);
        w->n = 0;
        record_losses_done(&w->losses);
        w->rounds = w->overwritten = false;
        return r;
}

int thread_waits_begin_recording(ThreadWaits *w, const PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = end_recording(w);

        w->overwritten = ANY_OF(n, i, events[i].attr.write_backward);
        return r;
}

static int keep_event(ThreadWaits *w, const WaitEvent *e) {
        if (w->n >= UINT32_MAX || ARRAY_RESERVE(w->events, w->allocated, w->n + 1) < 0)
                return -ENOMEM;
        w->events[w->n++] = *e;
        return 0;
}

int thread_waits_take_sample(ThreadWaits *w, const Moment *m, const SchedEvent *event, uint32_t row) {
        uint32_t cpu = m->event->attr.sample_type & PERF_SAMPLE_CPU ? m->sample->cpu : UINT32_MAX;

        if (m->time == 0)
                return 0;
        if (event->kind == SCHED_WAKING)
                w->totals.wakings++;
        else
                w->totals.switches++;
        return keep_event(w, &(WaitEvent) { .time = m->time, .threads = *event, .row = row, .cpu = cpu });
}

/* Records of what was true at the beginning have no time. */
int thread_waits_take_record(ThreadWaits *w, const Moment *m) {
        const struct perf_event_header *record = m->record;
        const PerfSample *trailer = m->sample;

        w->rounds = w->rounds || record->type == PERF_RECORD_FINISHED_ROUND;
        if (trailer->time == 0)
                return 0;
        if (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT)
                return keep_event(w, &(WaitEvent) {
                        .time = trailer->time, .threads.in = ((const PerfRecordTask *) record)->tid, .cpu = UINT32_MAX,
                        .row = SAMPLE_NO_ROW,
                });
        if (record->type != PERF_RECORD_LOST)
                return 0;
        return record_losses_add(&w->losses, trailer->cpu, trailer->time);
}

void thread_waits_done(ThreadWaits *w) {
        free(w->events);
        record_losses_done(&w->losses);
        free(w->times);
        free(w->spans);
        *w = (ThreadWaits) {};
}

int thread_waits_finish(ThreadWaits *w, size_t n_rows, uint64_t **ret) {
        _cleanup_free_ uint64_t *usec = calloc(n_rows + 1, sizeof(*usec));
        int r = usec ? end_recording(w) : -ENOMEM;

        if (r < 0)
                return r;
        for (size_t i = 0; i < MIN_OF(n_rows, w->n_times); i++)
                usec[i] = saturate_sum(w->times[i], NSEC_PER_USEC / 2) / NSEC_PER_USEC;
        *ret = steal_ptr(usec);
        return 0;
}
