/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "build-id.h"

/* The mappings of a running process: those of code, or those of data too. */

typedef struct ProcessMap {
        uint64_t start, end, offset;
        uint32_t major, minor;
        uint64_t inode;
        uint32_t protection; /* PROT_* */
        uint32_t flags;      /* MAP_PRIVATE or MAP_SHARED */
        BuildId id;          /* if it was asked for and the kernel knows it; size 0: only the file has it */
        const char *path;    /* as the kernel names it; "" for anonymous memory. Valid until the next call */
} ProcessMap;

typedef struct ProcessMaps ProcessMaps;

/* One object serves any number of processes, one after the other. data: also mappings that are readable and not
 * executable; build_ids: asks the kernel for these too. */
int process_maps_new(const char *root, bool data, bool build_ids, ProcessMaps **ret);
ProcessMaps *process_maps_free(ProcessMaps *m);
DEFINE_CLEANUP(ProcessMaps *, process_maps_free);

/* Leaves out names (path is "") and build ids, which are costly, from the rest of this process's mappings. Has no
 * effect before Linux 6.11. */
void process_maps_skip_names(ProcessMaps *m);

int process_maps_open(ProcessMaps *m, pid_t pid); /* -ENOENT, -ESRCH: it has exited; -EACCES, -EPERM: no right to read it */
int process_maps_next(ProcessMaps *m, ProcessMap *ret); /* 1, 0 at the end, -ESRCH: it has exited in the meantime */

/* Parses a line of /proc/PID/maps, without its newline; ret->path points into it. -EBADMSG. */
int process_map_parse(char *line, ProcessMap *ret);
