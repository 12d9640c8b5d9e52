/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table forgets in three ways: the oldest records of the log become base, processes that exited and have no
 * samples are dropped with their records, and a sweep frees bytes of the pool that nothing refers to.
 *
 * The difficult case is a FORK in the log. Its child inherits the parent's base when the FORK becomes base. That is
 * the wrong state, or none, if the log of only one of the two becomes base early (sideband_fold_log()), or if the
 * parent is dropped. Such a child "comes apart": sideband_separate() follows its parents through the log, gives the child the
 * state that it inherited as its own base, and marks the FORK as FORK_EXEC, so that readers let it inherit nothing.
 *
 * Invariant: a process that has entries in the log is never freed, and p->then is NULL outside of sideband_separate().
 *
 * Base and log have fair shares, in bytes of the records that they unfold to, since dumps and the journal contain these. Each
 * process has a share. If all together exceed the limit, the largest give way, down to a level that leaves the others whole:
 * processes that misbehave, few or many, cannot push out the rest. */

#include "array.h"
#include "sideband-parts.h"

#define SWEEP_MIN ((size_t) 256 * 1024) /* bytes of the pool more than after the last sweep */
#define LOG_LEVEL_MIN ((size_t) 64 * 1024) /* bytes of records: a process with less does not give way */

static size_t beyond(size_t n, size_t share) {
        return n > share ? n - share : 0;
}

void sideband_log_count(SidebandTable *t, const SidebandEntry *e, bool enters) {
        size_t *records = e->process ? &e->process->log_records : &t->log.kernel_records, share = t->share;
        size_t before = beyond(*records, share), memory = sideband_entry_size(t, e);

        if (enters) {
                t->log.bytes += memory;
                t->log.records += e->header.size;
                *records += e->header.size;
        } else {
                t->log.bytes -= memory;
                t->log.records -= e->header.size;
                *records -= e->header.size;
        }
        t->log.excess += beyond(*records, share) - before;
}

static void sideband_entry_remove(SidebandTable *t, SidebandEntry **link) {
        SidebandEntry *e = *link;

        *link = e->next;
        sideband_log_count(t, e, false);
        if (e->process)
                sideband_process_unref(t, e->process);
        sideband_entry_free(e);
}

/* An entry of the kernel becomes part of its state, one of a process changes the process and is freed. before: the
 * previous entry. */
static int sideband_forget_entry(SidebandTable *t, SidebandEntry **link, SidebandEntry *before) {
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
                t->log.last = before;
        return 0;
}

int sideband_forget_first(SidebandTable *t) {
        return sideband_forget_entry(t, &t->log.first, NULL);
}

static void sideband_mark_thread(SidebandTable *t, const SidebandThread *thread) {
        byte_pool_mark(&t->pool, thread->comm);
        byte_pool_mark(&t->pool, thread->namespaces);
}

static void sideband_mark_processes(SidebandTable *t) {
        for (const SidebandProcess *p = t->first; p; p = p->next) {
                sideband_mark_thread(t, &p->leader);
                for (size_t i = 0; i < p->n_threads; i++)
                        sideband_mark_thread(t, p->threads + i);
                for (size_t i = 0; p->maps && i < p->maps->list.n; i++)
                        byte_pool_mark(&t->pool, p->maps->list.maps[i].object);
        }
}

void sideband_sweep_pool(SidebandTable *t) {
        size_t memory = byte_pool_memory(&t->pool);

        if (memory < 2 * t->pool_swept || memory < t->pool_swept + SWEEP_MIN)
                return;
        for (const SidebandEntry *e = t->log.first; e; e = e->next) {
                byte_pool_mark(&t->pool, e->tail);
                byte_pool_mark(&t->pool, e->origin);
        }
        sideband_mark_processes(t);
        sideband_kernel_mark(t);
        byte_pool_sweep(&t->pool);
        t->pool_swept = byte_pool_memory(&t->pool);
}

/* If a pid is reused while the EXIT of its previous instance is still kept, that EXIT is removed now, and the instance
 * with it. Returns true if so. */
static bool sideband_end_older(SidebandTable *t, const SidebandEntry *e) {
        const SidebandProcess *old = sideband_entry_begins(e) ? e->process->older : NULL;
        bool found = false;

        while (old && !old->ended)
                old = old->older;
        for (SidebandEntry **link = &t->log.first; old && *link != e;)
                if ((*link)->process == old && (*link)->header.type == PERF_RECORD_EXIT) {
                        bool last = old->refs == 1;

                        sideband_entry_remove(t, link);
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
        SidebandEntry **link = &t->log.first, *before = NULL;
        int r = 0;

        while (*link && (*link)->time < oldest && r >= 0) {
                if ((*link)->header.type == PERF_RECORD_EXIT && (*link)->time >= ended) {
                        before = *link;
                        link = &before->next;
                } else if (sideband_end_older(t, *link)) {
                        link = &t->log.first;
                        before = NULL;
                } else {
                        r = sideband_forget_entry(t, link, before);
                }
        }
        sideband_sweep_pool(t);
        return r;
}

static bool has_pid(const uint32_t *pids, size_t n, uint32_t pid) {
        size_t i = LOWER_BOUND(n, k, pids[k] < pid);

        return i < n && pids[i] == pid;
}

static bool sideband_process_goes(const SidebandProcess *p) {
        return p && p->ended && !p->marks.selected && !p->marks.folds;
}

/* True if the entry becomes base now. Of a live process without samples only the present state matters. Of a process
 * with an unfair part of the log all entries move on except its EXIT, since its samples are older. */
static bool sideband_entry_moves_on(const SidebandTable *t, const SidebandEntry *e) {
        const SidebandProcess *p = e->process;

        if (!p)
                return t->kernel_folds;
        return p->marks.folds ? !p->ended || e->header.type != PERF_RECORD_EXIT : !p->ended && !p->marks.selected;
}

/* True if the parent's base will have moved past this FORK by the time the FORK is folded into the child's base. */
static bool sideband_comes_apart(const SidebandProcess *p) {
        return p && p->parent && !sideband_process_goes(p) &&
               (sideband_process_goes(p->parent) || p->marks.selected != p->parent->marks.selected);
}

/* Prepares to follow such a parent, and its ancestors, through the log. */
static int sideband_follow(SidebandTable *t, SidebandProcess *p) {
        for (; p && !p->then; p = p->parent) {
                p->then = malloc(sizeof(*p->then));
                if (!p->then)
                        return -ENOMEM;
                *p->then = sideband_process_state(p, p->pid);
                (void) sideband_maps_ref(t, p->maps);
        }
        return 0;
}

static void sideband_follow_fork(SidebandTable *t, SidebandProcess *p) {
        SidebandState *then = p->then, *parent = p->parent ? p->parent->then : NULL;
        SidebandMaps *maps;

        if (!parent)
                return;
        maps = sideband_maps_ref(t, parent->maps);
        (void) sideband_maps_unref(t, then->maps);
        *then = *parent;
        then->maps = maps;
}

static int sideband_follow_entry(SidebandTable *t, const SidebandEntry *e) {
        SidebandState *then = e->process->then;
        bool leader = sideband_entry_tid(e) == e->process->pid;
        Map map;
        int r;

        switch (e->header.type) {
        case PERF_RECORD_FORK:
                if (sideband_entry_begins(e))
                        sideband_follow_fork(t, e->process);
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
static void sideband_stand_alone(SidebandTable *t, SidebandEntry *e) {
        SidebandProcess *p = e->process;

        sideband_process_inherit(t, p, p->parent->then);
        p->parent = sideband_process_unref(t, p->parent);
        p->standalone = true;
        e->header.misc |= PERF_RECORD_MISC_FORK_EXEC;
}

static int sideband_separate(SidebandTable *t) {
        int r = 0;

        for (SidebandProcess *p = t->first; p && r >= 0; p = p->next)
                if (sideband_comes_apart(p))
                        r = sideband_follow(t, p->parent);
        for (SidebandEntry *e = t->log.first; e && r >= 0; e = e->next) {
                if (e->process && e->process->then)
                        r = sideband_follow_entry(t, e);
                if (sideband_entry_begins(e) && sideband_comes_apart(e->process) && r >= 0)
                        sideband_stand_alone(t, e);
        }
        for (SidebandProcess *p = t->first; p; p = p->next)
                if (p->then) {
                        (void) sideband_maps_unref(t, p->then->maps);
                        free(steal_ptr(p->then));
                }
        return r;
}

static int sideband_thin_log(SidebandTable *t) {
        SidebandEntry **link = &t->log.first, *last = NULL;
        int r = 0;

        while (*link && r >= 0)
                if (sideband_process_goes((*link)->process)) {
                        sideband_entry_remove(t, link);
                } else if (sideband_entry_moves_on(t, *link)) {
                        r = sideband_forget_entry(t, link, last);
                } else {
                        last = *link;
                        link = &last->next;
                }
        if (!*link)
                t->log.last = last;
        return r;
}

/* Drops instances to which nothing refers, except perhaps the next instance of the pid. */
static void sideband_drop_replaced(SidebandTable *t) {
        for (SidebandProcess *p = t->first; p; p = p->next)
                if (sideband_process_goes(p->replaced))
                        p->replaced = sideband_process_unref(t, p->replaced);
        for (SidebandProcess *p = t->first, *next; p; p = next) {
                next = p->next;
                if (sideband_process_goes(p))
                        sideband_process_drop(t, p);
        }
}

int sideband_table_keep_only(SidebandTable *t, const uint32_t *pids, size_t n) {
        int r;

        for (SidebandProcess *p = t->first; p; p = p->next)
                p->marks.selected = has_pid(pids, n, p->pid);
        r = sideband_separate(t);
        if (r >= 0)
                r = sideband_thin_log(t);
        if (r >= 0)
                sideband_drop_replaced(t);
        sideband_sweep_pool(t);
        return r;
}

void sideband_table_keep_cgroups(SidebandTable *t, const uint64_t *cgroups, size_t n, SidebandCgroupExists *exists,
                                void *userdata) {
        sideband_kernel_keep_cgroups(t, cgroups, n, exists, userdata);
        sideband_sweep_pool(t);
}

int sideband_fold_log(SidebandTable *t, size_t records) {
        int r;

        for (SidebandProcess *p = t->first; p; p = p->next) {
                p->marks.folds = p->log_records > records;
                p->marks.selected = !p->marks.folds;
        }
        /* Older instances of the pid go, which readers would confuse with one that is base. */
        for (SidebandProcess *p = t->last; p; p = p->previous)
                for (SidebandProcess *old = p->marks.folds ? p->older : NULL; old; old = old->older)
                        old->marks.folds = old->marks.selected = false;
        t->kernel_folds = t->log.kernel_records > records;
        r = sideband_separate(t);
        if (r >= 0)
                r = sideband_thin_log(t);
        if (r >= 0)
                sideband_drop_replaced(t);
        t->kernel_folds = false;
        for (SidebandProcess *p = t->first; p; p = p->next)
                p->marks.folds = false;
        return r;
}

static size_t sideband_base_of(const SidebandProcess *p) {
        return p->maps ? p->maps->bytes : 0;
}

static size_t sideband_log_of(const SidebandProcess *p) {
        return p->log_records;
}

/* Returns the level to which the larger processes shrink so that all together have no more than so many bytes. Larger
 * ones may use the room that small ones leave. The level only rises, until no further process is below it. */
static size_t sideband_find_level(const SidebandTable *t, size_t bytes, size_t (*of)(const SidebandProcess *p)) {
        size_t level = 0, next = bytes / MAX_OF(t->n_processes, (size_t) 1);

        while (next > level) {
                size_t small = 0, n_large = 0;

                level = next;
                for (const SidebandProcess *p = t->first; p; p = p->next)
                        if (of(p) <= level)
                                small += of(p);
                        else
                                n_large++;
                next = n_large > 0 ? beyond(bytes, small) / n_large : level;
        }
        return level;
}

int sideband_share_base(SidebandTable *t) {
        size_t total = sideband_total_of(t->total, t->n_processes), level;
        int r = 0;

        if (t->base_records <= total)
                return 0;
        level = sideband_find_level(t, total / 4 * 3, sideband_base_of);
        for (SidebandProcess *p = t->first; p && r >= 0; p = p->next)
                if (sideband_base_of(p) > level)
                        r = sideband_maps_shrink(t, p->maps, level);
        return r;
}

/* A pass over the log costs time, so it waits until it frees enough. */
int sideband_share_log(SidebandTable *t) {
        size_t worth = MAX_OF(t->share / 2, t->log.records / 4), level;
        int r = 0;

        if (t->log.excess > worth)
                r = sideband_fold_log(t, t->share);
        if (r < 0 || t->log.records <= t->limit)
                return r;
        level = sideband_find_level(t, t->limit / 2, sideband_log_of);
        return sideband_fold_log(t, MAX_OF(level, LOG_LEVEL_MIN));
}
