/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-table.h"

/* The build ids of binaries that were hit in former dumps: samples that are still in memory may be of a program that has ended,
 * and whose file was removed since. Zero-initialise. */
typedef struct BuildIdMemory {
        DsoTable dsos;
        BuildId *ids; /* of each of them */
        size_t allocated;
} BuildIdMemory;

#define BUILD_ID_MEMORY_MAX 16384u /* binaries; beyond them, what the current dump did not hit is forgotten */

void build_id_memory_done(BuildIdMemory *m);

/* Where the build id of that binary, by device, inode, generation and path, is or may be put; its size is 0 if it is not known.
 * Valid until the next call. -ENOSPC: there is no room for it; -ENOMEM. */
int build_id_memory_get(BuildIdMemory *m, const DsoHit *dso, BuildId **ret);

/* After each dump: makes room if there is need. 0 or -ENOMEM. */
int build_id_memory_trim(BuildIdMemory *m, const DsoHit *hits, size_t n);
