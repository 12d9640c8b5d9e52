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

/* Before, the record is taken apart; for a dump it is put together again, byte for byte. The words that differ from record to
 * record stay in the entry, which begins as the record does, so that the layouts of record-layout.h fit it. The rest of the
 * body (a path with its inode and protection, a comm, the links of namespaces) goes to the pool, as do the ids and the CPU of
 * the trailer: thousands of records share them. */
#define WORDS_BEFORE(layout, field) ((offsetof(layout, field) - sizeof(struct perf_event_header)) / sizeof(uint64_t))

/* Words of the body that stay in the entry; 0: the table ignores such records. */
static const uint8_t kept_words[] = {
        [PERF_RECORD_MMAP] = WORDS_BEFORE(PerfRecordMmap, path),
        [PERF_RECORD_MMAP2] = WORDS_BEFORE(PerfRecordMmap2, major),
        [PERF_RECORD_COMM] = WORDS_BEFORE(PerfRecordComm, name),
        [PERF_RECORD_EXIT] = sizeof(PerfRecordTask) / sizeof(uint64_t) - 1,
        [PERF_RECORD_FORK] = sizeof(PerfRecordTask) / sizeof(uint64_t) - 1,
        [PERF_RECORD_NAMESPACES] = WORDS_BEFORE(PerfRecordNamespaces, n),
        [PERF_RECORD_KSYMBOL] = WORDS_BEFORE(PerfRecordKsymbol, name),
        [PERF_RECORD_BPF_EVENT] = sizeof(PerfRecordBpfEvent) / sizeof(uint64_t) - 1,
        [PERF_RECORD_CGROUP] = WORDS_BEFORE(PerfRecordCgroup, path),
        [PERF_RECORD_TEXT_POKE] = WORDS_BEFORE(PerfRecordTextPoke, old_length),
};

static size_t entry_words(const SidebandTable *t, uint32_t type) {
        return kept_words[type] + !!(t->sample_type & PERF_SAMPLE_TID);
}

bool sideband_record_check(const SidebandTable *t, const struct perf_event_header *record) {
        return record->type < ELEMENTSOF(kept_words) && kept_words[record->type] > 0 && record_is_whole(record, t->trailer_size);
}

static size_t body_size(const SidebandTable *t, const struct perf_event_header *record) {
        return record->size - t->trailer_size;
}

static const uint64_t *trailer_of(const SidebandTable *t, const struct perf_event_header *record) {
        return (const uint64_t *) ((const uint8_t *) record + body_size(t, record));
}

uint64_t sideband_record_time(const SidebandTable *t, const struct perf_event_header *record) {
        return sideband_has_times(t) ? *record_word_from_end(record, t->places.time) : 0;
}

/* A mapping's tail begins with type and misc of its record, since the mapping outlives the entry. */
static int intern_tail(SidebandTable *t, const struct perf_event_header *record, uint32_t *ret) {
        size_t begin = sizeof(*record) + kept_words[record->type] * sizeof(uint64_t), size = body_size(t, record) - begin;
        uint8_t bytes[UINT16_MAX + 1] __attribute__((aligned(8)));
        struct perf_event_header h = { .type = record->type, .misc = record->misc };

        *ret = 0;
        if (size == 0)
                return 0;
        if (record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2)
                return byte_pool_intern(&t->pool, (const uint8_t *) record + begin, size, ret);
        memcpy(bytes, &h, sizeof(h));
        memcpy(bytes + sizeof(h), (const uint8_t *) record + begin, size);
        return byte_pool_intern(&t->pool, bytes, sizeof(h) + size, ret);
}

int sideband_entry_new(SidebandTable *t, const struct perf_event_header *record, SidebandEntry **ret) {
        size_t words = kept_words[record->type], all = entry_words(t, record->type);
        /* The pid, tid and time of the trailer stay in the entry. */
        size_t kept = !!(t->sample_type & PERF_SAMPLE_TID) + sideband_has_times(t), n = t->trailer_size / sizeof(uint64_t);
        uint32_t tail, origin = 0;
        SidebandEntry *e;
        int r = intern_tail(t, record, &tail);

        if (r >= 0 && kept < n)
                r = byte_pool_intern(&t->pool, trailer_of(t, record) + kept, (n - kept) * sizeof(uint64_t), &origin);
        if (r < 0)
                return r;
        e = malloc(sizeof(*e) + all * sizeof(uint64_t));
        if (!e)
                return -ENOMEM;
        *e = (SidebandEntry) { .time = sideband_record_time(t, record), .tail = tail, .origin = origin, .header = *record };
        memcpy(e->words, record + 1, words * sizeof(uint64_t));
        if (all > words)
                e->words[words] = *trailer_of(t, record);
        *ret = e;
        return 0;
}

SidebandEntry *sideband_entry_free(SidebandEntry *e) {
        free(e);
        return NULL;
}

size_t sideband_entry_size(const SidebandTable *t, const SidebandEntry *e) {
        return sizeof(*e) + entry_words(t, e->header.type) * sizeof(uint64_t) + SIDEBAND_MALLOC_OVERHEAD;
}

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

static void put_trailer(const SidebandTable *t, const SidebandEntry *like, uint8_t *p) {
        const ByteBlock *origin = like->origin > 0 ? byte_pool_get(&t->pool, like->origin) : NULL;

        if (t->sample_type & PERF_SAMPLE_TID) {
                memcpy(p, like->words + kept_words[like->header.type], sizeof(uint64_t));
                p += sizeof(uint64_t);
        }
        if (sideband_has_times(t)) {
                memcpy(p, &like->time, sizeof(like->time));
                p += sizeof(uint64_t);
        }
        if (origin)
                memcpy(p, origin->data, origin->size);
}

int sideband_record_put(const SidebandTable *t, const void *record, const void *tail, size_t tail_size,
                        const SidebandEntry *like, RecordBuffer *b) {
        struct perf_event_header h = *(const struct perf_event_header *) record;
        size_t fixed = sizeof(h) + kept_words[h.type] * sizeof(uint64_t), start = b->size;
        size_t size = fixed + tail_size + t->trailer_size;
        uint8_t *p = byte_buffer_extend(b, size);
        int r = b->error;

        if (!p) {
                b->size = start;
                b->error = 0;
                return r;
        }
        h.size = (uint16_t) size;
        memcpy(p, record, fixed);
        memcpy(p, &h, sizeof(h));
        if (tail_size > 0)
                memcpy(p + fixed, tail, tail_size);
        if (like)
                put_trailer(t, like, p + size - t->trailer_size);
        return byte_buffer_relieve(b);
}

int sideband_entry_put(const SidebandTable *t, const SidebandEntry *e, bool base, RecordBuffer *b) {
        bool map = e->header.type == PERF_RECORD_MMAP || e->header.type == PERF_RECORD_MMAP2;
        const ByteBlock *tail = e->tail > 0 ? byte_pool_get(&t->pool, e->tail) : NULL;
        size_t skip = map ? sizeof(struct perf_event_header) : 0;

        return sideband_record_put(t, sideband_entry_record(e), tail ? tail->data + skip : NULL, tail ? tail->size - skip : 0,
                                   base ? NULL : e, b);
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
