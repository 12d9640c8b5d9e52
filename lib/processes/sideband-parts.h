/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"
#include "byte-pool.h"
#include "map-list.h"
#include "process-rules.h"
#include "sideband-table.h"

/* What the files of the table share. */

typedef struct SidebandProcess SidebandProcess;

/* A record in parts: what is its own, and what thousands of others have too, as numbers of the pool. */
typedef struct SidebandEntry {
        struct SidebandEntry *next;
        SidebandProcess *process; /* whose state it changes, a reference; NULL: the kernel's */
        uint64_t time;
        uint32_t tail;            /* of the body: a file and its inode, a comm, …; 0: none */
        uint32_t origin;          /* of the trailer: ids and CPU; 0: none */
        struct perf_event_header header; /* the record's; with the words it is the begin of its layout, see below */
        uint64_t words[];         /* the body's first ones, and of the trailer pid and tid, if it has them */
} SidebandEntry;

static_assert(offsetof(SidebandEntry, words) == offsetof(SidebandEntry, header) + sizeof(struct perf_event_header),
              "an entry's words follow its header as a record's do");

/* Mappings that processes share until one of them changes its own. */
typedef struct SidebandMaps {
        size_t refs;
        MapList list;             /* objects: numbers of the pool, of header (type and misc) and tail of the record */
        size_t bytes;             /* of the records that say all that, once */
        uint64_t left_out;        /* mappings beyond the share, since the program began */
} SidebandMaps;

typedef struct SidebandThread {
        uint32_t tid;
        uint32_t comm, namespaces; /* numbers of the pool; 0: not known */
} SidebandThread;

/* What a process that is forked now would inherit, at some place in the log. */
typedef struct SidebandState {
        SidebandMaps *maps;       /* a reference; NULL: none */
        uint32_t comm, namespaces;
} SidebandState;

/* One life of a pid. maps, leader and threads are its base. */
struct SidebandProcess {
        uint32_t pid, ppid;
        SidebandProcess *older;           /* the life of the pid before this one */
        SidebandProcess *previous, *next; /* of all, in the order they came */
        SidebandProcess *parent;          /* which its FORK in the log inherits from: a reference, until that is base */
        SidebandProcess *replaced;        /* who had the pid before, and no end: a reference, until then */
        SidebandState *then;              /* while sideband_table_keep_ended() goes through the log; else NULL */
        SidebandMaps *maps;               /* a reference; NULL: none */
        SidebandThread leader;
        SidebandThread *threads;          /* other ones, ascending */
        size_t n_threads, threads_allocated;
        size_t refs;                      /* of entries and other processes; who ended goes with the last one */
        size_t n_others;                  /* threads that live at the end of the log, the leader aside */
        size_t log_records;               /* bytes of the records that the log has of it */
        bool based;                       /* there is state from before the log */
        bool forked;                      /* its FORK is in the log */
        bool standalone;                  /* … and what it inherited is in its base, since the parent went */
        bool leader_exited, ended;
        bool selected;                    /* to be written, or kept: of one call */
        bool folds;                       /* its log becomes base, whether it ended or not: of one call */
        bool cut_told;                    /* sideband_table_take_cut() had it */
};

/* The kernel's state: entries by kind, each once by what tells it apart. */
typedef enum SidebandKernelKind {
        SIDEBAND_KERNEL_MAP,
        SIDEBAND_KERNEL_SYMBOL,
        SIDEBAND_KERNEL_BPF,
        SIDEBAND_KERNEL_POKE,
        SIDEBAND_KERNEL_CGROUP,
        _SIDEBAND_KERNEL_KIND_MAX,
} SidebandKernelKind;

typedef struct SidebandFact SidebandFact;

typedef struct SidebandKernel {
        struct {
                SidebandFact *first, *last; /* in the order they came */
                size_t n, bytes;            /* of records */
        } kinds[_SIDEBAND_KERNEL_KIND_MAX];
        HashIndex index; /* of facts, by kind and key */
} SidebandKernel;

/* What waits for its round: records as they came, and where they are. */
typedef struct SidebandQueueItem {
        uint64_t time;
        size_t offset;
} SidebandQueueItem;

typedef struct SidebandQueue {
        uint8_t *bytes;
        size_t size, bytes_allocated;
        SidebandQueueItem *items;
        size_t n, items_allocated;
        uint64_t newest, newest_before; /* time: of all, of all when the last round ended */
} SidebandQueue;

struct SidebandTable {
        uint64_t sample_type;
        size_t trailer_size;
        TrailerPlaces places;           /* in the trailers */
        size_t limit;
        size_t share, total;            /* bytes of records: of one process's base, of the base of all */
        HashIndex by_pid;               /* the newest life of each pid */
        SidebandProcess *first, *last;
        size_t n_processes, n_ended, n_threads;
        SidebandEntry *log, *log_last;
        size_t log_bytes;
        size_t log_records;             /* bytes of the log's records */
        size_t kernel_log_records;      /* … of those that are no process's */
        size_t log_excess;              /* … that are beyond the share of whose they are */
        size_t base_records;            /* bytes of the records that say all processes' mappings */
        bool cut;                       /* something was, which sideband_table_take_cut() has not looked for */
        bool kernel_folds;              /* of one call */
        size_t base_bytes;              /* of processes, threads, mappings and the kernel's */
        SidebandKernel kernel;
        SidebandQueue queue;
        BytePool pool;
        size_t pool_swept;              /* its size after the last sweep */
        uint64_t exit_time;             /* ns that a task may go on with its pid after it told its end */
};

#define SIDEBAND_EXIT_TIME UINT64_C(1000000000)

#define SIDEBAND_PROCESSES_MAX ((size_t) 1 << 18)
#define SIDEBAND_THREADS_MAX   ((size_t) 1 << 19)
#define SIDEBAND_BASE_MAX      ((size_t) 512 * 1024 * 1024)
#define SIDEBAND_MALLOC_OVERHEAD 16u /* counted for each block */

static inline bool sideband_has_times(const SidebandTable *t) {
        return t->sample_type & PERF_SAMPLE_TIME;
}

/* sideband-entry.c: records and entries */

/* Whether the record is one of ours, and whole. */
bool sideband_record_check(const SidebandTable *t, const struct perf_event_header *record);
uint64_t sideband_record_time(const SidebandTable *t, const struct perf_event_header *record);
int sideband_entry_new(SidebandTable *t, const struct perf_event_header *record, SidebandEntry **ret);
SidebandEntry *sideband_entry_free(SidebandEntry *e);
DEFINE_CLEANUP(SidebandEntry *, sideband_entry_free);
size_t sideband_entry_size(const SidebandTable *t, const SidebandEntry *e); /* bytes allocated for it */
/* The record again; with time 0 and without ids, if "base". */
int sideband_entry_put(const SidebandTable *t, const SidebandEntry *e, bool base, RecordBuffer *b);
bool sideband_entry_is_kernel(const SidebandEntry *e);
/* A record of its layout of record-layout.h, whose fields up to those in the tail are there. */
static inline const void *sideband_entry_record(const SidebandEntry *e) {
        return (const uint8_t *) e + offsetof(SidebandEntry, header);
}
static inline uint32_t sideband_entry_pid(const SidebandEntry *e) {
        return record_pid(sideband_entry_record(e));
}
/* Of COMM and NAMESPACES. */
static inline uint32_t sideband_entry_tid(const SidebandEntry *e) {
        return ((const PerfRecordComm *) sideband_entry_record(e))->tid;
}
/* True if it is the FORK that its process began with. */
static inline bool sideband_entry_begins(const SidebandEntry *e) {
        return e->header.type == PERF_RECORD_FORK && task_is_leader(sideband_entry_record(e));
}
/* A record with the begin of "record" and that tail, which says the same of time and place as "like" (NULL: time 0). */
int sideband_record_put(const SidebandTable *t, const void *record, const void *tail, size_t tail_size,
                        const SidebandEntry *like, RecordBuffer *b);

/* sideband-process.c: lives */

SidebandProcess *sideband_process_find(const SidebandTable *t, uint32_t pid); /* the newest with that pid; NULL: none */
/* -ENOSPC: there are too many. */
int sideband_process_add(SidebandTable *t, uint32_t pid, SidebandProcess **ret);
SidebandProcess *sideband_process_ref(SidebandProcess *p);
SidebandProcess *sideband_process_unref(SidebandTable *t, SidebandProcess *p); /* answers NULL */
void sideband_process_drop(SidebandTable *t, SidebandProcess *p);              /* at once, if nothing refers to it */
void sideband_process_end(SidebandTable *t, SidebandProcess *p);
void sideband_process_revive(SidebandTable *t, SidebandProcess *p);
void sideband_process_forget_fork(SidebandTable *t, SidebandProcess *p); /* its FORK is base, or it is standalone */
void sideband_process_clear(SidebandTable *t, SidebandProcess *p);     /* mappings and other threads of its base */
void sideband_process_inherit(SidebandTable *t, SidebandProcess *p, const SidebandState *parent);
SidebandState sideband_process_state(const SidebandProcess *p, uint32_t tid); /* the base's; it takes no reference */
/* A thread of the base, added if it is new. -ENOSPC: there are too many; -ENOMEM. */
int sideband_process_get_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid, bool *ret_new, SidebandThread **ret);
SidebandThread *sideband_process_find_thread(SidebandProcess *p, uint32_t tid);
void sideband_process_remove_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid);
SidebandMaps *sideband_maps_ref(SidebandTable *t, SidebandMaps *m); /* NULL is none */
SidebandMaps *sideband_maps_unref(SidebandTable *t, SidebandMaps *m); /* answers NULL */
int sideband_maps_put(SidebandTable *t, SidebandMaps **m, const Map *map); /* *m becomes its owner's alone */
/* Leaves out what is more than so many bytes of records, for all who share it. 0 or -ENOMEM. */
int sideband_maps_cut(SidebandTable *t, SidebandMaps *m, size_t bytes);
void sideband_processes_done(SidebandTable *t);

/* sideband-apply.c: what a record changes */

/* Finds whose it is, and how many live: the entry is the log's newest. -ENODATA: it says nothing. */
int sideband_enter(SidebandTable *t, SidebandEntry *e);
Map sideband_entry_map(const SidebandEntry *e); /* of MMAP and MMAP2 */
/* Base is what it says from now on. The entry may be taken: then *e is NULL. */
int sideband_apply(SidebandTable *t, SidebandEntry **e);
/* The same for a synthesized one, which the log does not have. */
int sideband_apply_base(SidebandTable *t, SidebandEntry **e);

/* sideband-kernel.c */

int sideband_kernel_apply(SidebandTable *t, SidebandEntry **e);
int sideband_kernel_put(const SidebandTable *t, RecordBuffer *b);
void sideband_kernel_mark(SidebandTable *t);
void sideband_kernel_done(SidebandTable *t);

/* sideband-queue.c */

int sideband_queue_add(SidebandQueue *q, const struct perf_event_header *record, uint64_t time);
void sideband_queue_sort(SidebandQueue *q);
void sideband_queue_drop(SidebandQueue *q, size_t n); /* the first n items */
size_t sideband_queue_bytes(const SidebandQueue *q);
void sideband_queue_done(SidebandQueue *q);

/* sideband-forget.c */

/* Takes the log's first into the base. */
int sideband_forget_first(SidebandTable *t);
/* Removes from the pool what nobody uses, now and then. */
void sideband_sweep(SidebandTable *t);
/* The log of those processes that have more than that of it, and the kernel's if it does, becomes base; the ends of those that
 * ended stay. */
int sideband_fold_log(SidebandTable *t, size_t records);

/* sideband-share.c */

/* The entry enters the log, or leaves it. */
void sideband_log_count(SidebandTable *t, const SidebandEntry *e, bool enters);
/* Whoever has more of base or log than is fair gives way, as far as the limits want it. */
int sideband_share_base(SidebandTable *t);
int sideband_share_log(SidebandTable *t);
