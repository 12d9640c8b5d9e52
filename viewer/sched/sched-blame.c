/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The longest waits for a CPU, who ran there instead, and who woke whom. A thread that is moved while it waits waits at several
 * CPUs: each has its part of the wait. */

#include "sched-views.h"

#include "array.h"
#include "blame-print.h"
#include "saturate.h"

static void blame_pairs_done(BlamePairs *p) {
        free(p->pairs);
        hash_index_done(&p->index);
        *p = (BlamePairs) {};
}

static void blame_begin_recording(Blame *b) {
        run_history_done(&b->history);
        blame_pairs_done(&b->instead);
        blame_pairs_done(&b->wakers);
        b->n_threads = 0;
}

static void blame_done(Blame *b) {
        blame_begin_recording(b);
        blame_pairs_done(&b->all_instead);
        blame_pairs_done(&b->all_wakers);
        free(b->threads);
        free(b->delays);
        byte_pool_done(&b->labels);
}

static uint64_t blame_hash(uint32_t x, uint32_t y) {
        return hash_mix(0, (uint64_t) x << 32 | y);
}

static uint64_t blame_hash_of(const void *owner, uintptr_t entry) {
        const BlamePair *p = ((const BlamePairs *) owner)->pairs + entry - 1;

        return blame_hash(p->a, p->b);
}

static int blame_pairs_add(BlamePairs *p, const BlamePair *pair) {
        uint64_t hash = blame_hash(pair->a, pair->b);
        uintptr_t found = HASH_INDEX_FIND(&p->index, hash, entry,
                                          p->pairs[entry - 1].a == pair->a && p->pairs[entry - 1].b == pair->b);
        BlamePair *to;

        if (found == 0) {
                if (ARRAY_RESERVE(p->pairs, p->allocated, p->n + 1) < 0)
                        return -ENOMEM;
                p->pairs[p->n++] = *pair;
                return hash_index_add(&p->index, hash, p->n, blame_hash_of, p);
        }
        to = p->pairs + found - 1;
        to->count += pair->count;
        to->nsec = saturate_sum(to->nsec, pair->nsec);
        to->longest = MAX_OF(to->longest, pair->longest);
        return 0;
}

/* The thread waits at that CPU from now on. */
static int blame_queue(Blame *b, uint32_t number, uint32_t cpu, uint64_t time, bool first) {
        BlameThread *t;

        if (ARRAY_RESERVE(b->threads, b->threads_allocated, (size_t) number + 1) < 0)
                return -ENOMEM;
        for (; b->n_threads <= number; b->n_threads++)
                b->threads[b->n_threads] = (BlameThread) {};
        t = b->threads + number;
        if (first)
                t->n = 0;
        if (t->n < BLAME_QUEUES_MAX)
                t->queues[t->n++] = (BlameQueue) { .cpu = cpu, .since = time };
        return 0;
}

static int compare_shares(const void *a, const void *b) {
        const RunShare *x = a, *y = b;

        return x->nsec > y->nsec ? -1 : x->nsec < y->nsec;
}

static int compare_delays(const void *a, const void *b) {
        const BlameDelay *x = a, *y = b;
        uint64_t i = x->came - x->ready, k = y->came - y->ready;

        if (i != k)
                return i > k ? -1 : 1;
        return x->came < y->came ? -1 : x->came > y->came;
}

static int blame_label(Blame *b, const char *text, uint32_t *ret) {
        return byte_pool_intern(&b->labels, text, strlen(text) + 1, ret);
}

static int blame_label_thread(Blame *b, const SchedRun *run, uint32_t thread, uint32_t *ret) {
        char text[SCHED_TEXT_SIZE];

        return blame_label(b, thread == SCHED_NOBODY ? "(not known)" : sched_thread_text(run->model->threads + thread, text), ret);
}

/* Returns where a delay is kept if it is one of the longest: in place of the shortest one if there are enough. NULL: nowhere. */
static BlameDelay *blame_find_place(Blame *b, const BlameDelay *d) {
        BlameDelay *shortest = b->delays;

        if (b->n_delays < b->options->blame.limit)
                return ARRAY_RESERVE(b->delays, b->delays_allocated, b->n_delays + 1) < 0 ? NULL : b->delays + b->n_delays++;
        for (size_t i = 1; i < b->n_delays; i++)
                if (compare_delays(b->delays + i, shortest) > 0)
                        shortest = b->delays + i;
        return b->n_delays > 0 && compare_delays(d, shortest) < 0 ? shortest : NULL;
}

static int blame_keep(Blame *b, const SchedRun *run, const SchedStep *s, RunShares *shares) {
        BlameDelay d = { .ready = s->wait.ready, .came = s->time, .cpu = s->cpu }, *place = blame_find_place(b, &d);
        int r = 0;

        if (!place)
                return 0;
        qsort(shares->shares, shares->n, sizeof(*shares->shares), compare_shares);
        for (size_t i = 0; i < shares->n; i++)
                if (i >= BLAME_NAMED_MAX)
                        d.others += shares->shares[i].nsec;
                else if (shares->shares[i].nsec > 0) {
                        d.ran[i].nsec = shares->shares[i].nsec;
                        r = blame_label_thread(b, run, shares->shares[i].thread, &d.ran[i].thread);
                        if (r < 0)
                                return r;
                }
        r = blame_label_thread(b, run, s->in, &d.thread);
        if (r >= 0 && s->wait.waker != SCHED_NOBODY)
                r = blame_label_thread(b, run, s->wait.waker, &d.waker);
        *place = d;
        return r;
}

/* Adds up who ran at each CPU at which the thread waited. */
static void blame_share(const Blame *b, const SchedRun *run, const SchedStep *s, RunShares *ret) {
        const BlameThread *t = b->threads + s->in;

        ret->n = 0;
        for (uint32_t i = 0; i < t->n; i++) {
                uint64_t until = i + 1 < t->n ? t->queues[i + 1].since : s->time;
                uint32_t cpu = i + 1 < t->n ? t->queues[i].cpu : s->cpu;
                uint32_t running = cpu != s->cpu && cpu < run->model->n_cpus ? run->model->cpus[cpu].running : SCHED_NOBODY;

                run_history_share(&b->history, cpu, running, t->queues[i].since, until, ret);
        }
}

static int blame_take_delay(Blame *b, const SchedRun *run, const SchedStep *s) {
        RunShares shares;
        uint64_t nsec;
        int r = 0;

        if (!sched_wait_delay(&s->wait, &nsec)) {
                b->unknown++;
                return 0;
        }
        b->n++;
        if (s->wait.waker != SCHED_NOBODY)
                r = blame_pairs_add(&b->wakers, &(BlamePair) { s->wait.waker, s->in, 1, nsec, nsec });
        if (r < 0 || nsec < saturate_product(b->options->blame.longer, NSEC_PER_USEC))
                return r;
        b->long_ones++;
        b->nsec = saturate_sum(b->nsec, nsec);
        if (s->in >= b->n_threads)
                return 0;
        blame_share(b, run, s, &shares);
        for (size_t i = 0; r >= 0 && i < shares.n; i++)
                if (shares.shares[i].nsec > 0 && shares.shares[i].thread != SCHED_NOBODY)
                        r = blame_pairs_add(&b->instead, &(BlamePair) { s->in, shares.shares[i].thread, 1, shares.shares[i].nsec,
                                                                        shares.shares[i].nsec });
        return r < 0 ? r : blame_keep(b, run, s, &shares);
}

static int blame_take_switch(Blame *b, SchedRun *run, const SchedStep *s) {
        int r = run_history_take(&b->history, s);

        if (r >= 0 && run->model->threads[s->in].tid > 0 && recording_run_wants_time(run->recording, s->time) &&
            recording_run_wants_cpu(run->recording, s->cpu) && sched_run_wants_thread(run, s->in))
                r = blame_take_delay(b, run, s);
        if (r >= 0 && s->event.kind == SCHED_OUT_RUNNABLE && run->model->threads[s->out].tid > 0)
                r = blame_queue(b, s->out, s->cpu, s->time, true);
        return r;
}

/* The model has taken the event already. */
static int blame_step(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s) {
        const SchedWait *wait = &run->model->threads[s->in].wait;
        Blame *b = userdata;

        switch (s->event.kind) {
        case SCHED_WAKING:
        case SCHED_WAKING_NEW:
                return wait->ready == s->time ? blame_queue(b, s->in, wait->cpu, s->time, true) : 0;
        case SCHED_MIGRATION:
                return wait->came == 0 && wait->ready > 0 ? blame_queue(b, s->in, s->event.to, s->time, false) : 0;
        default:
                return blame_take_switch(b, run, s);
        }
}

static int blame_begin(void *userdata, SchedRun *run) {
        blame_begin_recording(userdata);
        return 0;
}

static int blame_merge(Blame *b, const SchedRun *run, const BlamePairs *from, BlamePairs *to) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < from->n; i++) {
                BlamePair pair = from->pairs[i];
                char label[SCHED_LABEL_SIZE];

                r = blame_label(b, sched_run_label(run, pair.a, label), &pair.a);
                if (r >= 0)
                        r = blame_label(b, sched_run_label(run, pair.b, label), &pair.b);
                if (r >= 0)
                        r = blame_pairs_add(to, &pair);
        }
        return r;
}

static int blame_end(void *userdata, SchedRun *run) {
        Blame *b = userdata;
        int r = blame_merge(b, run, &b->instead, &b->all_instead);

        return r < 0 ? r : blame_merge(b, run, &b->wakers, &b->all_wakers);
}

static int compare_pairs(const void *a, const void *b) {
        const BlamePair *x = a, *y = b;

        if (x->nsec != y->nsec)
                return x->nsec > y->nsec ? -1 : 1;
        if (x->a != y->a)
                return x->a < y->a ? -1 : 1;
        return x->b < y->b ? -1 : x->b > y->b;
}

int sched_blame(const SchedOptions *o) {
        _cleanup_(blame_done) Blame b = { .options = o };
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        const SchedConsumer consumer = { .begin = blame_begin, .step = blame_step, .end = blame_end, .userdata = &b };
        int status = sched_run_all(o, &consumer), r;

        if (status != EXIT_SUCCESS && b.n == 0)
                return status;
        if (b.n_delays > 0)
                qsort(b.delays, b.n_delays, sizeof(*b.delays), compare_delays);
        if (b.all_instead.n > 0)
                qsort(b.all_instead.pairs, b.all_instead.n, sizeof(BlamePair), compare_pairs);
        if (b.all_wakers.n > 0)
                qsort(b.all_wakers.pairs, b.all_wakers.n, sizeof(BlamePair), compare_pairs);
        (o->json ? blame_print_json : blame_print)(&b, &out);
        r = text_buffer_flush(&out);
        if (r < 0)
                (void) fprintf(stderr, "Failed to show waits: %s\n", strerror(-r));
        return r < 0 ? EXIT_FAILURE : status;
}
