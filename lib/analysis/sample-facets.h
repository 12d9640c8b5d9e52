/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "replay.h"

/* Facets of a sample are what only some events record: its weight, the memory that it accessed, one of its branches. Few reports
 * ask for them, so a table keeps them apart from its rows, and of them only those that are wanted. */
typedef enum SampleFacet {
        FACET_WEIGHT = 1 << 0,
        FACET_LATENCY = 1 << 1,
        FACET_STAGE = 1 << 2,
        FACET_SOURCE = 1 << 3,
        FACET_DATA = 1 << 4,
        FACET_PHYSICAL = 1 << 5,
        FACET_DATA_PAGE = 1 << 6,
        FACET_CODE_PAGE = 1 << 7,
        FACET_TRANSACTION = 1 << 8,
        FACET_BRANCH_FROM = 1 << 9,
        FACET_BRANCH_FLAGS = 1 << 10,
        FACET_BRANCH_CYCLES = 1 << 11,
} SampleFacet;

typedef enum BranchFlag {
        BRANCH_PREDICTED = 1 << 0,
        BRANCH_MISPREDICTED = 1 << 1,
        BRANCH_IN_TRANSACTION = 1 << 2,
        BRANCH_ABORT = 1 << 3,
} BranchFlag;

/* Zero is what is not wanted. No byte is padding. */
typedef struct SampleFacets {
        uint64_t weight;
        uint64_t source;      /* union perf_mem_data_src */
        uint64_t transaction; /* PERF_TXN_… */
        uint64_t physical;
        uint64_t data_page, code_page; /* bytes */
        uint64_t data, from;  /* addresses as recorded; 0 in rows, which have places */
        uint32_t data_place, from_place; /* in rows */
        uint16_t latency, stage, cycles;
        uint16_t flags;       /* BranchFlag */
} SampleFacets;

/* Adds what the cursor must have for the wanted ones (SampleFacet). */
void sample_facets_need(unsigned wanted, ReplayNeeds *needs);

/* Fills in what a sample has of the wanted ones at its moment. */
void sample_facets_take(SampleFacets *f, unsigned wanted, const Moment *m);

/* Fills in what is of one of its branches. */
void sample_facets_take_branch(SampleFacets *f, unsigned wanted, const struct perf_branch_entry *branch);

/* Puts places where addresses are. cpumode: of the sample. 0, -ENOMEM. */
int sample_facets_resolve(SampleFacets *f, unsigned wanted, CodePlaces *places, uint32_t pid, uint16_t cpumode);
