/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The way of a record through the table. Read sideband-table.h for the idea and this file first; sideband-parts.h has
 * the structures.
 *
 * A record waits in the queue until its round is over, because rings of other CPUs may still have older ones
 * (record-order.c). Then it is taken apart, is given to a process, and enters the log in the order of time
 * (sideband-apply.c). When no sample is older than it, it changes the base (sideband-forget.c) and is freed. Synthesized
 * records, with time 0, change the base at once. A dump is the base, the log and the queue (sideband-put.c).
 *
 * Invariant: base, then log, then queue is everything that was fed and is still needed. Each entry of the log has a
 * reference to its process, so that a process that exited stays until its last entry is gone.
 *
 * Shares limit memory (sideband-forget.c): one process that forks or maps without end loses its own log, not that of
 * others. Nothing here reads a ring or /proc, or knows more of samples than the time of the oldest. */

#include "record-cursor.h"
#include "record-overlong.h"
#include "sideband-parts.h"

int sideband_table_new(uint64_t sample_type, SidebandTable **ret) {
        SidebandTable *t = calloc(1, sizeof(*t));

        if (!t)
                return -ENOMEM;
        t->sample_type = sample_type;
        t->trailer_size = record_trailer_size(sample_type);
        t->places = trailer_places(sample_type);
        t->limit = SIDEBAND_TABLE_LIMIT;
        t->share = SIDEBAND_TABLE_SHARE;
        t->total = SIDEBAND_TABLE_TOTAL;
        t->exit_time = SIDEBAND_EXIT_TIME;
        *ret = t;
        return 0;
}

SidebandTable *sideband_table_free(SidebandTable *t) {
        if (!t)
                return NULL;
        while (t->log.first) {
                SidebandEntry *next = t->log.first->next;

                sideband_entry_free(t->log.first);
                t->log.first = next;
        }
        sideband_processes_done(t);
        sideband_kernel_done(t);
        record_order_done(&t->queue);
        byte_pool_done(&t->pool);
        free(t);
        return NULL;
}

static int sideband_feed_base(SidebandTable *t, const struct perf_event_header *record) {
        _cleanup_(sideband_entry_freep) SidebandEntry *e = NULL;
        SidebandProcess *p;
        int r = sideband_entry_new(t, record, &e);

        if (r < 0)
                return r;
        r = sideband_apply_base(t, &e);
        p = e ? e->process : NULL;
        if (p)
                (void) sideband_process_unref(t, p);
        if (r >= 0)
                r = sideband_share_base(t);
        sideband_sweep_pool(t);
        return r == -ENODATA ? 0 : r;
}

static int sideband_enter_log(SidebandTable *t, const struct perf_event_header *record) {
        SidebandEntry *e;
        int r = sideband_entry_new(t, record, &e);

        if (r < 0)
                return r;
        r = sideband_enter(t, e);
        if (r < 0) {
                sideband_entry_free(e);
                return r == -ENODATA ? 0 : r;
        }
        if (t->log.last)
                t->log.last->next = e;
        else
                t->log.first = e;
        t->log.last = e;
        sideband_log_count(t, e, true);
        return 0;
}

/* Instances that exited count too: they must not keep out new ones. */
static bool sideband_is_full(const SidebandTable *t) {
        if (t->log.bytes > t->limit || t->log.records > t->limit)
                return true;
        return t->n_ended > 0 && t->n_processes > SIDEBAND_PROCESSES_MAX / 4 * 3;
}

int sideband_table_round(SidebandTable *t, bool all) {
        int r = all ? record_order_finish(&t->queue) : record_order_finish_round(&t->queue);
        const OrderedRecord *next;

        while (r >= 0 && (next = record_order_next(&t->queue))) {
                r = sideband_enter_log(t, next->record);
                if (r < 0)
                        record_order_put_back(&t->queue);
        }
        record_order_trim(&t->queue);
        if (r < 0)
                return r;
        r = sideband_share_log(t);
        while (t->log.first && sideband_is_full(t) && r >= 0)
                r = sideband_forget_first(t);
        if (r >= 0)
                r = sideband_share_base(t);
        sideband_sweep_pool(t);
        return r;
}

/* The kernel numbers processes as our PID namespace does. Processes outside of it are all 0 there, as the idle tasks
 * are: taken together they would be one process that never exits. */
static bool record_is_of_process_0(const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
        case PERF_RECORD_COMM:
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
        case PERF_RECORD_NAMESPACES:
                return record_pid(record) == 0;
        default:
                return false;
        }
}

static int sideband_feed_record(SidebandTable *t, const struct perf_event_header *record) {
        uint64_t time;
        int r;

        if (!sideband_record_check(t, record))
                return 0;
        time = sideband_record_time(t, record);
        if (time == 0 || record->type == PERF_RECORD_CGROUP)
                return sideband_feed_base(t, record);
        if (record_is_of_process_0(record))
                return 0;
        if (t->queue.size + record->size > t->limit / 4) {
                r = sideband_table_round(t, true);
                if (r < 0)
                        return r;
        }
        return record_order_put(&t->queue, &(OrderedRecord) { .time = time, .record = record }, false);
}

/* Feeds only the first size bytes of a record, those that belong to it. */
static int sideband_feed_cut(SidebandTable *t, const struct perf_event_header *record, uint16_t size) {
        uint64_t copy[(UINT16_MAX + 1) / sizeof(uint64_t)];
        struct perf_event_header *h = (struct perf_event_header *) copy;

        memcpy(copy, record, size);
        h->size = size;
        return sideband_feed_record(t, h);
}

int sideband_table_feed(SidebandTable *t, const struct perf_event_header *record, size_t size) {
        uint16_t true_size;

        if (size < sizeof(*record) || record->size > size)
                return 0;
        true_size = record_true_size(record, t->trailer_size);
        return true_size == record->size ? sideband_feed_record(t, record) : sideband_feed_cut(t, record, true_size);
}

static int sideband_feed_whole(const struct perf_event_header *record, void *userdata) {
        return sideband_table_feed(userdata, record, record->size);
}

int sideband_table_feed_segments(SidebandTable *t, const struct iovec *segments, size_t n_segments) {
        return record_cursor_each(segments, n_segments, sideband_feed_whole, t);
}

size_t sideband_table_memory(const SidebandTable *t) {
        return sizeof(*t) + t->base_bytes + t->log.bytes + byte_pool_memory(&t->pool) + record_order_memory(&t->queue) +
               hash_index_memory(&t->by_pid) + hash_index_memory(&t->kernel.index);
}

uint64_t sideband_table_newest(const SidebandTable *t) {
        return t->queue.newest;
}

bool sideband_table_take_left_out(SidebandTable *t, SidebandLeftOut *ret) {
        for (SidebandProcess *p = t->left_out ? t->first : NULL; p; p = p->next)
                if (p->maps && p->maps->left_out > 0 && !p->left_out_reported) {
                        uint32_t comm = p->leader.comm;

                        p->left_out_reported = true;
                        *ret = (SidebandLeftOut) {
                                .pid = p->pid,
                                .name = comm > 0 ? (const char *) byte_pool_get(&t->pool, comm)->data : "",
                                .left_out = p->maps->left_out,
                        };
                        return true;
                }
        t->left_out = false;
        return false;
}

void sideband_table_leave_out(SidebandTable *t, uint32_t pid, uint64_t n) {
        SidebandProcess *p = sideband_process_find(t, pid);

        if (p && p->maps) {
                p->maps->left_out += n;
                t->left_out = true;
        }
}

void sideband_table_left_out(const SidebandTable *t, uint64_t *ret_mappings, size_t *ret_processes) {
        uint64_t mappings = 0;
        size_t processes = 0;

        for (const SidebandProcess *p = t->first; p; p = p->next)
                if (p->marks.selected && p->maps && p->maps->left_out > 0) {
                        mappings += p->maps->left_out;
                        processes++;
                }
        *ret_mappings = mappings;
        *ret_processes = processes;
}

/* The base has the state at the time of the oldest sample, so that the present name of a process is found by a walk along the
 * log. */
static void sideband_follow_entry(const SidebandEntry *e) {
        SidebandProcess *p = e->process;

        if (sideband_entry_begins(e)) {
                p->marks.present = p->parent ? p->parent->marks.present : 0;
                p->marks.begun = e->time;
        } else if (e->header.type == PERF_RECORD_COMM && sideband_entry_tid(e) == p->pid) {
                p->marks.present = e->tail;
                if (record_is_exec(&e->header))
                        p->marks.begun = e->time;
        }
}

void sideband_table_find_stale(const SidebandTable *t, uint64_t since, SidebandSeen *seen, size_t n) {
        for (SidebandProcess *p = t->first; p; p = p->next) {
                p->marks.present = p->leader.comm;
                p->marks.begun = 0;
        }
        for (const SidebandEntry *e = t->log.first; e; e = e->next)
                if (e->process)
                        sideband_follow_entry(e);
        for (size_t i = 0; i < n; i++) {
                const SidebandProcess *p = sideband_process_find(t, seen[i].pid);
                uint64_t begun = p && !p->ended ? p->marks.begun : 0;

                seen[i].known = p && !p->ended;
                seen[i].stale = !seen[i].known || begun >= since || p->marks.present == 0 ||
                                !streq((const char *) byte_pool_get(&t->pool, p->marks.present)->data, seen[i].name);
                seen[i].since = MAX_OF(begun, since);
        }
}
