/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Process instances, found by pid, the newest first, and listed in the order in which they came. A pid that is reused
 * gives another instance.
 *
 * An instance that exited stays as long as something refers to it: its entries in the log, a child whose FORK is in
 * the log, or the next instance of its pid, if its own EXIT was lost. If trailers have no time, there is no log, and
 * instances that exited stay until sideband_table_keep_only().
 *
 * Their lists of mappings: a child shares its parent's list until one of them maps anything: most children call exec soon,
 * or keep the mappings that they inherited for long. A list has a share, in mappings and in bytes of the records that it
 * unfolds to, each with a path of up to 4 KiB. A process that maps and unmaps for months, such as a JIT compiler, has unmapped
 * most of its list, which the kernel does not report. A list that exceeds its share shrinks to three quarters: mappings of the
 * program's start stay, then the newest; mappings of data go first.
 *
 * Invariant: t->base_records is the sum of bytes over all references to all lists. */

#include "array.h"
#include "sideband-parts.h"

#define FIRST_KEPT 512u /* mappings of the program's start, which last as long as it does */

static size_t sideband_maps_size(const SidebandMaps *m) {
        return sizeof(*m) + m->list.allocated * sizeof(Map) + 2 * SIDEBAND_MALLOC_OVERHEAD;
}

SidebandMaps *sideband_maps_ref(SidebandTable *t, SidebandMaps *m) {
        if (m) {
                m->refs++;
                t->base_records += m->bytes;
        }
        return m;
}

SidebandMaps *sideband_maps_unref(SidebandTable *t, SidebandMaps *m) {
        if (!m)
                return NULL;
        t->base_records -= m->bytes;
        if (--m->refs > 0)
                return NULL;
        t->base_bytes -= sideband_maps_size(m);
        map_list_done(&m->list);
        free(m);
        return NULL;
}

static int sideband_maps_own(SidebandTable *t, SidebandMaps **m) {
        SidebandMaps *copy;

        if (*m && (*m)->refs == 1)
                return 0;
        copy = calloc(1, sizeof(*copy));
        if (!copy)
                return -ENOMEM;
        if (*m && map_list_copy(&copy->list, &(*m)->list) < 0) {
                free(copy);
                return -ENOMEM;
        }
        copy->refs = 1;
        if (*m) {
                copy->bytes = (*m)->bytes;
                copy->left_out = (*m)->left_out;
        }
        t->base_records += copy->bytes;
        t->base_bytes += sideband_maps_size(copy);
        (void) sideband_maps_unref(t, *m);
        *m = copy;
        return 0;
}

/* The bytes of the record that a mapping of the object unfolds to. */
static size_t sideband_map_record_size(const SidebandTable *t, uint32_t object) {
        size_t fixed = sizeof(PerfRecordMmap) - sizeof(struct perf_event_header); /* the object has a header */

        return fixed + byte_pool_get(&t->pool, object)->size + t->trailer_size;
}

typedef struct Rank {
        uint64_t key; /* the lowest are kept */
        uint32_t index;
} Rank;

static int compare_ranks(const void *a, const void *b) {
        const Rank *x = a, *y = b;

        return x->key < y->key ? -1 : x->key > y->key;
}

/* Code of the program's start comes first, in its order, then other code, then data, the newest of each first. */
static uint64_t sideband_map_rank(const SidebandTable *t, const Map *m) {
        struct perf_event_header h;

        memcpy(&h, byte_pool_get(&t->pool, m->object)->data, sizeof(h));
        if (h.misc & PERF_RECORD_MISC_MMAP_DATA)
                return UINT64_C(2) << 32 | (UINT32_MAX - m->serial);
        return m->serial <= FIRST_KEPT ? m->serial : UINT64_C(1) << 32 | (UINT32_MAX - m->serial);
}

static bool is_turn_of(unsigned pass, uint64_t key, size_t sum, size_t bytes) {
        switch (pass) {
        case 0:
                return key <= FIRST_KEPT && sum <= bytes / 4;
        case 1:
                return key > FIRST_KEPT && key >> 32 < 2;
        default:
                return true;
        }
}

/* The program's start has a quarter of the room for sure. Then comes the newest code, then the rest by rank. */
static size_t sideband_maps_choose(const SidebandTable *t, const MapList *l, const Rank *ranks, size_t bytes, size_t n,
                                   bool *kept) {
        size_t sum = 0, n_kept = 0;

        for (unsigned pass = 0; pass < 3; pass++)
                for (size_t i = 0; i < l->n && n_kept < n; i++) {
                        uint32_t index = ranks[i].index;
                        size_t size = sideband_map_record_size(t, l->maps[index].object);

                        if (kept[index] || sum + size > bytes || !is_turn_of(pass, ranks[i].key, sum + size, bytes))
                                continue;
                        kept[index] = true;
                        sum += size;
                        n_kept++;
                }
        return sum;
}

static int sideband_maps_shrink_to(SidebandTable *t, SidebandMaps *m, size_t bytes, size_t n) {
        size_t before = sideband_maps_size(m), n_before = m->list.n, left;
        _cleanup_free_ Rank *ranks = calloc(n_before + 1, sizeof(*ranks));
        _cleanup_free_ bool *kept = calloc(n_before + 1, sizeof(*kept));

        if (!ranks || !kept)
                return -ENOMEM;
        for (uint32_t i = 0; i < n_before; i++)
                ranks[i] = (Rank) { .key = sideband_map_rank(t, m->list.maps + i), .index = i };
        qsort(ranks, n_before, sizeof(*ranks), compare_ranks);
        left = sideband_maps_choose(t, &m->list, ranks, bytes, n, kept);
        map_list_keep(&m->list, kept);
        m->left_out += n_before - m->list.n;
        t->base_records -= m->refs * (m->bytes - left);
        m->bytes = left;
        t->base_bytes -= before - sideband_maps_size(m);
        t->left_out = true;
        return 0;
}

int sideband_maps_shrink(SidebandTable *t, SidebandMaps *m, size_t bytes) {
        return sideband_maps_shrink_to(t, m, bytes, MAP_LIST_MAX);
}

/* The bytes of the records that the maps [from, to) unfold to. */
static size_t sideband_map_records_size(const SidebandTable *t, const MapList *l, size_t from, size_t to) {
        size_t bytes = 0;

        for (size_t i = from; l->maps && i < to; i++) /* clang's analyzer does not see that to is 0 for an empty list */
                bytes += sideband_map_record_size(t, l->maps[i].object);
        return bytes;
}

int sideband_maps_put(SidebandTable *t, SidebandMaps **m, const Map *map) {
        size_t before, n, from, to, hidden;
        MapList *l;
        int r;

        if (t->base_bytes >= SIDEBAND_BASE_MAX)
                return -ENOSPC;
        r = sideband_maps_own(t, m);
        if (r >= 0 && ((*m)->bytes > t->share || (*m)->list.n + 2 > MAP_LIST_MAX)) /* putting may cut a map in two and add one */
                r = sideband_maps_shrink_to(t, *m, t->share / 4 * 3, MAP_LIST_MAX / 4 * 3);
        if (r < 0)
                return r;
        l = &(*m)->list;
        n = l->n;
        before = sideband_maps_size(*m);
        map_list_hidden(l, map, &from, &to);
        hidden = sideband_map_records_size(t, l, from, to);
        r = map_list_put(l, map);
        if (r >= 0) {
                size_t bytes = (*m)->bytes - hidden + sideband_map_records_size(t, l, from, to + l->n - n);

                t->base_records += bytes - (*m)->bytes;
                (*m)->bytes = bytes;
        }
        t->base_bytes += sideband_maps_size(*m) - before;
        return r;
}

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
        p->alive.n_others = MAX_OF(p->alive.n_others, 1);
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
