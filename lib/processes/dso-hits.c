/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the binaries that have samples. Records are fed in the order of the file, which is only roughly that of time:
 * a sample whose map is not known yet waits, among at most MISSES_MAX, for the ends of two rounds. A stale map only
 * costs a build id too many, so exec does not clear maps, and unmapping is not followed.
 *
 * There are millions of samples, and nearly all hit the same pages as others: fields are read in place by the event's
 * layout, pages and call chains that were looked up lately are not looked up again, and nothing is allocated for a
 * sample. */

#include "array.h"
#include "chain-cursor.h"
#include "dso-table.h"
#include "event-index.h"
#include "hit-cache.h"
#include "map-record.h"
#include "process-rules.h"
#include "process-table.h"
#include "record-cursor.h"
#include "record-layout.h"
#include "record-trailer.h"
#include "sample.h"
#include "sample-layout.h"

#define MISSES_MAX 4096u
#define GENERATED_MAX 1024u

typedef struct Miss {
        uint64_t address, round;
        uint32_t pid;
} Miss;

typedef struct Misses {
        Miss *all;
        size_t n;
} Misses;

/* Processes with samples in memory that is no file's. */
typedef struct Generated {
        uint32_t pids[GENERATED_MAX];
        size_t n;
} Generated;

typedef struct Life {
        uint32_t pid;
        uint64_t begin;
} Life;

#define LIVES_MAX 65536u

/* The last begin of each of some processes. */
typedef struct Lives {
        Life *all;
        size_t n, allocated;
        HashIndex by_pid;
} Lives;

struct DsoHits {
        const PerfDataEvent *events;
        size_t n_events;
        EventIndex *index;
        SampleLayout *layouts; /* of each event */
        int id_word;           /* of a sample; -1: there is one event, or samples have no id */
        uint64_t last_id;      /* of the previous sample, and the layout of its event */
        const SampleLayout *last_layout;
        HitCache cache;
        DsoTable dsos;
        size_t n_refused, refused_until_sweep; /* binaries: a sweep has to be worth it */
        ProcessTable processes;
        uint32_t *order; /* the binaries that were hit, in order of first hit */
        DsoHit *hits;    /* the same as copies, made when asked for; their paths are the table's */
        size_t n_hits, hits_allocated;
        Misses misses;
        Generated generated;
        Lives lives;
        unsigned trailer_time; /* the place of a record's time, from its end */
        uint64_t first_time, last_time; /* of samples */
        bool have_times;
        bool all;
        bool build_ids; /* an event asks the kernel for them */
};

int dso_hits_new(const PerfDataEvent *events, size_t n_events, bool all, DsoHits **ret) {
        _cleanup_dso_hits_free_ DsoHits *h = calloc(1, sizeof(*h));
        int r;

        if (!h)
                return -ENOMEM;
        h->misses.all = calloc(MISSES_MAX, sizeof(*h->misses.all));
        if (!h->misses.all)
                return -ENOMEM;
        r = event_index_new(events, n_events, &h->index);
        if (r < 0)
                return r;
        h->events = events;
        h->n_events = n_events;
        h->all = all;
        h->trailer_time = n_events > 0 ? trailer_places_of(&events->attr).time : 0;
        h->layouts = calloc(n_events + 1, sizeof(*h->layouts));
        if (!h->layouts)
                return -ENOMEM;
        for (size_t i = 0; i < n_events; i++) {
                sample_layout_init(h->layouts + i, &events[i].attr);
                h->build_ids = h->build_ids || events[i].attr.build_id;
        }
        h->id_word = n_events > 1 ? event_index_sample_word(h->index) : -1;
        *ret = steal_ptr(h);
        return 0;
}

DsoHits *dso_hits_free(DsoHits *h) {
        if (!h)
                return NULL;
        event_index_free(h->index);
        hash_index_done(&h->lives.by_pid);
        free(h->lives.all);
        free(h->layouts);
        dso_table_done(&h->dsos);
        process_table_done(&h->processes);
        free(h->order);
        free(h->hits);
        free(h->misses.all);
        free(h);
        return NULL;
}

static int dso_hits_mark(DsoHits *h, uint32_t dso) {
        if (dso == DSO_NONE || h->dsos.hit[dso])
                return 0;
        if (ARRAY_RESERVE(h->order, h->hits_allocated, h->n_hits + 1) < 0)
                return -ENOMEM;
        h->order[h->n_hits++] = dso;
        h->dsos.hit[dso] = true;
        return 0;
}

static void dso_hits_mark_used(const ProcessTable *t, bool *used) {
        for (size_t i = 0; i < t->n; i++) {
                const MapList *maps = &t->processes[i]->maps;

                for (size_t k = 0; k < maps->n; k++)
                        if (maps->maps[k].object != DSO_NONE)
                                used[maps->maps[k].object] = true;
        }
}

/* Drops the older half of the longest lists of maps, and binaries that no list has any more. */
static int dso_hits_make_room(DsoHits *h) {
        _cleanup_free_ bool *used = calloc(h->dsos.n + 1, sizeof(*used));
        int r = used ? process_table_cut(&h->processes) : -ENOMEM;

        if (r < 0)
                return r;
        dso_hits_mark_used(&h->processes, used);
        dso_table_sweep(&h->dsos, used);
        return 0;
}

/* When all binaries are in use, most new ones are refused, and a sweep is tried again after a while. */
static int dso_hits_intern(DsoHits *h, const DsoHit *dso, uint32_t *ret) {
        int r = dso_table_intern(&h->dsos, dso, ret);

        if (r != -ENOSPC || h->n_refused++ < h->refused_until_sweep)
                return r;
        r = dso_hits_make_room(h);
        if (r < 0)
                return r;
        h->n_refused = 0;
        h->refused_until_sweep = (h->dsos.n - h->dsos.n_spare) / 4;
        return dso_table_intern(&h->dsos, dso, ret);
}

static int dso_hits_feed_map(DsoHits *h, const struct perf_event_header *record) {
        uint32_t dso = DSO_NONE;
        Process *p;
        MapRecord m;
        int r = 0;

        if (!map_record_parse(record, h->build_ids, &m))
                return 0;
        if (m.has_file)
                r = dso_hits_intern(h, &m.dso, &dso);
        if (r < 0)
                return r == -ENOSPC ? 0 : r;
        if (h->all || streq(m.dso.path, "[vdso]")) /* there is no file to look at later; perf puts it always */
                r = dso_hits_mark(h, dso);
        if (r < 0)
                return r;
        hit_cache_forget(&h->cache, m.pid);
        r = process_table_get(&h->processes, m.pid, &p);
        if (r >= 0)
                r = map_list_insert(&p->maps, m.start, m.start + m.length, dso);
        if (r >= 0)
                r = process_table_note_maps(&h->processes, 1);
        return r == -ENOSPC ? 0 : r;
}

static uint64_t life_hash_of(const void *owner, uintptr_t entry) {
        return ((const Lives *) owner)->all[entry - 1].pid;
}

static Life *lives_find(const Lives *l, uint32_t pid) {
        uintptr_t found = HASH_INDEX_FIND(&l->by_pid, pid, entry, l->all[entry - 1].pid == pid);

        return found > 0 ? l->all + found - 1 : NULL;
}

static int lives_note(Lives *l, uint32_t pid, uint64_t time) {
        Life *life = lives_find(l, pid);

        if (life) {
                life->begin = MAX_OF(life->begin, time);
                return 0;
        }
        if (l->n >= LIVES_MAX)
                return 0;
        if (ARRAY_RESERVE(l->all, l->allocated, l->n + 1) < 0)
                return -ENOMEM;
        l->all[l->n++] = (Life) { .pid = pid, .begin = time };
        return hash_index_add(&l->by_pid, pid, l->n, life_hash_of, l);
}

uint64_t dso_hits_begun(const DsoHits *h, uint32_t pid) {
        const Life *life = lives_find(&h->lives, pid);

        return life ? life->begin : h->lives.n < LIVES_MAX ? 0 : UINT64_MAX;
}

static int dso_hits_feed_comm(DsoHits *h, const struct perf_event_header *record) {
        const uint64_t *time = record_word_from_end(record, h->trailer_time);
        uint32_t pid;

        if (!record_is_exec(record) || !record_is_whole(record, 0))
                return 0;
        pid = ((const PerfRecordComm *) record)->pid;
        process_table_exec(&h->processes, pid);
        return lives_note(&h->lives, pid, time ? *time : UINT64_MAX);
}

static int dso_hits_feed_fork(DsoHits *h, const struct perf_event_header *record) {
        const PerfRecordTask *task = (const void *) record;
        bool whole = record_is_whole(record, 0);
        int r = whole ? process_table_fork(&h->processes, task) : 0;

        if (r != -ENOMEM && whole && fork_is_of_process(task) && !(record->misc & PERF_RECORD_MISC_FORK_EXEC) &&
            lives_note(&h->lives, task->pid, task->time) < 0)
                return -ENOMEM;
        if (r > 0)
                hit_cache_forget(&h->cache, task->pid);
        return r == -ENOMEM ? r : 0;
}

static int dso_hits_look_up(DsoHits *h, uint32_t pid, uint64_t address, bool *ret_found) {
        const Process *p = process_table_find(&h->processes, pid);
        const Map *m = p ? map_list_find(&p->maps, address) : NULL;

        *ret_found = m;
        if (!m)
                return 0;
        if (pid != MAP_RECORD_KERNEL_PID && h->generated.n < GENERATED_MAX &&
            (m->object == DSO_NONE || map_record_is_memfd(h->dsos.dsos[m->object].path)) &&
            !ANY_OF(h->generated.n, i, h->generated.pids[i] == pid))
                h->generated.pids[h->generated.n++] = pid;
        return dso_hits_mark(h, m->object);
}

/* Looks an address of the process or the kernel up. The record that maps it may still be to come. */
static int dso_hits_hit(DsoHits *h, uint32_t pid, uint64_t address) {
        uint64_t key = hit_cache_page_key(&h->cache, pid, address);
        bool found;
        int r;

        if (hit_cache_has(&h->cache, key))
                return 0;
        r = dso_hits_look_up(h, pid, address, &found);
        if (r < 0)
                return r;
        if (found)
                hit_cache_put(&h->cache, key);
        else if (pid != MAP_RECORD_KERNEL_PID && h->misses.n < MISSES_MAX)
                h->misses.all[h->misses.n++] = (Miss) { .address = address, .pid = pid, .round = h->processes.round };
        return 0;
}

/* Looks misses up again, and gives up those from before this round, unless "keep". */
static int dso_hits_retry_misses(DsoHits *h, bool keep) {
        size_t n = 0;

        for (size_t i = 0; i < h->misses.n; i++) {
                Miss miss = h->misses.all[i];
                bool found;
                int r = dso_hits_look_up(h, miss.pid, miss.address, &found);

                if (r < 0)
                        return r;
                if (!found && (keep || miss.round == h->processes.round))
                        h->misses.all[n++] = miss;
        }
        h->misses.n = n;
        return 0;
}

/* A chain has markers where it passes from the kernel to the process. */
static int dso_hits_look_up_chain(DsoHits *h, uint32_t process, const uint64_t *addresses, size_t n) {
        ChainCursor c = chain_cursor_of(addresses, n);

        while (chain_cursor_next(&c) == 1) {
                uint32_t pid = c.cpumode == PERF_RECORD_MISC_USER ? process : MAP_RECORD_KERNEL_PID;
                uint64_t key = hit_cache_page_key(&h->cache, pid, c.ip);
                bool found;
                int r;

                if (hit_cache_has(&h->cache, key))
                        continue;
                r = dso_hits_look_up(h, pid, c.ip, &found);
                if (r < 0)
                        return r;
                if (found)
                        hit_cache_put(&h->cache, key);
        }
        return 0;
}

static int dso_hits_hit_chain(DsoHits *h, uint32_t pid, const uint64_t *addresses, size_t n) {
        uint64_t key = hit_cache_chain_key(&h->cache, pid, MAP_RECORD_KERNEL_PID, addresses, n);
        int r;

        if (hit_cache_has(&h->cache, key))
                return 0;
        r = dso_hits_look_up_chain(h, pid, addresses, n);
        hit_cache_put(&h->cache, key);
        return r;
}

/* NULL: the event is not known. */
static const SampleLayout *dso_hits_layout_of(DsoHits *h, const struct perf_event_header *record, const uint64_t *words,
                                              size_t n) {
        const PerfDataEvent *e;

        if (h->n_events == 1)
                return h->layouts;
        if (h->last_layout && h->id_word >= 0 && (size_t) h->id_word < n && words[h->id_word] == h->last_id)
                return h->last_layout;
        e = event_index_find(h->index, record);
        if (!e)
                return NULL;
        if (h->id_word >= 0) {
                h->last_id = words[h->id_word];
                h->last_layout = h->layouts + (e - h->events);
        }
        return h->layouts + (e - h->events);
}

static int dso_hits_feed_sample(DsoHits *h, const struct perf_event_header *record) {
        const uint64_t *words = (const uint64_t *) (record + 1);
        size_t n = record->size / sizeof(uint64_t) - 1;
        uint16_t cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
        const SampleLayout *l = dso_hits_layout_of(h, record, words, n);
        const uint64_t *chain;
        PerfSample s;
        uint32_t pid;
        int r = 0;

        if (!l || n < l->words)
                return 0;
        if (l->time >= 0) {
                h->first_time = h->have_times ? MIN_OF(h->first_time, words[l->time]) : words[l->time];
                h->last_time = h->have_times ? MAX_OF(h->last_time, words[l->time]) : words[l->time];
                h->have_times = true;
        }
        if (l->tid < 0)
                return 0;
        memcpy(&pid, words + l->tid, sizeof(pid));
        if (l->ip >= 0 && cpumode == PERF_RECORD_MISC_KERNEL)
                r = dso_hits_hit(h, MAP_RECORD_KERNEL_PID, words[l->ip]);
        else if (l->ip >= 0 && cpumode == PERF_RECORD_MISC_USER)
                r = dso_hits_hit(h, pid, words[l->ip]);
        if (r < 0 || (l->callchain < 0 && !l->callchain_floats))
                return r;
        if (l->callchain_floats) { /* the chain's place depends on the sample's content */
                if (sample_parse(&h->events[l - h->layouts].attr, record, &s) < 0)
                        return 0;
                return dso_hits_hit_chain(h, s.pid, s.callchain, s.n_callchain);
        }
        chain = words + l->callchain;
        return *chain > n - (size_t) l->callchain - 1 ? 0 : dso_hits_hit_chain(h, pid, chain + 1, *chain);
}

int dso_hits_feed(DsoHits *h, const struct perf_event_header *record, size_t size) {
        int r;

        if (size < sizeof(*record) || record->size > size || record->size < sizeof(*record))
                return 0;
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return dso_hits_feed_sample(h, record);
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return dso_hits_feed_map(h, record);
        case PERF_RECORD_COMM:
                return dso_hits_feed_comm(h, record);
        case PERF_RECORD_FORK:
                return dso_hits_feed_fork(h, record);
        case PERF_RECORD_EXIT:
                if (record_is_whole(record, 0))
                        process_table_exit(&h->processes, (const PerfRecordTask *) record);
                return 0;
        case PERF_RECORD_FINISHED_ROUND:
                r = dso_hits_retry_misses(h, false);
                process_table_finish_round(&h->processes);
                return r;
        default:
                return 0;
        }
}

static int dso_hits_feed_whole(const struct perf_event_header *record, void *userdata) {
        return dso_hits_feed(userdata, record, record->size);
}

int dso_hits_feed_segments(DsoHits *h, const struct iovec *segments, size_t n_segments) {
        return record_cursor_each(segments, n_segments, dso_hits_feed_whole, h);
}

int dso_hits_get(DsoHits *h, const DsoHit **ret, size_t *ret_n) {
        int r = dso_hits_retry_misses(h, true);

        if (r < 0)
                return r;
        if (ARRAY_RESIZE(h->hits, h->n_hits + 1) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < h->n_hits; i++)
                h->hits[i] = h->dsos.dsos[h->order[i]];
        *ret = h->hits;
        *ret_n = h->n_hits;
        return 0;
}

size_t dso_hits_mapped(const DsoHits *h, const DsoHit **ret) {
        *ret = h->dsos.dsos;
        return h->dsos.n;
}

int dso_hits_pids(const DsoHits *h, uint32_t **ret, size_t *ret_n) {
        return process_table_pids(&h->processes, ret, ret_n);
}

size_t dso_hits_generated(const DsoHits *h, const uint32_t **ret) {
        *ret = h->generated.pids;
        return h->generated.n;
}

bool dso_hits_times(const DsoHits *h, uint64_t *ret_first, uint64_t *ret_last) {
        if (!h->have_times)
                return false;
        *ret_first = h->first_time;
        *ret_last = h->last_time;
        return true;
}
