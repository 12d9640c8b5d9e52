/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/uio.h>
#include "cleanup.h"
#include "record.h"

/* The side band in memory: all that a dump needs to resolve the samples that are still in memory, and no more.
 *
 * A sample has a pid and addresses. The kernel reports how processes change, not how they are, and a sample has to be
 * resolved by what was true at its own time. So the table has two parts. The base is the state of each process, and of
 * the kernel, at the time of the oldest sample in memory. The log is every record since then, as it came, with its
 * time and ids. Samples are overwritten all the time, but the table does not follow that: only when a sweep calls
 * sideband_table_forget_before() are the oldest records of the log applied to the base and freed.
 *
 * The records are those of linux/perf_event.h: MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP,
 * TEXT_POKE. The table ignores others, broken ones, and those of process 0, which stands for all processes outside of
 * our PID namespace. Records with time 0, as perf synthesizes them, change the base at once, in the order in which
 * they are fed. So does CGROUP, since the kernel uses no id of a control group twice: its name is right for samples of any
 * time. If trailers have no time at all, so do all records, and processes that exited stay until sideband_table_keep_only().
 *
 * Memory is limited, and so are the bytes of the records that the table unfolds to. A process has a share of the base,
 * and a limited number of mappings; beyond these, some of its mappings are left out. It has as large a share of the
 * log, and so has the kernel; records beyond it become base early, so that older samples are resolved by what was true
 * later.
 * Base and log of all processes have limits too, beyond which the largest processes give way. If that is not enough,
 * the oldest records of the log become base. Processes and threads beyond the largest numbers are ignored. Units and users
 * with the most control groups lose the oldest names of these.
 *
 * A failure is -ENOMEM, and leaves the table as it was or with fewer records waiting. The table is for one thread at a
 * time. */
typedef struct SidebandTable SidebandTable;

#define SIDEBAND_TABLE_LIMIT ((size_t) 128 * 1024 * 1024) /* bytes of the log, in memory and of records; a quarter: of the queue */
#define SIDEBAND_TABLE_SHARE ((size_t) 2 * 1024 * 1024)   /* bytes of records of a process's mappings, by default */
#define SIDEBAND_TABLE_TOTAL ((size_t) 24 * 1024 * 1024)  /* … of all processes' mappings, by default */
#define SIDEBAND_TABLE_EACH ((size_t) 8 * 1024)           /* … which grows to this for each process … */
#define SIDEBAND_TABLE_TOTAL_FACTOR 10u                   /* … up to so many times the total */

/* sample_type tells the fields of the records' trailers (sample_id_all); 0: they have none. */
int sideband_table_new(uint64_t sample_type, SidebandTable **ret);
SidebandTable *sideband_table_free(SidebandTable *t);
DEFINE_CLEANUP(SidebandTable *, sideband_table_free);
#define _cleanup_sideband_table_free_ _cleanup_(sideband_table_freep)

/* The limit of all processes' mappings, in bytes of records, if there are so many processes. */
static inline size_t sideband_total_of(size_t total, size_t n_processes) {
        size_t each = MIN_OF(n_processes * SIDEBAND_TABLE_EACH, SIDEBAND_TABLE_TOTAL_FACTOR * total);

        return MAX_OF(total, each);
}

/* A process of which mappings were left out. */
typedef struct SidebandLeftOut {
        uint32_t pid;
        const char *name;  /* "": not known. Valid until the next call for the table */
        uint64_t left_out; /* mappings */
} SidebandLeftOut;

/* Returns true and such a process, each once, or false. */
bool sideband_table_take_left_out(SidebandTable *t, SidebandLeftOut *ret);

/* The caller left out so many mappings of the process itself. */
void sideband_table_leave_out(SidebandTable *t, uint32_t pid, uint64_t n);

/* The number of mappings that were left out of the processes that the last sideband_table_put() wrote, and of these
 * processes. */
void sideband_table_left_out(const SidebandTable *t, uint64_t *ret_mappings, size_t *ret_processes);

/* Copies a record, of which size bytes are readable. Within a round, records come in any order. 0 or -ENOMEM. */
int sideband_table_feed(SidebandTable *t, const struct perf_event_header *record, size_t size);

/* Feeds records that follow each other in memory, as in a ring, with or without samples among them. 0, -ENOMEM,
 * -EBADMSG (at some place there is no record; those before it were fed). */
int sideband_table_feed_segments(SidebandTable *t, const struct iovec *segments, size_t n_segments);

/* Ends a round, in which all rings were read once: records that are not newer than the newest one at the end of the
 * previous round enter the log in the order of time, as readers of perf.data do at FINISHED_ROUND. all: all records
 * do, which is right when no older one can come any more. sideband_table_put() needs no round before: it writes all
 * that was fed. */
int sideband_table_round(SidebandTable *t, bool all);

/* Older records of the log become base, since no sample that matters is older than that (ns of the samples' clock).
 * Processes that exited a second before are dropped: the kernel samples a task for a short while after its EXIT. */
int sideband_table_forget_before(SidebandTable *t, uint64_t oldest);

/* Only these pids (ascending) have samples: other processes are dropped if they exited, and otherwise their log
 * becomes base. Processes that inherited mappings from a dropped one keep them. To be called when
 * sideband_table_memory() has grown much. */
int sideband_table_keep_only(SidebandTable *t, const uint32_t *pids, size_t n);

/* Returns true if that control group exists. path: below the root of the hierarchy, as the kernel has it. */
typedef bool SidebandCgroupExists(void *userdata, uint64_t id, const char *path);

/* Only these control groups (ids, ascending) have samples: the names of others are dropped if the previous call found that they
 * do not exist any more. Those that are found now may have samples that are not read yet. */
void sideband_table_keep_cgroups(SidebandTable *t, const uint64_t *cgroups, size_t n, SidebandCgroupExists *exists,
                                void *userdata);

/* Returns the number of these control groups that the table has no name of. */
size_t sideband_table_nameless(const SidebandTable *t, const uint64_t *cgroups, size_t n);

/* Returns the number of names of control groups that were ever dropped because there were too many. */
uint64_t sideband_table_n_dropped_cgroups(const SidebandTable *t);

/* The processes and control groups that samples have, both ascending. NULL: not known, so all. */
typedef struct SidebandSamples {
        const uint32_t *pids;
        size_t n_pids;
        const uint64_t *cgroups; /* ids */
        size_t n_cgroups;
        uint64_t since;          /* only records of the log and of the queue that are newer, without a base; 0: all … */
        uint64_t until;          /* … and none that are newer than this; 0: all. ns of the samples' clock */
} SidebandSamples;

/* Appends the base (with time 0 and ids 0: the kernel, then for each process FORK, NAMESPACES, COMM, MMAP2, its threads), then
 * the log, then the records that wait for their round, both in the order of time. samples: only their processes and control
 * groups, the processes whose mappings these inherited, the control group "/", the rest of the kernel's state, and all that
 * waits, of that time; NULL: all. A new table that is fed all this is equal to this one. On failure (-ENOMEM; -E2BIG: more than a
 * buffer without a drain holds; an error of the drain) the buffer keeps nothing of it. */
int sideband_table_put(SidebandTable *t, const SidebandSamples *samples, RecordBuffer *b);

/* A process that lives, with its name. */
typedef struct SidebandSeen {
        uint32_t pid;
        const char *name;
        bool known;     /* by the table, as one that lives */
        bool stale;     /* records of it may be missing … */
        uint64_t since; /* … from that time on */
} SidebandSeen;

/* Finds out of which of these processes the table may lack records since that time (ns of the samples' clock), when some were
 * lost: those that it does not know, or by another name, and those that began or called exec since then. All records
 * should have left the queue. Of a stale process, FORK and what follows it, with that time, replace what the table has. */
void sideband_table_find_stale(const SidebandTable *t, uint64_t since, SidebandSeen *seen, size_t n);

/* The time of the newest record ever fed. 0: none had a time. */
uint64_t sideband_table_newest(const SidebandTable *t);

size_t sideband_table_memory(const SidebandTable *t); /* bytes allocated for all of it */
