/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "build-id.h"
#include "feature.h"
#include "header.h"

/* Which binaries the samples of a recording fell into: a small model of processes and their maps that is fed the records
 * in file order, to know whose build ids the file needs. Samples that precede their map in the file (another CPU's
 * buffer) are looked up once more at the end. */
typedef struct DsoHits DsoHits;

typedef struct DsoHit {
        const char *path;   /* as mapped: "/usr/lib/…", "[kernel.kallsyms]", "[vdso]", "/lib/modules/…/x.ko" or "[x]" */
        uint16_t cpumode;   /* PERF_RECORD_MISC_KERNEL or _USER */
        uint32_t pid;       /* the last process that mapped it; -1 for the kernel's */
        uint32_t major, minor; /* of MMAP2; 0: not known */
        uint64_t inode, generation; /* of the inode number, which is given again; 0: not known, as of what was mapped before */
        BuildId id;         /* from a MMAP2 that carries one; size 0: none */
} DsoHit;

/* The events must outlive it. */
int dso_hits_new(const PerfDataEvent *events, size_t n_events, DsoHits **ret);
DsoHits *dso_hits_free(DsoHits *h);
DEFINE_CLEANUP(DsoHits *, dso_hits_free);
#define _cleanup_dso_hits_free_ _cleanup_(dso_hits_freep)

/* One record; size bytes are readable, record->size of them count. Records of no interest and broken ones are ignored.
 * 0 or -ENOMEM. */
int dso_hits_feed(DsoHits *h, const struct perf_event_header *record, size_t size);

/* Records of a file from *offset on, which moves behind them, until wanted is reached; end is where the last one ends. 0,
 * -ENOMEM, -EBADMSG (what is there is no record; those before it were fed), what pread(2) answers. */
int dso_hits_scan(DsoHits *h, int fd, uint64_t *offset, uint64_t wanted, uint64_t end);

/* Records that follow each other in memory, one perhaps from the end of a segment to the begin of the next one, as a ring
 * has them. 0, -ENOMEM, -EBADMSG (what is there is no record; those before it were fed). */
int dso_hits_feed_segments(DsoHits *h, const struct iovec *segments, size_t n_segments);

/* Every binary that is mapped counts as hit, as perf record --buildid-all. Before the first record. */
void dso_hits_set_all(DsoHits *h, bool all);

/* What was hit, in order of first hit. Stays the table's, until the next call. 0 or -ENOMEM. */
int dso_hits_get(DsoHits *h, const DsoHit **ret, size_t *ret_n);

/* What was mapped, hit or not, as far as it is known still. An element without a path is none. The table's, until the next
 * record. */
size_t dso_hits_mapped(const DsoHits *h, const DsoHit **ret);

/* The processes that were there in the end, and the kernel's number, in no order. A new array. 0 or -ENOMEM. */
int dso_hits_pids(const DsoHits *h, uint32_t **ret, size_t *ret_n);

/* Processes with samples in memory that is mapped from no file: code that they generated. The first thousand of them. The
 * table's, until the next record. */
size_t dso_hits_generated(const DsoHits *h, const uint32_t **ret);

bool dso_hits_times(const DsoHits *h, uint64_t *ret_first, uint64_t *ret_last); /* false: no sample had a time */

/* Reads the build ids of what was hit and puts the BUILD_ID feature; no id at all: an empty one, as perf.
 * root as in feature-machine.h. memory: for what was known when an earlier file was finished, and is gone now (see
 * build-id-memory.h); NULL: there is none. 0 or -ENOMEM. */
typedef struct BuildIdMemory BuildIdMemory;

int feature_table_add_build_ids(FeatureTable *t, DsoHits *h, const char *root, BuildIdMemory *memory);
