/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A record changes the table in two steps.
 *
 * sideband_enter() runs when the record enters the log. It decides which process the record belongs to, since pids are
 * reused: a FORK begins a new process instance, and any other record belongs to the newest instance of its pid. It
 * also counts the processes and threads that are alive at the end of the log.
 *
 * sideband_apply() runs when the record becomes base. It changes mappings, names and threads of the base. A FORK
 * copies the parent's base, which is then the parent's state at the time of the FORK, because the log is in the order
 * of time.
 *
 * A process exits with the EXIT of its last thread (process-rules.h). */

#include "map-record.h"
#include "sideband-parts.h"

/* Mappings of the kernel, and of guests, belong to no process here. */
static bool entry_is_kernel(const SidebandEntry *e) {
        switch (e->header.type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return (e->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
                       sideband_entry_pid(e) == MAP_RECORD_KERNEL_PID;
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_BPF_EVENT:
        case PERF_RECORD_CGROUP:
        case PERF_RECORD_TEXT_POKE:
                return true;
        default:
                return false;
        }
}

static const PerfRecordTask *sideband_entry_task(const SidebandEntry *e) {
        return sideband_entry_record(e);
}

/* A new instance of the pid, which inherits from its parent when the FORK becomes base. */
static int sideband_enter_process(SidebandTable *t, const SidebandEntry *e, SidebandProcess **ret) {
        SidebandProcess *p, *parent, *old;
        const PerfRecordTask *task = sideband_entry_task(e);
        int r = sideband_process_add(t, task->pid, &p);

        if (r < 0)
                return r;
        old = p->older;
        if (old && !old->ended) { /* its EXIT was lost */
                p->replaced = sideband_process_ref(old);
                sideband_process_end(t, old);
        }
        if (fork_inherits_maps(task)) {
                parent = sideband_process_find(t, task->ppid);
                p->parent = parent ? sideband_process_ref(parent) : NULL;
        }
        p->ppid = task->ppid;
        p->forked = true;
        *ret = p;
        return 0;
}

static void sideband_exit_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid) {
        if (process_threads_exit(&p->alive, tid == p->pid))
                sideband_process_end(t, p);
}

static void sideband_mark_alive(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        sideband_process_revive(t, p);
        if (e->header.type == PERF_RECORD_FORK)
                process_threads_fork(&p->alive);
        if (record_is_exec(&e->header))
                process_threads_exec(&p->alive);
}

int sideband_enter(SidebandTable *t, SidebandEntry *e) {
        SidebandProcess *p;
        int r = 0;

        if (entry_is_kernel(e))
                return 0;
        if (sideband_entry_begins(e)) {
                r = sideband_enter_process(t, e, &p);
        } else {
                p = sideband_process_find(t, sideband_entry_pid(e));
                if (!p && e->header.type == PERF_RECORD_EXIT)
                        return -ENODATA;
                if (!p)
                        r = sideband_process_add(t, sideband_entry_pid(e), &p);
        }
        if (r < 0)
                return r == -ENOSPC ? -ENODATA : r;
        if (e->header.type == PERF_RECORD_EXIT)
                sideband_exit_thread(t, p, sideband_entry_task(e)->tid);
        else if (!sideband_entry_begins(e))
                sideband_mark_alive(t, p, e);
        e->process = sideband_process_ref(p);
        return 0;
}

static void sideband_begin_process(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        if (p->parent && !p->based) {
                SidebandState parent = sideband_process_state(p->parent, sideband_entry_task(e)->ptid);

                sideband_process_inherit(t, p, &parent);
        }
        p->forked = p->standalone = false;
        sideband_process_forget_fork(t, p);
}

static int sideband_begin_thread(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        SidebandThread *thread, *parent;
        const PerfRecordTask *task = sideband_entry_task(e);
        bool new;
        int r = sideband_process_get_thread(t, p, task->tid, &new, &thread);

        if (r < 0)
                return r;
        parent = (!fork_is_of_process(task) ? sideband_process_find_thread(p, task->ptid) : NULL) ?: &p->leader;
        thread->comm = parent->comm;
        thread->namespaces = parent->namespaces;
        return 0;
}

static int sideband_name_thread(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        SidebandThread *thread;
        bool new;
        int r;

        if (record_is_exec(&e->header))
                sideband_process_clear(t, p);
        r = sideband_process_get_thread(t, p, sideband_entry_tid(e), &new, &thread);
        if (r < 0)
                return r;
        if (e->header.type == PERF_RECORD_COMM)
                thread->comm = e->tail;
        else
                thread->namespaces = e->tail;
        return 0;
}

Map sideband_entry_map(const SidebandEntry *e) {
        const PerfRecordMmap *m = sideband_entry_record(e);

        return (Map) { .start = m->start, .end = m->start + m->length, .page_offset = m->page_offset, .object = e->tail };
}

/* Mappings, threads and processes beyond the limits are ignored. */
static int sideband_change_process(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        Map map;
        int r = 0;

        switch (e->header.type) {
        case PERF_RECORD_FORK:
                if (sideband_entry_begins(e))
                        sideband_begin_process(t, p, e);
                else
                        r = sideband_begin_thread(t, p, e);
                break;
        case PERF_RECORD_EXIT:
                sideband_process_remove_thread(t, p, sideband_entry_task(e)->tid);
                break;
        case PERF_RECORD_COMM:
        case PERF_RECORD_NAMESPACES:
                r = sideband_name_thread(t, p, e);
                break;
        default:
                map = sideband_entry_map(e);
                r = sideband_maps_put(t, &p->maps, &map);
        }
        if (r == -ENOMEM)
                return r;
        p->based = true;
        return 0;
}

int sideband_apply(SidebandTable *t, SidebandEntry **e) {
        return (*e)->process ? sideband_change_process(t, (*e)->process, *e) : sideband_kernel_apply(t, e);
}

static SidebandProcess *sideband_find_oldest(const SidebandTable *t, uint32_t pid) {
        SidebandProcess *p = sideband_process_find(t, pid);

        while (p && p->older)
                p = p->older;
        return p;
}

/* Synthesized records are older than the log, so that they never belong to an instance whose FORK is in it. */
static int sideband_find_base(SidebandTable *t, const SidebandEntry *e, SidebandProcess **ret) {
        SidebandProcess *p = sideband_find_oldest(t, sideband_entry_pid(e));
        int r = 0;

        if (p && p->forked)
                return -ENODATA;
        if (!p)
                r = e->header.type == PERF_RECORD_EXIT ? -ENODATA : sideband_process_add(t, sideband_entry_pid(e), &p);
        if (r < 0)
                return r == -ENOSPC ? -ENODATA : r;
        *ret = p;
        return 0;
}

static void sideband_begin_base(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        const PerfRecordTask *task = sideband_entry_task(e);
        SidebandProcess *parent = sideband_find_oldest(t, task->ppid);

        p->alive.n_others -= MIN_OF(p->alive.n_others, (int) p->n_threads);
        sideband_process_clear(t, p);
        p->ppid = task->ppid;
        p->leader = (SidebandThread) { .tid = p->pid };
        if (parent && fork_inherits_maps(task)) {
                SidebandState state = sideband_process_state(parent, task->ptid);

                sideband_process_inherit(t, p, &state);
        }
        p->based = true;
}

static int sideband_change_base(SidebandTable *t, SidebandProcess *p, const SidebandEntry *e) {
        size_t threads = p->n_threads;
        int r;

        if (sideband_entry_begins(e)) {
                sideband_begin_base(t, p, e);
                return 0;
        }
        if (e->header.type == PERF_RECORD_EXIT)
                sideband_exit_thread(t, p, sideband_entry_task(e)->tid);
        r = sideband_change_process(t, p, e);
        if (p->n_threads > threads)
                process_threads_fork(&p->alive);
        return r;
}

int sideband_apply_base(SidebandTable *t, SidebandEntry **e) {
        SidebandProcess *p;
        int r;

        if (entry_is_kernel(*e))
                return sideband_kernel_apply(t, e);
        if (!sideband_has_times(t)) {
                r = sideband_enter(t, *e);
                return r < 0 ? r : sideband_apply(t, e);
        }
        r = sideband_find_base(t, *e, &p);
        if (r < 0)
                return r;
        (void) sideband_process_ref(p);
        r = sideband_change_base(t, p, *e);
        (void) sideband_process_unref(t, p);
        return r;
}
