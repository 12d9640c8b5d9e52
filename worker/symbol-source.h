/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "mount-roots.h"

/* Opens the binary that a process had mapped, be it in a container or deleted since. root: what stands before /proc
 * and the machine's own files, "" for the real ones. others: further file systems to look into; or NULL. Descriptor;
 * -ENOENT and others: it can't be had, or what is there is another one. */
int symbol_source_open(const char *root, const DsoHit *hit, const MountRoots *others);

/* What a process, or whoever compiled for it, noted of the code that it made: its perf map, as the process sees /tmp,
 * by the number that it knows itself by; of one that has ended, the machine's /tmp. Only what is the process's own
 * user's, or root's. Descriptor; -ENOENT, -EPERM and others. */
int symbol_source_open_perf_map(const char *root, uint32_t pid);
