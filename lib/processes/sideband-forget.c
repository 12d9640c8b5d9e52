/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table forgets in three ways: the oldest records of the log become base, processes that exited and have no
 * samples are dropped with their records, and a sweep frees bytes of the pool that nothing refers to.
 *
 * The difficult case is a FORK in the log. Its child inherits the parent's base when the FORK becomes base. That is
 * the wrong state, or none, if the log of only one of the two becomes base early (sideband_fold_log()), or if the
 * parent is dropped. Such a child "comes apart": separate() follows its parents through the log, gives the child the
 * state that it inherited as its own base, and marks the FORK as FORK_EXEC, so that readers let it inherit nothing.
 *
 * Invariant: a process that has entries in the log is never freed, and p->then is NULL outside of separate(). */

#include "array.h"
#include "sideband-parts.h"

#define SWEEP_MIN ((size_t) 256 * 1024) /* bytes of the pool more than after the last sweep */

static void entry_remove(SidebandTable *t, SidebandEntry **link) {
        SidebandEntry *e = *link;

        *link = e->next;
        sideband_log_count(t, e, false);
        if (e->process)
                sideband_process_unref(t, e->process);
        sideband_entry_free(e);
}

/* An entry of the kernel becomes part of its state, one of a process changes the process and is freed. before: the
 * previous entry. */
static int forget_entry(SidebandTable *t, SidebandEntry **link, SidebandEntry *before) {
        SidebandEntry *e = *link, *next = e->next;
        int r;

        sideband_log_count(t, e, false);
        r = sideband_apply(t, &e);
        if (r < 0) {
                sideband_log_count(t, e, true);
                return r;
        }
        *link = next;
        if (e) {
                if (e->process)
                        sideband_process_unref(t, e->process);
                sideband_entry_free(e);
        }
        if (!*link)
                t->log_last = before;
        return 0;
}

int sideband_forget_first(SidebandTable *t) {
        return forget_entry(t, &t->log, NULL);
}

static void mark_entries(SidebandTable *t) {
        for (const SidebandEntry *e = t->log; e; e = e->next) {
                byte_pool_mark(&t->pool, e->tail);
                byte_pool_mark(&t->pool, e->origin);
        }
}

static void mark_thread(SidebandTable *t, const SidebandThread *thread) {
        byte_pool_mark(&t->pool, thread->comm);
        byte_pool_mark(&t->pool, thread->namespaces);
}

static void mark_processes(SidebandTable *t) {
        for (const SidebandProcess *p = t->first; p; p = p->next) {
                mark_thread(t, &p->leader);
                for (size_t i = 0; i < p->n_threads; i++)
                        mark_thread(t, p->threads + i);
                for (size_t i = 0; p->maps && i < p->maps->list.n; i++)
                        byte_pool_mark(&t->pool, p->maps->list.maps[i].object);
        }
}

void sideband_sweep(SidebandTable *t) {
        size_t memory = byte_pool_memory(&t->pool);

        if (memory < 2 * t->pool_swept || memory < t->pool_swept + SWEEP_MIN)
                return;
        mark_entries(t);
        mark_processes(t);
        sideband_kernel_mark(t);
        byte_pool_sweep(&t->pool);
        t->pool_swept = byte_pool_memory(&t->pool);
}

static SidebandProcess *find_ended_before(const SidebandProcess *p) {
        SidebandProcess *old = p->older;

        while (old && !old->ended)
                old = old->older;
        return old;
}

/* If a pid is reused while the EXIT of its previous instance is still kept, that EXIT is removed now, and the instance
 * with it. Returns true if so. */
static bool end_older(SidebandTable *t, const SidebandEntry *e) {
        const SidebandProcess *old = sideband_entry_begins(e) ? find_ended_before(e->process) : NULL;
        bool found = false;

        for (SidebandEntry **link = &t->log; old && *link != e;)
                if ((*link)->process == old && (*link)->header.type == PERF_RECORD_EXIT) {
                        bool last = old->refs == 1;

                        entry_remove(t, link);
                        found = true;
                        if (last)
                                break;
                } else {
                        link = &(*link)->next;
                }
        return found;
}

/* EXITs stay in the log for exit_time more, and with them the base of their processes: a task still runs in the kernel
 * for a while after its EXIT, and its samples have its pid. */
int sideband_table_forget_before(SidebandTable *t, uint64_t oldest) {
        uint64_t ended = oldest > t->exit_time ? oldest - t->exit_time : 0;
        SidebandEntry **link = &t->log, *before = NULL;
        int r = 0;

        while (*link && (*link)->time < oldest && r >= 0) {
                if ((*link)->header.type == PERF_RECORD_EXIT && (*link)->time >= ended) {
                        before = *link;
                        link = &before->next;
                } else if (end_older(t, *link)) {
                        link = &t->log;
                        before = NULL;
                } else {
                        r = forget_entry(t, link, before);
                }
        }
        sideband_sweep(t);
        return r;
}

static bool has_pid(const uint32_t *pids, size_t n, uint32_t pid) {
        size_t i = LOWER_BOUND(n, k, pids[k] < pid);

        return i < n && pids[i] == pid;
}

static bool goes(const SidebandProcess *p) {
        return p && p->ended && !p->selected && !p->folds;
}

/* True if the entry becomes base now. Of a live process without samples only the present state matters. Of a process
 * with an unfair part of the log all entries move on except its EXIT, since its samples are older. */
static bool moves_on(const SidebandTable *t, const SidebandEntry *e) {
        const SidebandProcess *p = e->process;

        if (!p)
                return t->kernel_folds;
        return p->folds ? !p->ended || e->header.type != PERF_RECORD_EXIT : !p->ended && !p->selected;
}

/* True if the parent's base will have moved past this FORK by the time the FORK is folded into the child's base. */
static bool comes_apart(const SidebandProcess *p) {
        return p && p->parent && !goes(p) && (goes(p->parent) || p->selected != p->parent->selected);
}

/* Prepares to follow such a parent, and its ancestors, through the log. */
static int follow(SidebandTable *t, SidebandProcess *p) {
        for (; p && !p->then; p = p->parent) {
                p->then = malloc(sizeof(*p->then));
                if (!p->then)
                        return -ENOMEM;
                *p->then = sideband_process_state(p, p->pid);
                (void) sideband_maps_ref(t, p->maps);
        }
        return 0;
}

static int follow_parents(SidebandTable *t) {
        int r = 0;

        for (SidebandProcess *p = t->first; p && r >= 0; p = p->next)
                if (comes_apart(p))
                        r = follow(t, p->parent);
        return r;
}

static void stop_following(SidebandTable *t) {
        for (SidebandProcess *p = t->first; p; p = p->next)
                if (p->then) {
                        (void) sideband_maps_unref(t, p->then->maps);
                        free(steal_ptr(p->then));
                }
}

static void follow_fork(SidebandTable *t, SidebandProcess *p) {
        SidebandState *then = p->then, *parent = p->parent ? p->parent->then : NULL;
        SidebandMaps *maps;

        if (!parent)
                return;
        maps = sideband_maps_ref(t, parent->maps);
        (void) sideband_maps_unref(t, then->maps);
        *then = *parent;
        then->maps = maps;
}

static int follow_entry(SidebandTable *t, const SidebandEntry *e) {
        SidebandState *then = e->process->then;
        bool leader = sideband_entry_tid(e) == e->process->pid;
        Map map;
        int r;

        switch (e->header.type) {
        case PERF_RECORD_FORK:
                if (sideband_entry_begins(e))
                        follow_fork(t, e->process);
                return 0;
        case PERF_RECORD_COMM:
                if (record_is_exec(&e->header))
                        then->maps = sideband_maps_unref(t, then->maps);
                if (leader)
                        then->comm = e->tail;
                return 0;
        case PERF_RECORD_NAMESPACES:
                if (leader)
                        then->namespaces = e->tail;
                return 0;
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                map = sideband_entry_map(e);
                r = sideband_maps_put(t, &then->maps, &map);
                return r == -ENOMEM ? r : 0;
        default:
                return 0;
        }
}

/* Gives the child of this FORK the state that it inherits. */
static void stand_alone(SidebandTable *t, SidebandEntry *e) {
        SidebandProcess *p = e->process;

        sideband_process_inherit(t, p, p->parent->then);
        p->parent = sideband_process_unref(t, p->parent);
        p->standalone = true;
        e->header.misc |= PERF_RECORD_MISC_FORK_EXEC;
}

static int separate(SidebandTable *t) {
        int r = follow_parents(t);

        for (SidebandEntry *e = t->log; e && r >= 0; e = e->next) {
                if (e->process && e->process->then)
                        r = follow_entry(t, e);
                if (sideband_entry_begins(e) && comes_apart(e->process) && r >= 0)
                        stand_alone(t, e);
        }
        stop_following(t);
        return r;
}

static int thin_log(SidebandTable *t) {
        SidebandEntry **link = &t->log, *last = NULL;
        int r = 0;

        while (*link && r >= 0)
                if (goes((*link)->process)) {
                        entry_remove(t, link);
                } else if (moves_on(t, *link)) {
                        r = forget_entry(t, link, last);
                } else {
                        last = *link;
                        link = &last->next;
                }
        if (!*link)
                t->log_last = last;
        return r;
}

/* Drops instances to which nothing refers, except perhaps the next instance of the pid. */
static void drop_replaced(SidebandTable *t) {
        for (SidebandProcess *p = t->first; p; p = p->next)
                if (goes(p->replaced))
                        p->replaced = sideband_process_unref(t, p->replaced);
        for (SidebandProcess *p = t->first, *next; p; p = next) {
                next = p->next;
                if (goes(p))
                        sideband_process_drop(t, p);
        }
}

int sideband_table_keep_ended(SidebandTable *t, const uint32_t *pids, size_t n) {
        int r;

        for (SidebandProcess *p = t->first; p; p = p->next)
                p->selected = has_pid(pids, n, p->pid);
        r = separate(t);
        if (r >= 0)
                r = thin_log(t);
        if (r >= 0)
                drop_replaced(t);
        sideband_sweep(t);
        return r;
}

/* Drops the older instances of the pid, which readers would confuse with one that is base. */
static void let_older_go(SidebandProcess *p) {
        for (SidebandProcess *old = p->older; old; old = old->older)
                old->folds = old->selected = false;
}

int sideband_fold_log(SidebandTable *t, size_t records) {
        int r;

        for (SidebandProcess *p = t->first; p; p = p->next) {
                p->folds = p->log_records > records;
                p->selected = !p->folds;
        }
        for (SidebandProcess *p = t->last; p; p = p->previous)
                if (p->folds)
                        let_older_go(p);
        t->kernel_folds = t->kernel_log_records > records;
        r = separate(t);
        if (r >= 0)
                r = thin_log(t);
        if (r >= 0)
                drop_replaced(t);
        t->kernel_folds = false;
        for (SidebandProcess *p = t->first; p; p = p->next)
                p->folds = false;
        return r;
}
