/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "perfdata-test.h"

/* Recordings of what only some processors record: memory accesses, and stacks of branches. A process "demo" has mapped a
 * program at MADE_FACETS_BASE, in which three functions begin at these offsets. */
#define MADE_FACETS_BASE UINT64_C(0x400000)
#define MADE_FACETS_DATA UINT64_C(0x7f0000000000) /* what the accesses are to, of no file */

typedef struct MadeFacets {
        const char *program;
        uint64_t functions[3];
} MadeFacets;

/* Accesses with weights, latencies, sources, transactions, and sizes of pages: two alike, and two others. */
void made_memory(const char *path, const MadeFacets *facets);

/* Two samples with three branches each, of which one is in both, and one comes from where nothing is mapped. */
void made_branches(const char *path, const MadeFacets *facets);
