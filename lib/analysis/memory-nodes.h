/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* The nodes (NUMA) that CPUs and physical addresses of a recorded machine belong to, out of the features NUMA_TOPOLOGY and
 * MEM_TOPOLOGY. Zero-initialise: no node is known. */
#define MEMORY_NODES_MAX 64u        /* what is of further nodes is of none that is known */
#define MEMORY_RANGES_MAX 65536u    /* of physical addresses; likewise */
#define MEMORY_NODE_UNKNOWN UINT32_MAX

typedef struct MemoryRange {
        uint64_t start, end; /* of blocks that follow each other: [start, end) */
        uint32_t node;
} MemoryRange;

typedef struct MemoryNodes {
        uint32_t *node_of; /* by CPU */
        size_t n_cpus;
        MemoryRange *ranges; /* in ascending order; of a broken recording, they may overlap */
        size_t n_ranges;
} MemoryNodes;

/* 0, -ENOMEM. What a recording does not say is not known. */
int memory_nodes_read(MemoryNodes *m, const PerfDataReader *reader);
void memory_nodes_done(MemoryNodes *m);

/* They return MEMORY_NODE_UNKNOWN if it is not known. */
uint32_t memory_nodes_of_cpu(const MemoryNodes *m, uint32_t cpu);
uint32_t memory_nodes_of_address(const MemoryNodes *m, uint64_t physical);
