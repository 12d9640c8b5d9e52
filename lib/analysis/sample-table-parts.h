/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recorded-chains.h"
#include "sample-queue.h"
#include "sample-table.h"
#include "user-stacks.h"

/* A table, for the parts that fill it. */
#define CHAINS_BYTES_MAX ((size_t) 1 << 30) /* of places; further samples count without a chain */
#define LABELS_BYTES_MAX ((size_t) 1 << 28) /* of texts; further samples have none */
#define FACETS_BYTES_MAX ((size_t) 1 << 28) /* of either kind; likewise */

typedef struct CacheEntry {
        uint64_t ip, slice;
        uint32_t generation, chain, name, thread, cpu, cgroup, label, facets, parallelism;
        uint16_t event, cpumode;
        uint32_t row;
} CacheEntry;

typedef struct SampleCache {
        CacheEntry *entries;
        size_t n, allocated;
        HashIndex index; /* of number + 1 */
        uint32_t kernel_maps; /* the generation of the kernel's maps by which addresses were looked up */
} SampleCache;

typedef struct SampleLabels {
        BytePool texts;         /* which end in a zero byte */
        SampleLabeler labeler;  /* of the recording that is read */
} SampleLabels;

typedef struct SampleHosts {
        BytePool names;         /* lines of UTF-8, which end in a zero byte */
        uint32_t number;        /* of the recording that is read */
} SampleHosts;

/* Blocks are SampleFacets. */
typedef struct WantedFacets {
        unsigned wanted;   /* SampleFacet */
        BytePool recorded; /* of the recording that is read */
        BytePool resolved; /* of rows */
} WantedFacets;

/* They hear of the reading. */
typedef struct SampleListeners {
        Watcher watcher;
        SampleFollower follower;
} SampleListeners;

/* They are those of the recording that is read. */
typedef struct SampleRecording {
        int64_t running; /* threads, by the context switches so far */
        uint32_t n_cpus; /* of the machine; 0: not known */
} SampleRecording;

struct SampleTable {
        const SampleSelection *selection;
        unsigned dimensions;
        SampleEvent *events;
        size_t n_events;
        BytePool event_names;   /* as recorded: the number of a name is the event's, + 1 */
        SampleTotals totals;
        ProcessView view;
        CodePlaces places;
        CgroupNames cgroups;
        SampleHosts hosts;
        SampleLabels labels;
        WantedFacets facets;
        SampleRow *rows;
        size_t n_rows, rows_allocated;
        HashIndex row_index;    /* of number + 1 */
        RecordedChains recorded; /* of the recording that is read */
        BytePool chains;        /* of places */
        SampleCache cache;
        uint32_t *resolved;     /* a chain being made */
        size_t resolved_allocated;
        Unwinder unwinder;
        UserStacks stacks;      /* of samples that are queued */
        SampleListeners listeners;
        SampleRecording recording;
};

/* Finds or adds an event of a recording by its name. Events without one are told apart by their numbers in the file. 0, -E2BIG,
 * -ENOMEM. */
int sample_table_add_event(SampleTable *t, const PerfDataEvent *e, size_t number, uint16_t *ret);

/* Notes that n events, from that one of the table on, were recorded as a group, unless one of them is in another group. name: NULL:
 * it has none. 0, -ENOMEM. */
int sample_table_add_group(SampleTable *t, uint32_t leader, size_t n, const char *name);

/* The rows that are added from now on are of the machine that this recording is of. 0, -ENOMEM. */
int sample_table_set_host(SampleTable *t, const PerfDataReader *reader);

/* Counts a sample that is due. 0, -EFBIG, -ENOSPC, -ENOMEM, and errors of the follower. */
int sample_table_count(SampleTable *t, const QueuedSample *s);

/* Counts the threads that run. */
void sample_table_take_switch(SampleTable *t, const struct perf_event_header *record);

/* Hands a sample on to the follower, if it is to hear of it. row: SAMPLE_NO_ROW: it is not selected. 0, or the follower's error. */
int sample_table_follow(const SampleTable *t, const QueuedSample *s, uint32_t row);
