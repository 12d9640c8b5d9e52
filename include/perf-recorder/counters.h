/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* One page of shared memory (a memfd) per session. The recorder writes it, and the daemon reads it whenever a client asks
 * for a property, so live figures wake up neither side. PR_COUNTERS_ENV in the recorder's environment has the descriptor's
 * number, under which it stays open: a daemon that did not get it from the descriptor store opens it in /proc/PID/fd. One
 * thread writes each field, with relaxed atomic stores: a reader sees every field whole, but fields may come from different
 * moments. A foreign recorder leaves the page zero. A successor that is given rings finds its predecessor's figures on the page,
 * and goes on with the number of samples if it takes them over. */

#define PR_COUNTERS_ENV   "PERF_RECORDER_COUNTERS_FD"
#define PR_COUNTERS_MAGIC UINT64_C(0x31302d6365722d70) /* "p-rec-01", little endian */
#define PR_COUNTERS_SIZE  4096                         /* bytes */
#define PR_COUNTERS_UNKNOWN UINT64_MAX

typedef struct PrCounters {
        uint64_t magic;            /* PR_COUNTERS_MAGIC once the recorder has mapped the page */
        uint64_t samples;          /* PERF_RECORD_SAMPLE records since the start, in a file or in memory; of rings that the kernel
                                    * overwrites, those that a dump or a look at memory has seen. Each counts once */
        uint64_t lost;             /* samples lost: by the kernel, or dropped for lack of disk space. If lost_records is
                                    * PR_COUNTERS_UNKNOWN, all records that the kernel lost are in this number */
        uint64_t bytes_written;    /* to all files since the start */
        uint64_t ring_bytes;       /* locked memory of the rings, data pages */
        uint64_t files;            /* files finished since the start */
        uint64_t first_sample_nsec; /* CLOCK_MONOTONIC of the oldest sample in memory or in the open file; 0: none */
        uint64_t throttled;        /* PERF_RECORD_THROTTLE records since the start */
        uint64_t progress;         /* changes while any thread writes or syncs a file; no unit */
        uint64_t next_dump_nsec;   /* CLOCK_MONOTONIC when the next delayed dump is due; 0: no dump is delayed */
        uint64_t lost_records;     /* records of tasks and maps that the kernel lost; PR_COUNTERS_UNKNOWN: it does not tell
                                    * them from samples */
        uint64_t overwritten;      /* 1: the kernel overwrites the rings, so samples has only those that were seen */
} PrCounters;

/* Counts of a session with Mode=count: the recorder makes the file longer, and has a table behind the page: PrCounts, two sets of
 * n_rows rows, and names_size bytes of names, each ended by a NUL byte. A reading goes to the set that is not current, and then
 * the sequence number makes it current, so the rows are of one reading if the number did not change while they were read. */

#define PR_COUNTS_MAGIC UINT64_C(0x32302d746e632d70) /* "p-cnt-02", little endian */
#define PR_COUNTS_ROWS_MAX  65536u                   /* more are not read; nor are … */
#define PR_COUNTS_NAMES_MAX (1024u * 1024)           /* … longer names */

typedef struct PrCounts {
        uint64_t magic;      /* PR_COUNTS_MAGIC while there is a table */
        uint64_t sequence;   /* readings since it was made; the rows of an even one are the first set */
        uint32_t n_rows;
        uint32_t names_size;
} PrCounts;

typedef struct PrCount {
        uint64_t value;        /* since the session's events were opened, not scaled */
        uint64_t enabled_nsec; /* in which it was to count */
        uint64_t running_nsec; /* … and did, since it had a counter of the CPU */
        uint32_t name;         /* where the event's name begins among the names */
        uint32_t unit;         /* … and that of the unit whose processes are counted; an empty string: those of the session */
        int32_t cpu;           /* -1: all that its threads ran on */
        uint32_t padding;
} PrCount;
