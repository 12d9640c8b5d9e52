/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each ring has memory for a copy of its own, which is allocated beforehand: a page fault costs several times what
 * copying the page does, and the ring is overwritten in the meantime. First all rings are copied, which must be fast;
 * then the copies are walked for what a dump has to know before it can be written. One dump has all copies: nothing is
 * taken again before it ends.
 *
 * The kernel writes an overwrite ring downwards and does not wait for readers, so the oldest records of a copy may
 * have been overwritten while it was made: ring-copy.h (copy.intact, guard) says which are whole. Marks and heads are
 * positions of the ring, which fall as records come. Of a window of time only its end of the ring is copied, so that
 * somebody who looks at the last second every second costs little.
 *
 * Mistakes of the kernel are mended in the copies (record-repair.h). */

#include "snapshot.h"

#include <pthread.h>
#include <sys/mman.h>
#include "record-repair.h"
#include "ring-copy.h"
#include "sample-summary.h"

/* Bytes of copies that stay allocated between dumps. A machine of many processors with large rings has better use for
 * more. */
#define WARM_MAX (UINT64_C(512) << 20)

/* Bytes to copy from which on several threads pay off. */
#define WORTH_A_THREAD (UINT64_C(4) << 20)
#define THREADS_MAX 4u

/* The first bytes of a ring that are copied for a window. */
#define WINDOW_MIN ((size_t) 16 << 10)

/* The most that a tracepoint records (PERF_MAX_TRACE_SIZE in linux/trace_events.h). */
#define RAW_TRACEPOINT 8192u

typedef struct RingPart {
        RingCopy copy;
        size_t mapped;   /* bytes of copy.memory */
        size_t guard;
        uint64_t mark;   /* position up to which the dump goes */
        size_t bytes;    /* of the copy that go into the dump, whole records */
        uint64_t begin;  /* of a window, if the ring lacks what was before in it; 0: it does not */
        uint64_t counted_to; /* position of the newest record in counts */
        RecordCounts counts;   /* of all records that were ever copied, each once */
} RingPart;

struct Snapshot {
        EventSet *set;
        FlightState *state;
        SampleReader *reader;
        FlightWish wish; /* of the last take */
        RingPart *parts; /* of each ring; those that are no overwrite rings stay empty */
        RecordRepair repair;
};

Snapshot *snapshot_free(Snapshot *s) {
        if (!s)
                return NULL;
        for (size_t i = 0; s->parts && i < s->set->n_rings; i++)
                if (s->parts[i].copy.memory)
                        (void) munmap(s->parts[i].copy.memory, s->parts[i].mapped);
        free(s->parts);
        sample_reader_free(s->reader);
        free(s);
        return NULL;
}

static int snapshot_make_part(Snapshot *s, size_t ring) {
        RingPart *p = &s->parts[ring];
        size_t max = 0;
        void *memory;

        if (!s->set->rings[ring].overwrite)
                return 0;
        for (size_t i = 0; i < s->set->n_events; i++) {
                const SetMember *m = s->set->members + s->set->events[i].member;
                size_t raw = m->spec && m->spec->tracepoint_name ? RAW_TRACEPOINT : RING_RECORD_MAX;

                if (s->set->events[i].ring == ring)
                        max = MAX_OF(max, attr_record_max(&m->attr, raw));
        }
        p->guard = ring_guard(max);
        p->mapped = s->set->rings[ring].size;
        memory = mmap(NULL, p->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
                return -errno;
        (void) madvise(memory, p->mapped, MADV_HUGEPAGE);
        p->copy.memory = memory;
        return 0;
}

int snapshot_new(EventSet *set, const PerfDataEvent *events, size_t n_events, FlightState *state, Snapshot **ret) {
        _cleanup_(snapshot_freep) Snapshot *s = calloc(1, sizeof(Snapshot));
        int r;

        if (!s)
                return -ENOMEM;
        s->set = set;
        s->state = state;
        s->parts = calloc(set->n_rings + 1, sizeof(RingPart));
        if (!s->parts)
                return -ENOMEM;
        s->repair = record_repair_of(set);
        r = sample_reader_new(events, n_events, &s->reader);
        for (size_t i = 0; i < set->n_rings && r >= 0; i++)
                r = snapshot_make_part(s, i);
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

int snapshot_renew_ids(Snapshot *s) {
        return sample_reader_renew_ids(s->reader);
}

/* Makes the memory for the copies real, so that the first dump is as fast as the others. */
static void snapshot_warm(void *userdata) {
        Snapshot *s = userdata;
        uint64_t left = WARM_MAX;

        for (size_t i = 0; i < s->set->n_rings; i++) {
                RingPart *p = &s->parts[i];
                size_t n = (size_t) MIN_OF((uint64_t) p->mapped, left);

                for (size_t at = 0; at < n; at += 4096)
                        ((volatile uint8_t *) p->copy.memory)[at] = 0;
                left -= n;
        }
}

/* Frees copies beyond WARM_MAX; the next dump is slower for it. */
static void snapshot_cool(Snapshot *s) {
        uint64_t left = WARM_MAX;

        for (size_t i = 0; i < s->set->n_rings; i++) {
                RingPart *p = &s->parts[i];
                size_t keep = (size_t) MIN_OF((uint64_t) p->mapped, left);

                if (p->mapped > keep)
                        (void) madvise(p->copy.memory + keep, p->mapped - keep, MADV_DONTNEED);
                left -= keep;
        }
}

/* A ring so small that the guard would take most of it is paused while it is copied. */
static void snapshot_copy_ring(Snapshot *s, size_t i, uint64_t dumped_to) {
        RingPart *p = &s->parts[i];
        Ring *ring = &s->set->rings[i];
        bool paused = ring_copy_wants_pause(ring, p->guard) && event_set_pause(s->set, i, true) >= 0;

        ring_copy_running(ring, p->mark, dumped_to, paused ? 0 : p->guard, &p->copy);
        if (paused)
                (void) event_set_pause(s->set, i, false);
}

/* Copies the records from the newest back to one that is older than the window, or as far as the ring reaches. Those that were not
 * counted yet are always among them. */
static void snapshot_copy_window(Snapshot *s, size_t i, uint64_t dumped_to) {
        RingPart *p = &s->parts[i];
        uint64_t written = dumped_to - p->mark, wanted = MIN_OF(written, (uint64_t) p->mapped), n = p->counted_to - p->mark, oldest;

        for (n = MAX_OF(n, (uint64_t) WINDOW_MIN);; n *= 4) {
                snapshot_copy_ring(s, i, n < wanted ? p->mark + n : dumped_to);
                oldest = sample_reader_oldest(s->reader, p->copy.memory, p->copy.intact);
                if (oldest < s->wish.from || n >= wanted || p->copy.intact < n)
                        break;
        }
        if (oldest >= s->wish.from && oldest < UINT64_MAX && p->copy.intact < written)
                p->begin = oldest;
}

/* Returns the bytes of the copy that no earlier one had, which were not counted yet. */
static size_t snapshot_take_new(RingPart *p) {
        const RingCopy *c = &p->copy;
        size_t n = (size_t) MIN_OF(p->counted_to - c->head, (uint64_t) c->intact);

        p->counted_to = c->head;
        return n;
}

/* Summarises all of the copy, and counts what is new of it in the same walk. */
static size_t snapshot_summarise(Snapshot *s, RingPart *p, SampleSummary *summary) {
        const RecordCounts before = summary->counts;
        size_t new = snapshot_take_new(p), n;

        summary->counts = (RecordCounts) {};
        n = sample_summary_add(summary, s->reader, p->copy.memory, new);
        record_counts_merge(&p->counts, &summary->counts);
        if (n == new)
                n += sample_summary_add(summary, s->reader, p->copy.memory + n, p->copy.intact - n);
        record_counts_merge(&summary->counts, &before);
        return n;
}

static size_t snapshot_summarise_window(Snapshot *s, RingPart *p, SampleSummary *summary) {
        size_t size, new = snapshot_take_new(p);

        record_counts_add_segments(&p->counts, &(struct iovec) { .iov_base = p->copy.memory, .iov_len = new }, 1);
        size = sample_reader_cut(s->reader, p->copy.memory, p->copy.intact, s->wish.from, s->wish.until);
        return sample_summary_add(summary, s->reader, p->copy.memory, size);
}

static void snapshot_look(Snapshot *s, RingPart *p, SampleSummary *summary) {
        const RecordCounts before = summary->counts;
        RecordCounts counts = {};

        p->bytes = flight_wish_has_window(&s->wish) ? snapshot_summarise_window(s, p, summary) :
                                                      snapshot_summarise(s, p, summary);
        counts.build_ids = summary->counts.build_ids - before.build_ids;
        counts.symbols = summary->counts.symbols - before.symbols;
        if (record_repair_is_due(&s->repair, &counts))
                record_repair(&s->repair, p->copy.memory, p->bytes);
}

/* The rings that one of several threads copies: every nth. */
typedef struct Share {
        Snapshot *snapshot;
        SampleSummary summary;
        size_t first, step;
        pthread_t thread;
        bool started;
        int error;
} Share;

static void *snapshot_take_share(void *userdata) {
        Share *share = userdata;
        Snapshot *s = share->snapshot;
        void (*copy)(Snapshot *s, size_t i, uint64_t dumped_to) = s->wish.from > 0 ? snapshot_copy_window : snapshot_copy_ring;

        share->error = sample_summary_init(&share->summary);
        if (share->error < 0)
                return NULL;
        for (size_t i = share->first; i < s->set->n_rings; i += share->step)
                if (s->parts[i].copy.memory)
                        copy(s, i, flight_state_begin(s->state, i, &s->wish));
        for (size_t i = share->first; i < s->set->n_rings; i += share->step)
                if (s->parts[i].copy.memory)
                        snapshot_look(s, &s->parts[i], &share->summary);
        return NULL;
}

static size_t snapshot_count_threads(const Snapshot *s) {
        size_t n = MIN_OF((size_t) MAX_OF(sysconf(_SC_NPROCESSORS_ONLN), 1L), (size_t) THREADS_MAX);
        uint64_t bytes = 0;

        for (size_t i = 0; i < s->set->n_rings; i++)
                bytes += MIN_OF(s->wish.from > 0 ? s->parts[i].counted_to - s->parts[i].mark : UINT64_MAX, s->parts[i].mapped);
        return bytes < WORTH_A_THREAD ? 1 : MIN_OF(n, s->set->n_rings);
}

/* The share of a thread that can't be created is taken here. */
static int snapshot_take_shares(Snapshot *s, Share *shares, size_t n) {
        int r = 0;

        for (size_t i = 1; i < n; i++)
                shares[i].started = pthread_create(&shares[i].thread, NULL, snapshot_take_share, &shares[i]) == 0;
        for (size_t i = 0; i < n; i++) {
                if (shares[i].started)
                        (void) pthread_join(shares[i].thread, NULL);
                else
                        (void) snapshot_take_share(&shares[i]);
                r = r < 0 ? r : shares[i].error;
        }
        return r;
}

static int snapshot_describe(const Snapshot *s, const SampleSummary *all, FlightTaken *ret) {
        FlightTaken t = {
                .samples = all->counts.samples,
                .lost = all->counts.lost,
                .throttled = all->counts.throttled,
                .first = all->last > 0 ? all->first : 0,
                .last = all->last,
                .oldest = all->oldest < UINT64_MAX ? all->oldest : 0,
        };
        int r = sample_summary_pids(all, &t.pids, &t.n_pids);

        if (r >= 0)
                r = sample_summary_cgroups(all, &t.cgroups, &t.n_cgroups);
        if (r < 0) {
                flight_taken_done(&t);
                return r;
        }
        for (size_t i = 0; i < s->set->n_rings; i++) {
                t.bytes += s->parts[i].bytes;
                t.begin = MAX_OF(t.begin, s->parts[i].begin);
        }
        *ret = t;
        return 0;
}

/* Marks all rings at nearly the same time, however long copying them takes. */
static int snapshot_mark(void *userdata) {
        Snapshot *s = userdata;

        for (size_t i = 0; i < s->set->n_rings; i++)
                if (s->parts[i].copy.memory)
                        s->parts[i].mark = ring_copy_mark(&s->set->rings[i]);
        return 0;
}

static int snapshot_take(void *userdata, const FlightWish *wish, FlightTaken *ret) {
        Snapshot *s = userdata;
        Share shares[THREADS_MAX] = {};
        size_t n;
        int r;

        s->wish = *wish;
        for (size_t i = 0; i < s->set->n_rings; i++)
                s->parts[i].begin = 0;
        n = snapshot_count_threads(s);
        for (size_t i = 0; i < n; i++)
                shares[i] = (Share) { .snapshot = s, .first = i, .step = n };
        r = snapshot_take_shares(s, shares, n);
        for (size_t i = 1; i < n && r >= 0; i++)
                sample_summary_merge(&shares[0].summary, &shares[i].summary);
        if (r >= 0)
                r = snapshot_describe(s, &shares[0].summary, ret);
        for (size_t i = 0; i < n; i++)
                sample_summary_done(&shares[i].summary);
        return r;
}

static int snapshot_each(void *userdata, FlightRecords records, void *records_userdata) {
        Snapshot *s = userdata;
        int r = 0;

        for (size_t i = 0; i < s->set->n_rings && r >= 0; i++) {
                const RingPart *p = &s->parts[i];

                if (p->bytes > 0)
                        r = records(records_userdata, &(struct iovec) { .iov_base = p->copy.memory, .iov_len = p->bytes });
        }
        return r;
}

static void snapshot_about_to_name(void *userdata, const char *name) {
        Snapshot *s = userdata;

        for (size_t i = 0; i < s->set->n_rings; i++)
                s->state->rings[i].pending = s->parts[i].copy.head;
        flight_state_announce(s->state, &s->wish, name);
}

static void snapshot_settle(void *userdata, bool named) {
        Snapshot *s = userdata;

        flight_state_settle(s->state, named);
        snapshot_cool(s);
}

static void snapshot_count(void *userdata, FlightCounts *ret) {
        const Snapshot *s = userdata;

        for (size_t i = 0; i < s->set->n_rings; i++) {
                ret->samples += s->parts[i].counts.samples;
                ret->lost += s->parts[i].counts.lost;
                ret->throttled += s->parts[i].counts.throttled;
        }
}

FlightSamples snapshot_samples(Snapshot *s) {
        return (FlightSamples) {
                .warm = snapshot_warm, .mark = snapshot_mark, .take = snapshot_take, .each = snapshot_each,
                .about_to_name = snapshot_about_to_name, .settle = snapshot_settle, .count = snapshot_count, .shared = true,
                .userdata = s,
        };
}
