/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Process instances, found by pid, the newest first, and listed in the order in which they came. A pid that is reused
 * gives another instance.
 *
 * An instance that exited stays as long as something refers to it: its entries in the log, a child whose FORK is in
 * the log, or the next instance of its pid, if its own EXIT was lost. If trailers have no time, there is no log, and
 * instances that exited stay until sideband_table_keep_only(). */

#include "array.h"
#include "sideband-parts.h"

static size_t sideband_process_size(const SidebandProcess *p) {
        return sizeof(*p) + p->threads_allocated * sizeof(*p->threads) + 2 * SIDEBAND_MALLOC_OVERHEAD;
}

SidebandProcess *sideband_process_find(const SidebandTable *t, uint32_t pid) {
        return process_find(&t->by_pid, pid);
}

static void sideband_process_leave_pid(SidebandTable *t, SidebandProcess *p) {
        SidebandProcess *newer = sideband_process_find(t, p->pid);

        if (newer == p && p->older) {
                hash_index_replace(&t->by_pid, p->pid, (uintptr_t) p, (uintptr_t) p->older);
        } else if (newer == p) {
                hash_index_remove(&t->by_pid, p->pid, (uintptr_t) p, process_hash, NULL);
        } else {
                while (newer->older != p)
                        newer = newer->older;
                newer->older = p->older;
        }
}

int sideband_process_add(SidebandTable *t, uint32_t pid, SidebandProcess **ret) {
        SidebandProcess *p;

        if (t->n_processes >= SIDEBAND_PROCESSES_MAX || t->base_bytes >= SIDEBAND_BASE_MAX)
                return -ENOSPC;
        p = calloc(1, sizeof(*p));
        if (!p)
                return -ENOMEM;
        p->pid = p->leader.tid = pid;
        p->older = sideband_process_find(t, pid);
        if (p->older) {
                hash_index_replace(&t->by_pid, pid, (uintptr_t) p->older, (uintptr_t) p);
        } else if (hash_index_add(&t->by_pid, pid, (uintptr_t) p, process_hash, NULL) < 0) {
                free(p);
                return -ENOMEM;
        }
        p->previous = t->last;
        if (t->last)
                t->last->next = p;
        else
                t->first = p;
        t->last = p;
        t->n_processes++;
        t->base_bytes += sideband_process_size(p);
        *ret = p;
        return 0;
}

static void sideband_process_unlink(SidebandTable *t, SidebandProcess *p) {
        sideband_process_leave_pid(t, p);
        if (p->previous)
                p->previous->next = p->next;
        else
                t->first = p->next;
        if (p->next)
                p->next->previous = p->previous;
        else
                t->last = p->previous;
}

static void sideband_process_remove(SidebandTable *t, SidebandProcess *p) {
        sideband_process_forget_fork(t, p);
        sideband_process_unlink(t, p);
        t->n_processes--;
        t->n_ended -= p->ended;
        t->n_threads -= p->n_threads;
        t->base_bytes -= sideband_process_size(p);
        (void) sideband_maps_unref(t, p->maps);
        if (p->then)
                (void) sideband_maps_unref(t, p->then->maps);
        free(p->then);
        free(p->threads);
        free(p);
}

SidebandProcess *sideband_process_ref(SidebandProcess *p) {
        p->refs++;
        return p;
}

SidebandProcess *sideband_process_unref(SidebandTable *t, SidebandProcess *p) {
        if (--p->refs == 0 && p->ended && sideband_has_times(t))
                sideband_process_remove(t, p);
        return NULL;
}

void sideband_process_drop(SidebandTable *t, SidebandProcess *p) {
        if (p->refs == 0)
                sideband_process_remove(t, p);
}

void sideband_process_end(SidebandTable *t, SidebandProcess *p) {
        if (p->ended)
                return;
        p->ended = true;
        t->n_ended++;
}

void sideband_process_revive(SidebandTable *t, SidebandProcess *p) {
        if (!p->ended)
                return;
        p->ended = false;
        p->n_others = MAX_OF(p->n_others, (size_t) 1);
        t->n_ended--;
}

void sideband_process_forget_fork(SidebandTable *t, SidebandProcess *p) {
        SidebandProcess *parent = steal_ptr(p->parent), *replaced = steal_ptr(p->replaced);

        if (parent)
                sideband_process_unref(t, parent);
        if (replaced)
                sideband_process_unref(t, replaced);
}

void sideband_process_clear(SidebandTable *t, SidebandProcess *p) {
        p->maps = sideband_maps_unref(t, p->maps);
        t->n_threads -= p->n_threads;
        t->base_bytes -= sideband_process_size(p);
        free(steal_ptr(p->threads));
        p->n_threads = p->threads_allocated = 0;
        t->base_bytes += sideband_process_size(p);
}

/* The first thread with that number or a higher one. */
static size_t sideband_thread_bound(const SidebandProcess *p, uint32_t tid) {
        return LOWER_BOUND(p->n_threads, i, p->threads[i].tid < tid);
}

SidebandThread *sideband_process_find_thread(SidebandProcess *p, uint32_t tid) {
        size_t i;

        if (tid == p->pid)
                return &p->leader;
        i = sideband_thread_bound(p, tid);
        return i < p->n_threads && p->threads[i].tid == tid ? p->threads + i : NULL;
}

SidebandState sideband_process_state(const SidebandProcess *p, uint32_t tid) {
        const SidebandThread *thread = sideband_process_find_thread((SidebandProcess *) p, tid) ?: &p->leader;

        return (SidebandState) { .maps = p->maps, .comm = thread->comm, .namespaces = thread->namespaces };
}

void sideband_process_inherit(SidebandTable *t, SidebandProcess *p, const SidebandState *parent) {
        SidebandMaps *maps = sideband_maps_ref(t, parent->maps);

        (void) sideband_maps_unref(t, p->maps);
        p->maps = maps;
        p->leader.comm = parent->comm;
        p->leader.namespaces = parent->namespaces;
}

static int sideband_reserve_thread(SidebandTable *t, SidebandProcess *p) {
        size_t before = sideband_process_size(p);
        int r;

        if (t->n_threads >= SIDEBAND_THREADS_MAX)
                return -ENOSPC;
        r = ARRAY_RESERVE(p->threads, p->threads_allocated, p->n_threads + 1);
        t->base_bytes += sideband_process_size(p) - before;
        return r;
}

int sideband_process_get_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid, bool *ret_new, SidebandThread **ret) {
        SidebandThread *thread = sideband_process_find_thread(p, tid);
        int r;

        *ret_new = !thread;
        if (!thread) {
                r = sideband_reserve_thread(t, p);
                if (r < 0)
                        return r;
                thread = p->threads + sideband_thread_bound(p, tid);
                memmove(thread + 1, thread, (size_t) (p->threads + p->n_threads - thread) * sizeof(*thread));
                *thread = (SidebandThread) { .tid = tid };
                p->n_threads++;
                t->n_threads++;
        }
        *ret = thread;
        return 0;
}

void sideband_process_remove_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid) {
        SidebandThread *thread = tid == p->pid ? NULL : sideband_process_find_thread(p, tid);
        size_t i = thread ? (size_t) (thread - p->threads) : 0;

        if (!thread)
                return;
        memmove(thread, thread + 1, (p->n_threads - i - 1) * sizeof(*thread));
        p->n_threads--;
        t->n_threads--;
}

void sideband_processes_done(SidebandTable *t) {
        for (SidebandProcess *p = t->first, *next; p; p = next) {
                next = p->next;
                (void) sideband_maps_unref(t, p->maps);
                free(p->threads);
                free(p);
        }
        hash_index_done(&t->by_pid);
}
