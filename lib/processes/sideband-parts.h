/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"
#include "byte-pool.h"
#include "map-list.h"
#include "process-rules.h"
#include "record-order.h"
#include "sideband-table.h"

/* The structures of the side band table, and the functions that its files call across files. To fold a log is to make
 * all of it base at once, whatever samples there are. */

typedef struct SidebandProcess SidebandProcess;

/* A record in parts: the words that differ from record to record, and numbers of the pool for bytes that thousands of
 * others have too. */
typedef struct SidebandEntry {
        struct SidebandEntry *next;
        SidebandProcess *process; /* the one that it changes, a reference; NULL: the kernel */
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
        uint64_t left_out;        /* mappings beyond the share, ever */
} SidebandMaps;

typedef struct SidebandThread {
        uint32_t tid;
        uint32_t comm, namespaces; /* numbers of the pool; 0: not known */
} SidebandThread;

/* The state that a child inherits if it is forked at some place in the log. */
typedef struct SidebandState {
        SidebandMaps *maps;       /* a reference; NULL: none */
        uint32_t comm, namespaces;
} SidebandState;

/* Marks on a process, set and used within one call, except that sideband_table_left_out() reads what sideband_table_put()
 * selected. Invariant: no process folds outside of sideband_fold_log(). */
typedef struct SidebandMarks {
        bool selected;    /* is written, or kept */
        bool folds;       /* its log is folded, even if it exited */
        uint32_t present; /* the leader's comm at the end of the log, and … */
        uint64_t begun;   /* … the time of its last FORK or exec in the log */
} SidebandMarks;

/* A process instance: one life of a pid, from its FORK to its EXIT. maps, leader and threads are its base. */
struct SidebandProcess {
        uint32_t pid, ppid;
        SidebandProcess *older;           /* the previous instance of the pid */
        SidebandProcess *previous, *next; /* of all, in the order in which they came */
        SidebandProcess *parent;          /* which its FORK in the log inherits from: a reference, until that is base */
        SidebandProcess *replaced;        /* the previous instance, if its EXIT was lost: a reference, until then */
        SidebandState *then;              /* its state at the place of sideband_separate() in the log; otherwise NULL */
        SidebandMaps *maps;               /* a reference; NULL: none */
        SidebandThread leader;
        SidebandThread *threads;          /* other ones, ascending */
        size_t n_threads, threads_allocated;
        size_t refs;                      /* of entries and other processes; the last one frees a process that exited */
        ProcessThreads alive;             /* at the end of the log */
        size_t log_records;               /* bytes of the records that the log has of it */
        bool based;                       /* it has a state from before the log */
        bool forked;                      /* its FORK is in the log */
        bool standalone;                  /* … and its base has what it inherited, since the parent is gone */
        bool ended;
        bool left_out_reported;           /* sideband_table_take_left_out() returned it */
        SidebandMarks marks;
};

/* The kernel's state: entries by kind and key, such as the address of a symbol. */
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
                SidebandFact *first, *last; /* in the order in which they came */
                size_t n, bytes;            /* of records */
        } kinds[_SIDEBAND_KERNEL_KIND_MAX];
        HashIndex index; /* of facts, by kind and key */
        uint64_t dropped_cgroups;
} SidebandKernel;

/* The entries that are not base yet, in the order of time, each of which has a reference to its process. */
typedef struct SidebandLog {
        SidebandEntry *first, *last;
        size_t bytes;          /* in memory */
        size_t records;        /* bytes of the records */
        size_t kernel_records; /* … of the kernel's */
        size_t excess;         /* … beyond the shares of their processes */
} SidebandLog;

struct SidebandTable {
        uint64_t sample_type;
        size_t trailer_size;
        TrailerPlaces places;           /* in the trailers */
        size_t limit;
        size_t share, total;            /* bytes of records: of one process's base, of the base of all */
        HashIndex by_pid;               /* the newest instance of each pid */
        SidebandProcess *first, *last;
        size_t n_processes, n_ended, n_threads;
        SidebandLog log;
        size_t base_records;            /* bytes of the records that all processes' mappings unfold to */
        bool left_out;                  /* mappings were left out since sideband_table_take_left_out() looked */
        bool kernel_folds;              /* as SidebandMarks has it */
        size_t base_bytes;              /* of processes, threads, mappings and the kernel's */
        SidebandKernel kernel;
        RecordOrder queue;              /* records that wait for the end of their round */
        BytePool pool;
        size_t pool_swept;              /* its size after the last sweep */
        uint64_t exit_time;             /* ns for which a task may be sampled after its EXIT */
};

#define SIDEBAND_EXIT_TIME UINT64_C(1000000000)

#define SIDEBAND_PROCESSES_MAX ((size_t) 1 << 18)
#define SIDEBAND_THREADS_MAX   ((size_t) 1 << 19)
#define SIDEBAND_BASE_MAX      ((size_t) 512 * 1024 * 1024)
#define SIDEBAND_MALLOC_OVERHEAD 16u /* counted for each block */

static inline bool sideband_has_times(const SidebandTable *t) {
        return t->sample_type & PERF_SAMPLE_TIME;
}

/* sideband-apply.c: records and entries */

/* True if the record is one of the table's, and whole. */
bool sideband_record_check(const SidebandTable *t, const struct perf_event_header *record);
uint64_t sideband_record_time(const SidebandTable *t, const struct perf_event_header *record);
int sideband_entry_new(SidebandTable *t, const struct perf_event_header *record, SidebandEntry **ret);
SidebandEntry *sideband_entry_free(SidebandEntry *e);
DEFINE_CLEANUP(SidebandEntry *, sideband_entry_free);
size_t sideband_entry_size(const SidebandTable *t, const SidebandEntry *e); /* bytes allocated for it */
/* Puts the record together again; base: with time 0 and without ids. */
int sideband_entry_put(const SidebandTable *t, const SidebandEntry *e, bool base, RecordBuffer *b);
/* The record in its layout of record-layout.h, of which only the fields before the tail are there. */
static inline const void *sideband_entry_record(const SidebandEntry *e) {
        return (const uint8_t *) e + offsetof(SidebandEntry, header);
}
static inline uint32_t sideband_entry_pid(const SidebandEntry *e) {
        return record_pid(sideband_entry_record(e));
}
/* The thread of a COMM or NAMESPACES. */
static inline uint32_t sideband_entry_tid(const SidebandEntry *e) {
        return ((const PerfRecordComm *) sideband_entry_record(e))->tid;
}
/* True if it is the FORK that its process began with. */
static inline bool sideband_entry_begins(const SidebandEntry *e) {
        return e->header.type == PERF_RECORD_FORK && task_is_leader(sideband_entry_record(e));
}
/* Puts a record with the begin of "record", that tail, and the trailer of "like" (NULL: zeros). */
int sideband_record_put(const SidebandTable *t, const void *record, const void *tail, size_t tail_size,
                        const SidebandEntry *like, RecordBuffer *b);

/* sideband-process.c: process instances and their mappings */

SidebandProcess *sideband_process_find(const SidebandTable *t, uint32_t pid); /* the newest with that pid; NULL: none */
/* 0, -ENOSPC (there are too many), -ENOMEM. */
int sideband_process_add(SidebandTable *t, uint32_t pid, SidebandProcess **ret);
SidebandProcess *sideband_process_ref(SidebandProcess *p);
SidebandProcess *sideband_process_unref(SidebandTable *t, SidebandProcess *p); /* returns NULL */
void sideband_process_drop(SidebandTable *t, SidebandProcess *p);              /* at once, if nothing refers to it */
void sideband_process_end(SidebandTable *t, SidebandProcess *p);
void sideband_process_revive(SidebandTable *t, SidebandProcess *p);
void sideband_process_forget_fork(SidebandTable *t, SidebandProcess *p); /* its FORK became base, or it stands alone */
void sideband_process_clear(SidebandTable *t, SidebandProcess *p);     /* drops mappings and other threads of its base */
void sideband_process_inherit(SidebandTable *t, SidebandProcess *p, const SidebandState *parent);
SidebandState sideband_process_state(const SidebandProcess *p, uint32_t tid); /* of its base, without a reference */
/* Finds a thread of the base, or adds it. 0, -ENOSPC (there are too many), -ENOMEM. */
int sideband_process_get_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid, bool *ret_new, SidebandThread **ret);
SidebandThread *sideband_process_find_thread(SidebandProcess *p, uint32_t tid);
void sideband_process_remove_thread(SidebandTable *t, SidebandProcess *p, uint32_t tid);
SidebandMaps *sideband_maps_ref(SidebandTable *t, SidebandMaps *m); /* NULL is none */
SidebandMaps *sideband_maps_unref(SidebandTable *t, SidebandMaps *m); /* returns NULL */
int sideband_maps_put(SidebandTable *t, SidebandMaps **m, const Map *map); /* *m is no longer shared then */
/* Leaves out mappings until the records of the rest have no more than so many bytes, for all processes that share the
 * list. 0 or -ENOMEM. */
int sideband_maps_shrink(SidebandTable *t, SidebandMaps *m, size_t bytes);
void sideband_processes_done(SidebandTable *t);

/* sideband-apply.c, too: records change the table */

/* Gives the entry, which is the newest of the log, to its process. 0, -ENODATA (it changes nothing), -ENOMEM. */
int sideband_enter(SidebandTable *t, SidebandEntry *e);
Map sideband_entry_map(const SidebandEntry *e); /* of MMAP and MMAP2 */
/* Changes the base as the entry says. The kernel's state keeps some entries: then *e is NULL. */
int sideband_apply(SidebandTable *t, SidebandEntry **e);
/* The same for a synthesized entry, which never was in the log. */
int sideband_apply_base(SidebandTable *t, SidebandEntry **e);

/* sideband-kernel.c */

int sideband_kernel_apply(SidebandTable *t, SidebandEntry **e);
int sideband_kernel_put(const SidebandTable *t, const SidebandSamples *samples, RecordBuffer *b);
/* The same as sideband_table_keep_cgroups(), but what is dropped stays in the pool. */
void sideband_kernel_keep_cgroups(SidebandTable *t, const uint64_t *cgroups, size_t n, SidebandCgroupExists *exists,
                                  void *userdata);
void sideband_kernel_mark(SidebandTable *t);
void sideband_kernel_done(SidebandTable *t);

/* sideband-forget.c */

/* The first entry of the log becomes base. */
int sideband_forget_first(SidebandTable *t);
/* Frees the pool's unused bytes if there may be enough of them. */
void sideband_sweep_pool(SidebandTable *t);
/* The log of processes, and of the kernel, that has more than so many bytes of records becomes base, except for EXITs
 * of processes that exited. */
int sideband_fold_log(SidebandTable *t, size_t records);

/* Counts an entry that enters the log, or leaves it. */
void sideband_log_count(SidebandTable *t, const SidebandEntry *e, bool enters);
/* Processes with more than a fair part of the base, or of the log, give way until the limits hold. */
int sideband_share_base(SidebandTable *t);
int sideband_share_log(SidebandTable *t);
