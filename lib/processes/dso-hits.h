/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "build-id.h"
#include "feature.h"
#include "header.h"

/* Finds the binaries that the samples of a recording fell into, whose build ids the file needs. It is fed all records
 * in the order of the file. Samples that precede their map in the file (another CPU's buffer) are looked up again at
 * the end. */
typedef struct DsoHits DsoHits;

typedef struct DsoHit {
        const char *path;   /* as mapped: "/usr/lib/…", "[kernel.kallsyms]", "[vdso]", "/lib/modules/…/x.ko" or "[x]" */
        uint16_t cpumode;   /* PERF_RECORD_MISC_KERNEL or _USER */
        uint32_t pid;       /* the last process that mapped it; -1 for the kernel's */
        uint32_t major, minor; /* of MMAP2; 0: not known */
        uint64_t inode, generation; /* of the inode number, which is given again; 0: not known, as of what was mapped before */
        BuildId id;         /* from a MMAP2 that carries one; size 0: none */
} DsoHit;

/* The events must outlive it. all: every binary that is mapped counts as hit, as for perf record --buildid-all. */
int dso_hits_new(const PerfDataEvent *events, size_t n_events, bool all, DsoHits **ret);
DsoHits *dso_hits_free(DsoHits *h);
DEFINE_CLEANUP(DsoHits *, dso_hits_free);
#define _cleanup_dso_hits_free_ _cleanup_(dso_hits_freep)

/* One record; size bytes are readable, record->size of them count. Records of no interest and broken ones are ignored.
 * 0 or -ENOMEM. */
int dso_hits_feed(DsoHits *h, const struct perf_event_header *record, size_t size);

/* Feeds records of a file from *offset on, which moves behind them, until wanted is reached; end is the end of the
 * last one. 0, -ENOMEM, -EBADMSG (at some place there is no record; those before it were fed), errors of pread(2). */
int dso_hits_scan(DsoHits *h, int fd, uint64_t *offset, uint64_t wanted, uint64_t end);

/* Feeds records that follow each other in memory, as in a ring: one may begin in a segment and end in the next one. 0,
 * -ENOMEM, -EBADMSG (at some place there is no record; those before it were fed). */
int dso_hits_feed_segments(DsoHits *h, const struct iovec *segments, size_t n_segments);

/* Returns the binaries that were hit, in the order of first hit. The array is the table's, and valid until the next
 * call. 0 or -ENOMEM. */
int dso_hits_get(DsoHits *h, const DsoHit **ret, size_t *ret_n);

/* Returns the binaries that were mapped, hit or not, as far as they are still known. Elements without a path are to be
 * skipped. The array is the table's, and valid until the next record. */
size_t dso_hits_mapped(const DsoHits *h, const DsoHit **ret);

/* Returns the processes that live at the end, and the kernel's number, in no order, in a new array. 0 or -ENOMEM. */
int dso_hits_pids(const DsoHits *h, uint32_t **ret, size_t *ret_n);

/* Returns the first thousand processes with samples in code that they may have generated: memory that is mapped
 * from no file, or from one in memory. The array is the table's, and valid until the next record. */
size_t dso_hits_generated(const DsoHits *h, const uint32_t **ret);

/* Returns the last time at which the process was forked or executed a program. 0: not in this recording; UINT64_MAX: not known. */
uint64_t dso_hits_begun(const DsoHits *h, uint32_t pid);

bool dso_hits_times(const DsoHits *h, uint64_t *ret_first, uint64_t *ret_last); /* false: no sample had a time */

/* Reads the build ids of the binaries that were hit and puts the BUILD_ID feature, which is empty if there is no id,
 * as perf's is. root as in feature-machine.h. memory: of ids from earlier files, for binaries that are gone now
 * (build-id-memory.h); may be NULL. 0 or -ENOMEM. */
typedef struct BuildIdMemory BuildIdMemory;

int feature_table_add_build_ids(FeatureTable *t, DsoHits *h, const char *root, BuildIdMemory *memory);
