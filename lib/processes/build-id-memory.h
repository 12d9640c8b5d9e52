/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-table.h"

/* The build ids of binaries that were hit in earlier dumps: samples that are still in memory may be of a program that
 * has exited, and whose file was removed since. Zero-initialise. */
typedef struct BuildIdMemory {
        DsoTable dsos;
        BuildId *ids; /* of each of them */
        size_t allocated;
} BuildIdMemory;

#define BUILD_ID_MEMORY_MAX 16384u /* binaries; beyond them, those that the current dump did not hit are forgotten */

void build_id_memory_done(BuildIdMemory *m);

/* Finds, or makes, the place of the build id of that binary (same device, inode, generation and path); the id's size
 * is 0 if it is not known. *ret is valid until the next call. -ENOSPC: there is no room for it; -ENOMEM. */
int build_id_memory_get(BuildIdMemory *m, const DsoHit *dso, BuildId **ret);

/* Makes room if necessary. To be called after each dump with its hits. 0 or -ENOMEM. */
int build_id_memory_trim(BuildIdMemory *m, const DsoHit *hits, size_t n);
