/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "made-facets.h"

/* A recording of accesses to memory that threads share, as no machine without such events can record it: two processes, of four
 * and of two threads, on four CPUs of two nodes. The program is that of made_memory(), and so is the memory at MADE_FACETS_DATA,
 * which each process has for itself; a file is mapped in both of them, at other addresses. */
#define MADE_ACCESSES_SHARED UINT64_C(0x7f1000000000) /* in the first process; in the second one MADE_ACCESSES_APART further */
#define MADE_ACCESSES_APART UINT64_C(0x1000000000)

typedef struct MadeAccess {
        uint64_t ip, address, source, physical;
        uint32_t weight, cpu, thread; /* thread: 0 to 5 */
} MadeAccess;

/* Writes accesses, each 1000 ns behind the one before, the first at 1000 ns. */
void made_accesses(const char *path, const MadeFacets *facets, const MadeAccess *accesses, size_t n);

/* Fills in n accesses of all kinds, which are the same each time: most to a few lines that several threads read and write, others
 * to memory of one thread, some to an unknown address or by unknown code. */
void made_access_mixture(MadeAccess *accesses, size_t n, const MadeFacets *facets);
