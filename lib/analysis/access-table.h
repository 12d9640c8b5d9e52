/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "memory-access.h"
#include "memory-nodes.h"
#include "replay.h"

/* Sampled accesses to memory by cache line, and of each line by what was accessed, by whom, and by which code. */
#define ACCESS_ENTRIES_MAX (4u << 20) /* of each array; what more there is counts in the totals only */
#define ACCESS_NONE UINT32_MAX

/* The identity of a cache line: of a file that is mapped, of the memory of a process, of the kernel, or of an address that is in no
 * map. No byte of a key is padding. */
typedef struct AccessLineKey {
        uint64_t address;      /* in the file; of other memory as the process has it */
        uint64_t inode, generation;
        uint32_t device[2];    /* major and minor number of the file */
        uint32_t pid;          /* 0: others may share it */
        uint16_t cpumode, mapped;
} AccessLineKey;

typedef struct AccessLine {
        AccessLineKey is;
        bool shared;           /* other cores had it */
        uint64_t first;        /* where it was mapped at its first access */
        uint64_t nodes;        /* that its physical addresses are of, a bit each */
        uint64_t physical, n_physical; /* the address of the last access, and how often it was another one than before */
        uint64_t key;          /* what lines are sorted by, once the table is finished */
        size_t begin, end;     /* its cells, likewise */
} AccessLine;

/* A part of a line, with who accessed it and by which code, as far as the plan tells them apart; otherwise 0. */
typedef struct AccessPointKey {
        uint64_t ip;
        uint32_t line, offset; /* in the line */
        uint32_t pid, tid;
        uint32_t path;         /* of the binary; 0: it is in none */
        uint32_t reserved;
} AccessPointKey;

typedef struct AccessPoint {
        AccessPointKey is;
        uint32_t name;         /* of the thread, when it accessed it last, see process-view.h */
        uint32_t place;        /* of the code, of the first access */
        uint64_t nodes, physical, n_physical; /* as in a line */
} AccessPoint;

/* Equal accesses to a point by a CPU. */
typedef struct AccessCellKey {
        uint32_t point, cpu, facts, node; /* node: of the CPU; MEMORY_NODE_UNKNOWN: not known */
} AccessCellKey;

typedef struct AccessCell {
        AccessCellKey is;
        uint64_t n, weight;    /* weight: the sum of them */
} AccessCell;

typedef struct AccessPlan {
        bool by_pid, by_tid, by_code, by_dso; /* by_code: by its address; by_dso is then so, too */
        uint32_t key;          /* facts: lines are sorted by how many they have of them */
        uint32_t line_bytes;
} AccessPlan;

/* Zero-initialise, but for the plan. */
typedef struct AccessTable {
        AccessPlan plan;
        MemoryNodes machine;   /* of the recording that is read */
        AccessLine *lines;
        AccessPoint *points;
        AccessCell *cells;
        size_t n_lines, lines_allocated, n_points, points_allocated, n_cells, cells_allocated;
        HashIndex by_line, by_point, by_cell; /* of numbers + 1 */
        BytePool paths;
        AccessCounts total, shared; /* of all, and of the lines that are shared */
        size_t n_shared;
        uint64_t omitted;      /* accesses beyond ACCESS_ENTRIES_MAX */
        uint32_t n_nodes;      /* one more than the highest that CPUs are of; 0: the recordings do not say */
        bool has_weights, has_cpus; /* a sample had a weight, and a CPU */
} AccessTable;

/* The fields of samples that it needs, beside address, task, time and CPU. */
#define ACCESS_TABLE_FIELDS \
        (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_PHYS_ADDR)

void access_table_done(AccessTable *t);

/* 0, -ENOMEM. */
int access_table_begin_recording(AccessTable *t, const PerfDataReader *reader);

/* Takes a sample, whose code is that place. One without a source of data is no access. The places' view must follow maps of data.
 * 0, -ENOMEM. */
int access_table_take(AccessTable *t, const Moment *m, CodePlaces *places, uint32_t place);

/* Sums up all, after the last recording: cells are then sorted by line and point. */
void access_table_finish(AccessTable *t);

/* Returns the sums of a line. */
AccessCounts access_table_line(const AccessTable *t, const AccessLine *line);

/* Returns the numbers of the lines in a new array: those with most of the plan's key come first, and of others those that perf has
 * first: by file, process and address. NULL without memory. */
uint32_t *access_table_order(const AccessTable *t);
