/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"

/* A table of samples, for the two that know it: what counts (sample-table.c), and what reads recordings (sample-reading.c). */

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

/* The recording that is read. */
typedef struct SampleRecording {
        void *source;       /* a Replay, or of what happens now its RecordedChains … */
        const void *(*get_chain)(void *source, uint32_t number, size_t *ret_n);
        void (*free_source)(void *source); /* … which stay the caller's: NULL */
        uint16_t *numbers;  /* of its events, in the table */
        uint32_t n_cpus;    /* of the machine; 0: not known */
        uint32_t host;      /* see sample_table_host() */
        uint64_t lightened;
        bool no_idle;
        BytePool facets;    /* as recorded: blocks are SampleFacets */
} SampleRecording;

struct SampleTable {
        SampleTablePlan plan;
        SampleEvents events;
        SampleTotals totals;
        MachineView machine;
        BytePool hosts;         /* lines of UTF-8, which end in a zero byte */
        BytePool labels;        /* texts, which end in a zero byte */
        BytePool facets;        /* of rows: blocks are SampleFacets */
        SampleRow *rows;
        size_t n_rows, rows_allocated;
        HashIndex row_index;    /* of number + 1 */
        BytePool chains;        /* of places */
        SampleCache cache;
        uint32_t *resolved;     /* a chain being made */
        size_t resolved_allocated;
        SampleRecording recording;
};

/* Forgets all of the recording but its rows. */
void sample_table_forget_recording(SampleTable *t);
