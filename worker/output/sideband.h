/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "bpf-catalog.h"
#include "dso-build-id.h"
#include "parse-time.h"
#include "record.h"

/* Synthesizes the records that say what was there before the recording began: kernel, modules, processes and their
 * maps, in perf's order and with its values. All append to b. root: what stands before "/proc", "" for the real one.
 *
 * A process may have so many mappings that all other processes' are little beside them. So each has a share, in number and in
 * bytes of records, of which data takes half at most, and of all together, what is left when half of it is used is shared out
 * evenly among the processes that follow. */

/* Mappings of a process beyond its share: at least so many, as counting them ends soon. */
typedef void (*SidebandLeftOut)(void *userdata, pid_t pid, uint64_t n);

typedef struct SidebandRoom {
        size_t used;      /* bytes of mappings so far */
        size_t all;       /* processes */
        size_t processes; /* that are to come, this one included */
} SidebandRoom;

typedef struct Sideband {
        const char *root;
        RecordTrailer trailer; /* all zero but for sample_type, as perf leaves them */
        usec_t map_timeout;    /* for the mappings of one process; 0: no limit */
        bool data;             /* mappings of data too */
        bool namespaces;       /* of each thread */
        bool build_ids;        /* maps carry them, where there are any */
        BuildIdCache *cache;   /* with build_ids */
        RecordBuffer *b;
        SidebandRoom *room;    /* NULL: each process has its share, however many they are */
        SidebandLeftOut left_out; /* NULL: nobody wants to know */
        void *userdata;        /* of that */
} Sideband;

/* -EPERM: the kernel hides its addresses; nothing was appended then. */
int sideband_put_kernel(const Sideband *s);
int sideband_put_modules(const Sideband *s); /* which are part of it, alone */

/* The BPF programs that the last update of the catalog saw: their functions and, unless only those are wanted, that they
 * are loaded. */
int sideband_put_bpf(const Sideband *s, const BpfCatalog *catalog, bool functions_only);

/* Every process and thread of the system: fork, comm, and the maps of a process. */
int sideband_put_all(const Sideband *s);

/* These threads and the processes they belong to: comm, and the maps of a process. Gone ones are left out. */
int sideband_put_threads(const Sideband *s, const pid_t *tids, size_t n_tids);

/* Where the thread runs, if s->namespaces. -ENOMEM alone is an error: what can't be seen is zero, as perf has it. */
int sideband_put_namespaces(const Sideband *s, pid_t pid, pid_t tid);

/* Every control group of the hierarchy that events know, top: where it is mounted, NULL for there. 0 or -ENOMEM. */
int sideband_put_cgroups(const Sideband *s, const char *top);

/* The name of a command that was not executed yet. */
int sideband_put_comm(const Sideband *s, pid_t pid);
