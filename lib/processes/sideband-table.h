/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/uio.h>
#include "cleanup.h"
#include "record.h"

/* What the side band says of processes and of the kernel, in memory: what samples that are still somewhere may need to be
 * resolved, and no more. Of each process there is its state at the time of the oldest such sample (the base), and every
 * record since, as it came, with its time and ids (the log); so a sample is resolved by what was true at its own time.
 *
 * Records are those of linux/perf_event.h: MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP, TEXT_POKE.
 * Others are ignored, and so are broken ones, and what the kernel tells of process 0: who is outside of our PID namespace.
 * Records with time 0 (synthesized, perf's way) belong to the base and count at
 * once, in the order they are fed; if the trailers have no time at all, that goes for all, and processes that ended stay
 * until sideband_table_keep_ended().
 *
 * Nothing here grows without a limit, in memory or in bytes of the records that it unfolds to. A process has a share of the
 * base (and a limited number of mappings), and as much of the log: of the mappings beyond it some are left out, and the log
 * beyond it becomes base early, so that older samples of this process are resolved by what was true later. The base of all
 * has a limit, beyond which the largest processes give way. So has the log: there too the largest give way, and if that is not
 * enough the oldest of the log becomes base as if sideband_table_forget_before() had been called. Processes and threads are
 * limited in number, and what would be more is ignored. A failure is -ENOMEM, and leaves the table as it was or with fewer
 * records waiting. One thread at a time. */
typedef struct SidebandTable SidebandTable;

#define SIDEBAND_TABLE_LIMIT ((size_t) 128 * 1024 * 1024) /* bytes, by default */
#define SIDEBAND_TABLE_SHARE ((size_t) 2 * 1024 * 1024)   /* bytes of records of a process's mappings, by default */
#define SIDEBAND_TABLE_TOTAL ((size_t) 24 * 1024 * 1024)  /* … of all processes' mappings, by default */
#define SIDEBAND_TABLE_EACH ((size_t) 8 * 1024)           /* … what that is in a machine of many processes … */
#define SIDEBAND_TABLE_TOTAL_FACTOR 10u                   /* … up to so many times the total */

/* sample_type: of the trailers of the records (sample_id_all); 0: they have none. */
int sideband_table_new(uint64_t sample_type, SidebandTable **ret);
SidebandTable *sideband_table_free(SidebandTable *t);
DEFINE_CLEANUP(SidebandTable *, sideband_table_free);
#define _cleanup_sideband_table_free_ _cleanup_(sideband_table_freep)

/* The total for so many processes. */
static inline size_t sideband_total_of(size_t total, size_t n_processes) {
        size_t each = MIN_OF(n_processes * SIDEBAND_TABLE_EACH, SIDEBAND_TABLE_TOTAL_FACTOR * total);

        return MAX_OF(total, each);
}

/* A process that has more mappings than its share, or more than was fair. */
typedef struct SidebandCut {
        uint32_t pid;
        const char *name;  /* "" : not known. Valid until the next call for the table */
        uint64_t left_out; /* mappings */
} SidebandCut;

/* One that was not answered before. */
bool sideband_table_take_cut(SidebandTable *t, SidebandCut *ret);

/* So many mappings of the process were left out before they came here. */
void sideband_table_leave_out(SidebandTable *t, uint32_t pid, uint64_t n);

/* How many mappings were left out of the processes that the last sideband_table_put() wrote, and of how many of them. */
void sideband_table_left_out(const SidebandTable *t, uint64_t *ret_mappings, size_t *ret_processes);

/* Takes a copy of a record, of which size bytes are readable. In any order within a round. 0 or -ENOMEM. */
int sideband_table_feed(SidebandTable *t, const struct perf_event_header *record, size_t size);

/* Records that follow each other in memory, as a ring has them, samples among them or not. 0, -ENOMEM, -EBADMSG (what is
 * there is no record; those before it were fed). */
int sideband_table_feed_segments(SidebandTable *t, const struct iovec *segments, size_t n_segments);

/* All rings were read once: what is not newer than the newest record that was there at the end of the round before is put
 * in the order of time and enters the log, as readers do at FINISHED_ROUND. all: everything does, which is right when
 * nothing older can come any more. There is no need for that before sideband_table_put(), which has all that was fed. */
int sideband_table_round(SidebandTable *t, bool all);

/* No sample that matters is older than that (ns of the samples' clock): what the log says of before becomes base, and what
 * ended a second before is forgotten (a task that told its end is sampled for a little while yet). */
int sideband_table_forget_before(SidebandTable *t, uint64_t oldest);

/* There are samples of these pids (ascending) alone: of the processes that ended the others are forgotten, of those that
 * live the others' log becomes base. For the sweep when sideband_table_n_ended() or sideband_table_memory() has doubled.
 * Processes that inherited mappings from another one keep what they inherited. */
int sideband_table_keep_ended(SidebandTable *t, const uint32_t *pids, size_t n);

/* Appends the base (time 0 and ids 0: kernel, then of each process FORK, NAMESPACES, COMM, MMAP2, its threads), then the
 * log, then what waits for its round, both in the order of time. pids (ascending): of these processes, those whose mappings
 * they inherited, and the kernel; NULL: all. Feeding all that to a new table gives the same table. On failure (-ENOMEM,
 * -E2BIG: more than a buffer without a drain holds; what the drain answers) the buffer has nothing of it that was not
 * handed on. */
int sideband_table_put(const SidebandTable *t, const uint32_t *pids, size_t n, RecordBuffer *b);

size_t sideband_table_memory(const SidebandTable *t); /* bytes allocated for all of it */
size_t sideband_table_n_live(const SidebandTable *t);
size_t sideband_table_n_ended(const SidebandTable *t); /* processes that ended and are still kept */
