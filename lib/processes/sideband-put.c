/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Writes the table as records. The base comes first, as perf synthesizes it, one process after the other, each
 * beginning with a FORK that is marked as FORK_EXEC, with which readers start a process without mappings. The log and
 * the queue follow as they came.
 *
 * A process whose FORK is in the log needs the mappings that its parent had then. So the parent is written too, and
 * its ancestors, as far as their FORKs are in the log. */

#include "sideband-parts.h"

static int sideband_put_mapping(const SidebandTable *t, uint32_t pid, const Map *m, const SidebandEntry *like, RecordBuffer *b) {
        const ByteBlock *object = byte_pool_get(&t->pool, m->object);
        PerfRecordMmap record = {
                .pid = pid, .tid = pid, .start = m->start, .length = m->end - m->start, .page_offset = m->page_offset,
        };
        size_t skip = sizeof(record.header);

        memcpy(&record.header, object->data, skip);
        return sideband_record_put(t, &record, object->data + skip, object->size - skip, like, b);
}

/* Puts a COMM or NAMESPACES, unless tail is 0. */
static int sideband_put_tail(const SidebandTable *t, uint32_t type, uint32_t pid, uint32_t tid, uint32_t tail,
                             const SidebandEntry *like, RecordBuffer *b) {
        const PerfRecordComm record = { .header.type = type, .pid = pid, .tid = tid };
        const ByteBlock *block;

        if (tail == 0)
                return 0;
        block = byte_pool_get(&t->pool, tail);
        return sideband_record_put(t, &record, block->data, block->size, like, b);
}

static int sideband_put_thread(const SidebandTable *t, const SidebandProcess *p, const SidebandThread *thread,
                               const SidebandEntry *like, RecordBuffer *b) {
        int r = sideband_put_tail(t, PERF_RECORD_NAMESPACES, p->pid, thread->tid, thread->namespaces, like, b);

        return r < 0 ? r : sideband_put_tail(t, PERF_RECORD_COMM, p->pid, thread->tid, thread->comm, like, b);
}

static int sideband_put_fork(const SidebandTable *t, const SidebandProcess *p, uint32_t tid, uint32_t parent, RecordBuffer *b) {
        const PerfRecordTask record = {
                .header = { .type = PERF_RECORD_FORK, .misc = PERF_RECORD_MISC_FORK_EXEC },
                .pid = p->pid, .ppid = parent, .tid = tid, .ptid = parent,
        };

        return sideband_record_put(t, &record, NULL, 0, NULL, b);
}

/* Puts the records that follow the FORK of the leader. */
static int sideband_put_state(const SidebandTable *t, const SidebandProcess *p, const SidebandEntry *like, RecordBuffer *b) {
        int r = sideband_put_thread(t, p, &p->leader, like, b);

        for (size_t i = 0; p->maps && i < p->maps->list.n && r >= 0; i++)
                r = sideband_put_mapping(t, p->pid, p->maps->list.maps + i, like, b);
        return r;
}

static int sideband_put_base(const SidebandTable *t, const SidebandProcess *p, RecordBuffer *b) {
        int r = sideband_put_fork(t, p, p->pid, p->ppid, b);

        if (r >= 0)
                r = sideband_put_state(t, p, NULL, b);
        for (size_t i = 0; i < p->n_threads && r >= 0; i++) {
                r = sideband_put_fork(t, p, p->threads[i].tid, p->pid, b);
                if (r >= 0)
                        r = sideband_put_thread(t, p, p->threads + i, NULL, b);
        }
        return r;
}

/* Selects a process, and its ancestors from which it inherited mappings. */
static void sideband_select_process(SidebandProcess *p) {
        while (p && !p->marks.selected) {
                p->marks.selected = true;
                p = p->parent;
        }
}

static void sideband_select_pid(const SidebandTable *t, uint32_t pid) {
        for (SidebandProcess *p = sideband_process_find(t, pid); p; p = p->older)
                sideband_select_process(p);
}

static void sideband_select_processes(SidebandTable *t, const uint32_t *pids, size_t n) {
        const OrderedRecord *waiting;

        for (SidebandProcess *p = t->first; p; p = p->next)
                p->marks.selected = !pids;
        if (!pids)
                return;
        for (size_t i = 0; i < n; i++)
                sideband_select_pid(t, pids[i]);
        /* The parent of each FORK that waits in the queue is written, whatever process it forks. */
        for (size_t i = 0; (waiting = record_order_at(&t->queue, i)); i++)
                if (waiting->record->type == PERF_RECORD_FORK)
                        sideband_select_pid(t, ((const PerfRecordTask *) waiting->record)->ppid);
}

static bool sideband_time_is_wanted(const SidebandSamples *s, uint64_t time) {
        return (s->since == 0 || time > s->since) && (s->until == 0 || time <= s->until);
}

/* Writes the whole queue, of all processes: its records belong to no process instance yet. */
static int sideband_put_waiting(RecordOrder *q, const SidebandSamples *s, RecordBuffer *b) {
        const OrderedRecord *waiting;
        int r = record_order_sort(q);

        for (size_t i = 0; r >= 0 && (waiting = record_order_at(q, i)); i++) {
                if (!sideband_time_is_wanted(s, waiting->time))
                        continue;
                byte_buffer_put(b, waiting->record, waiting->record->size);
                r = byte_buffer_relieve(b);
        }
        return r;
}

int sideband_table_put(SidebandTable *t, const SidebandSamples *samples, RecordBuffer *b) {
        const SidebandSamples s = samples ? *samples : (SidebandSamples) {};
        size_t start = b->size;
        int r;

        sideband_select_processes(t, s.pids, s.n_pids);
        r = s.since > 0 ? 0 : sideband_kernel_put(t, &s, b);
        for (const SidebandProcess *p = s.since > 0 ? NULL : t->first; p && r >= 0; p = p->next)
                if (p->marks.selected && p->based && !p->standalone)
                        r = sideband_put_base(t, p, b);
        for (const SidebandEntry *e = t->log.first; e && r >= 0; e = e->next)
                if (sideband_time_is_wanted(&s, e->time) && (!e->process || e->process->marks.selected)) {
                        r = sideband_entry_put(t, e, false, b);
                        if (r >= 0 && sideband_entry_begins(e) && e->process->standalone)
                                r = sideband_put_state(t, e->process, e, b);
                }
        if (r >= 0)
                r = sideband_put_waiting(&t->queue, &s, b);
        if (r < 0) {
                b->size = MIN_OF(start, b->size);
                b->error = 0;
        }
        return r;
}
