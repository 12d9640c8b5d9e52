/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Locks of the kernel for which threads waited, out of lock:contention_begin and lock:contention_end (Linux 5.19). A thread waits
 * from the first begin to the end for the same lock: a mutex has a second begin when it stops spinning. Waits of which only one of
 * the two is there, or during which records were lost, are counted apart.
 *
 * The table and the units of its times are those of perf lock contention of Linux 6.1; the bits of the flags are those of
 * include/trace/events/lock.h. */

#include "sched-views.h"

#include <fnmatch.h>
#include <inttypes.h>

#include "array.h"
#include "byte-pool.h"
#include "json-writer.h"
#include "saturate.h"
#include "sched-chain.h"
#include "sched-run.h"
#include "trace-layout.h"

#define LOCK_SPIN   (1u << 0)
#define LOCK_READ   (1u << 1)
#define LOCK_WRITE  (1u << 2)
#define LOCK_RT     (1u << 3)
#define LOCK_PERCPU (1u << 4)
#define LOCK_MUTEX  (1u << 5)
#define LOCK_LABEL_SIZE SCHED_LABEL_SIZE

/* A thread waits for a lock, or has waited for it before. */
typedef struct LockWait {
        uint64_t lock, since; /* since 0: it does not wait */
        uint32_t thread, flags;
        uint32_t row;
} LockWait;

typedef struct LockRow {
        uint32_t flags;
        uint64_t n, sum, longest, shortest;
} LockRow;

/* The places of fields of the two events. */
typedef struct LockEvents {
        const PerfDataEvent *begin, *end;
        TraceLayout begin_layout, end_layout;
        const TraceLayoutField *begin_lock, *flags, *end_lock;
} LockEvents;

typedef struct LockContention {
        const SchedOptions *options;
        LockEvents events;
        LockWait *waits; /* of the recording that is read */
        size_t n_waits, waits_allocated;
        HashIndex index; /* number + 1 */
        BytePool labels; /* "FLAGS LABEL" */
        LockRow *rows;   /* by the number of the label, less 1 */
        size_t n_rows, rows_allocated;
        uint64_t unknown;
} LockContention;

static void lock_events_done(LockEvents *e) {
        trace_layout_done(&e->begin_layout);
        trace_layout_done(&e->end_layout);
        *e = (LockEvents) {};
}

static void lock_contention_done(LockContention *l) {
        lock_events_done(&l->events);
        free(l->waits);
        free(l->rows);
        hash_index_done(&l->index);
        byte_pool_done(&l->labels);
}

/* Returns the layout of an event's field; NULL: it has none. */
static int lock_find_layout(const PerfDataReader *reader, const PerfDataEvent *e, TraceLayout *ret) {
        const void *data;
        size_t size;
        int r = e ? perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size) : -ENOENT;

        if (r >= 0)
                r = trace_layout_init(ret, data, size, e->attr.config);
        return r == -ENOMEM ? r : 0;
}

static int lock_begin(void *userdata, SchedRun *run) {
        LockContention *l = userdata;
        LockEvents *e = &l->events;
        int r;

        lock_events_done(e);
        hash_index_done(&l->index);
        l->n_waits = 0;
        e->begin = perf_data_reader_find_tracepoint(run->recording->in->reader, LOCK_CONTENTION_BEGIN);
        e->end = perf_data_reader_find_tracepoint(run->recording->in->reader, "lock:contention_end");
        r = lock_find_layout(run->recording->in->reader, e->begin, &e->begin_layout);
        if (r >= 0)
                r = lock_find_layout(run->recording->in->reader, e->end, &e->end_layout);
        e->begin_lock = trace_layout_find(&e->begin_layout, "lock_addr");
        e->flags = trace_layout_find(&e->begin_layout, "flags");
        e->end_lock = trace_layout_find(&e->end_layout, "lock_addr");
        return r;
}

static uint64_t lock_take_field(const TraceLayoutField *f, const PerfSample *s) {
        uint64_t value = 0;

        return f && trace_field_number(f, s->raw, s->raw_size, &value) ? value : 0;
}

static uint64_t lock_hash(uint32_t thread, uint64_t lock) {
        return hash_mix(hash_mix(0, thread), lock);
}

static uint64_t lock_hash_of(const void *owner, uintptr_t entry) {
        const LockWait *w = ((const LockContention *) owner)->waits + entry - 1;

        return lock_hash(w->thread, w->lock);
}

static LockWait *lock_find_wait(LockContention *l, uint32_t thread, uint64_t lock) {
        uintptr_t found = HASH_INDEX_FIND(&l->index, lock_hash(thread, lock), entry,
                                          l->waits[entry - 1].thread == thread && l->waits[entry - 1].lock == lock);

        return found > 0 ? l->waits + found - 1 : NULL;
}

/* *ret is valid until the next call. */
static int lock_add_wait(LockContention *l, uint32_t thread, uint64_t lock, LockWait **ret) {
        *ret = lock_find_wait(l, thread, lock);
        if (*ret)
                return 0;
        if (ARRAY_RESERVE(l->waits, l->waits_allocated, l->n_waits + 1) < 0)
                return -ENOMEM;
        *ret = l->waits + l->n_waits++;
        **ret = (LockWait) { .thread = thread, .lock = lock };
        return hash_index_add(&l->index, lock_hash(thread, lock), l->n_waits, lock_hash_of, l);
}

/* The functions by which code takes locks, and those of tracepoints. */
static bool is_lock_function(const char *name) {
        static const char *const patterns[] = {
                "*_slowpath*", "__traceiter_contention_*", "trace_contention_*", "perf_trace_*", "*mutex_lock*", "_raw_*lock*",
                "*rwsem_*", "down_*", "__down*", "down", "*percpu_down_*", "percpu_rwsem_*", "__percpu_*", "rt_*lock*", "__rt_*",
                "*rwbase_*", "osq_lock", "queued_*_lock*", "bpf_trace_run*", "perf_swevent_*", "perf_tp_event*",
                "*schedule_rtlock*",
        };

        return ANY_OF(ELEMENTSOF(patterns), i, fnmatch(patterns[i], name, 0) == 0);
}

/* Puts the first function of the call chain that only wanted a lock; buf is "" if there is none. */
static int lock_put_caller(const SchedRun *run, const Moment *m, char buf[static LOCK_LABEL_SIZE]) {
        ChainCursor c = chain_cursor_of(m->sample->callchain, m->sample->n_callchain);
        NamedPlace named;
        int r;

        *buf = '\0';
        while ((r = sched_chain_next(run->recording->replay, m, &c, &named)) == 1) {
                if (!named.symbol->name || is_lock_function(named.symbol->name))
                        continue;
                (void) snprintf(buf, LOCK_LABEL_SIZE, "%s+0x%" PRIx64, named.symbol->name,
                                named.place->address - named.symbol->start);
                return 0;
        }
        return r;
}

static int lock_put_label(const LockContention *l, const SchedRun *run, const Moment *m, const LockWait *w,
                          char buf[static LOCK_LABEL_SIZE]) {
        LockBy by = l->options->lock.by;

        if (by == LOCK_BY_CALLER)
                return lock_put_caller(run, m, buf);
        if (by == LOCK_BY_LOCK)
                (void) snprintf(buf, LOCK_LABEL_SIZE, "0x%016" PRIx64, w->lock);
        else
                (void) sched_run_label(run, w->thread, buf);
        return 0;
}

static int lock_find_row(LockContention *l, const SchedRun *run, const Moment *m, LockWait *w) {
        bool typed = l->options->lock.by == LOCK_BY_CALLER || l->options->lock.by == LOCK_BY_LOCK;
        char label[LOCK_LABEL_SIZE], key[LOCK_LABEL_SIZE + 16];
        uint32_t number;
        int r = lock_put_label(l, run, m, w, label);

        if (r < 0)
                return r;
        (void) snprintf(key, sizeof(key), "%" PRIu32 " %s", typed ? w->flags & ~(w->flags & LOCK_MUTEX ? LOCK_SPIN : 0) : 0, label);
        r = byte_pool_intern(&l->labels, key, strlen(key) + 1, &number);
        if (r < 0 || ARRAY_RESERVE(l->rows, l->rows_allocated, number) < 0)
                return -ENOMEM;
        for (; l->n_rows < number; l->n_rows++)
                l->rows[l->n_rows] = (LockRow) {};
        w->row = number - 1;
        l->rows[w->row].flags = w->flags;
        return 0;
}

/* w may be NULL. */
static void lock_end_wait(LockContention *l, const SchedRun *run, const LockWait *w, uint64_t time) {
        LockRow *row;
        uint64_t nsec;

        if (!w || w->since == 0 || w->since > time || run->model->lost >= w->since) {
                l->unknown++;
                return;
        }
        row = l->rows + w->row;
        nsec = time - w->since;
        row->shortest = row->n == 0 ? nsec : MIN_OF(row->shortest, nsec);
        row->longest = MAX_OF(row->longest, nsec);
        row->sum = saturate_sum(row->sum, nsec);
        row->n++;
}

static int lock_sample(void *userdata, SchedRun *run, const Moment *m) {
        LockContention *l = userdata;
        const LockEvents *e = &l->events;
        bool begins = m->event == e->begin;
        uint64_t lock;
        uint32_t thread;
        LockWait *w;
        int r;

        if ((!begins && m->event != e->end) || m->time == 0)
                return 0;
        lock = lock_take_field(begins ? e->begin_lock : e->end_lock, m->sample);
        r = sched_model_find_task(run->model, m, &thread);
        if (r < 0 || !sched_run_wants_thread(run, thread) || !recording_run_wants_cpu(run->recording, m->sample->cpu))
                return r;
        if (begins) {
                r = lock_add_wait(l, thread, lock, &w);
                if (r < 0 || w->since > 0)
                        return r;
                w->since = m->time;
                w->flags = (uint32_t) lock_take_field(e->flags, m->sample);
                return lock_find_row(l, run, m, w);
        }
        w = lock_find_wait(l, thread, lock);
        if (recording_run_wants_time(run->recording, m->time))
                lock_end_wait(l, run, w, m->time);
        if (w)
                w->since = 0;
        return 0;
}

static const char *lock_type(uint32_t flags) {
        static const struct {
                uint32_t flags;
                const char *name;
        } types[] = {
                { 0, "semaphore" }, { LOCK_SPIN, "spinlock" }, { LOCK_SPIN | LOCK_READ, "rwlock:R" },
                { LOCK_SPIN | LOCK_WRITE, "rwlock:W" }, { LOCK_READ, "rwsem:R" }, { LOCK_WRITE, "rwsem:W" },
                { LOCK_RT, "rt-mutex" },
                { LOCK_RT | LOCK_READ, "rwlock-rt:R" }, { LOCK_RT | LOCK_WRITE, "rwlock-rt:W" },
                { LOCK_PERCPU | LOCK_READ, "pcpu-sem:R" }, { LOCK_PERCPU | LOCK_WRITE, "pcpu-sem:W" }, { LOCK_MUTEX, "mutex" },
                { LOCK_MUTEX | LOCK_SPIN, "mutex" },
        };

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (types[i].flags == flags)
                        return types[i].name;
        return "unknown";
}

static uint64_t lock_row_key(const LockRow *row, LockKey key) {
        switch (key) {
        case LOCK_KEY_CONTENDED:
                return row->n;
        case LOCK_KEY_WAIT_MAX:
                return row->longest;
        case LOCK_KEY_WAIT_MIN:
                return row->shortest;
        case LOCK_KEY_AVG_WAIT:
                return row->n > 0 ? row->sum / row->n : 0;
        default:
                return row->sum;
        }
}

static int compare_rows(const void *a, const void *b, void *userdata) {
        uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;
        const LockContention *l = userdata;
        uint64_t x = lock_row_key(l->rows + i, l->options->lock.key), y = lock_row_key(l->rows + k, l->options->lock.key);

        if (x != y)
                return x > y ? -1 : 1;
        return i < k ? -1 : i > k;
}

/* "24.63 us", in that many columns, as perf has it. */
static void lock_put_time(TextBuffer *out, uint64_t nsec, int width) {
        static const struct {
                uint64_t nsec;
                const char *unit;
        } units[] = {
                { 3600 * NSEC_PER_SEC, "h " }, { 60 * NSEC_PER_SEC, "m " }, { NSEC_PER_SEC, "s " }, { NSEC_PER_MSEC, "ms" },
                { NSEC_PER_USEC, "us" },
        };

        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (nsec >= units[i].nsec) {
                        text_buffer_format(out, "%*.2f %s", width - 3, (double) nsec / (double) units[i].nsec, units[i].unit);
                        return;
                }
        text_buffer_format(out, "%*" PRIu64 " ns", width - 3, nsec);
}

static const char *lock_row_label(const LockContention *l, uint32_t row) {
        const char *key = (const char *) byte_pool_get(&l->labels, row + 1)->data;

        return strchr(key, ' ') + 1;
}

static void lock_put_table(const LockContention *l, const uint32_t *order, size_t n, TextBuffer *out) {
        LockBy by = l->options->lock.by;
        bool typed = by == LOCK_BY_CALLER || by == LOCK_BY_LOCK;

        text_buffer_puts(out, " contended   total wait     max wait     avg wait ");
        text_buffer_format(out, typed ? "  %10s   %s\n\n" : "  %s%s\n\n", typed ? "type" : "", lock_by_word(by));
        for (size_t i = 0; i < n; i++) {
                const LockRow *row = l->rows + order[i];
                const char *label = lock_row_label(l, order[i]);

                text_buffer_format(out, "%10" PRIu64 " ", row->n);
                lock_put_time(out, row->sum, 12);
                text_buffer_putc(out, ' ');
                lock_put_time(out, row->longest, 12);
                text_buffer_putc(out, ' ');
                lock_put_time(out, row->sum / row->n, 12);
                if (typed)
                        text_buffer_format(out, "   %10s ", lock_type(row->flags));
                text_buffer_format(out, "  %s\n", *label ? label : by == LOCK_BY_UNIT ? "(unit not known)" : "(caller not known)");
        }
        if (l->unknown > 0)
                text_buffer_format(out, "\nWaits whose length is not known, since they began before the first record or records "
                                   "were lost: %" PRIu64 "\n", l->unknown);
}

static void lock_put_json(const LockContention *l, const uint32_t *order, size_t n, TextBuffer *out) {
        LockBy by = l->options->lock.by;
        JsonWriter w = { .out = out };

        json_writer_begin(&w, NULL, '{');
        json_writer_begin(&w, "rows", '[');
        for (size_t i = 0; i < n; i++) {
                const LockRow *row = l->rows + order[i];

                json_writer_begin(&w, NULL, '{');
                if (*lock_row_label(l, order[i]))
                        json_writer_text(&w, lock_by_word(by), lock_row_label(l, order[i]));
                if (by == LOCK_BY_CALLER || by == LOCK_BY_LOCK)
                        json_writer_text(&w, "type", lock_type(row->flags));
                json_writer_number(&w, "contended", row->n);
                json_writer_number(&w, "wait_total_nsec", row->sum);
                json_writer_number(&w, "wait_max_nsec", row->longest);
                json_writer_number(&w, "wait_min_nsec", row->shortest);
                json_writer_number(&w, "avg_wait_nsec", row->sum / row->n);
                json_writer_end(&w, '}');
        }
        json_writer_end(&w, ']');
        json_writer_number(&w, "unknown", l->unknown);
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
}

static int lock_show(LockContention *l) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        _cleanup_free_ uint32_t *order = calloc(l->n_rows + 1, sizeof(*order));
        size_t n = 0;

        if (!order)
                return -ENOMEM;
        for (uint32_t i = 0; i < l->n_rows; i++)
                if (l->rows[i].n > 0)
                        order[n++] = i;
        qsort_r(order, n, sizeof(*order), compare_rows, l);
        if (l->options->lock.entries > 0)
                n = MIN_OF(n, (size_t) l->options->lock.entries);
        (l->options->json ? lock_put_json : lock_put_table)(l, order, n, &out);
        return text_buffer_flush(&out);
}

int lock_contention(const SchedOptions *o) {
        _cleanup_(lock_contention_done) LockContention l = { .options = o };
        const SchedConsumer consumer = {
                .begin = lock_begin, .sample = lock_sample, .userdata = &l, .names = o->lock.by == LOCK_BY_CALLER,
                .event = LOCK_CONTENTION_BEGIN,
        };
        int status = sched_run_all(o, &consumer), r;

        if (status != EXIT_SUCCESS && l.n_rows == 0)
                return status;
        r = lock_show(&l);
        if (r < 0)
                (void) fprintf(stderr, "Failed to show locks: %s\n", strerror(-r));
        return r < 0 ? EXIT_FAILURE : status;
}
