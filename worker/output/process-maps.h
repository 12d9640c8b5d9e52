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
        BuildId id;          /* if asked for and the kernel knows it; size 0: look into the file */
        const char *path;    /* as the kernel names it; "" for anonymous memory. Valid until the next one */
} ProcessMap;

typedef struct ProcessMaps ProcessMaps;

/* One walker serves any number of processes, one after the other. data: what can be read without being executable too. */
int process_maps_new(const char *root, bool data, ProcessMaps **ret);
ProcessMaps *process_maps_free(ProcessMaps *m);
DEFINE_CLEANUP(ProcessMaps *, process_maps_free);

/* Asks the kernel for build ids too, from now on. */
void process_maps_want_build_ids(ProcessMaps *m);

/* From now on those of this process have no names and no build ids, which are costly to have: path is "". Where the kernel is
 * older than 6.11, that is only as said. */
void process_maps_skip_names(ProcessMaps *m);

int process_maps_open(ProcessMaps *m, pid_t pid); /* -ENOENT, -ESRCH: gone; -EACCES, -EPERM: not ours to see */
int process_maps_next(ProcessMaps *m, ProcessMap *ret); /* 1, 0 at the end, -ESRCH: it has gone meanwhile */

/* One line of /proc/PID/maps, without its newline; ret->path lies in it. -EBADMSG. */
int process_map_parse(char *line, ProcessMap *ret);
