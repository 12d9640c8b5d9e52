/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "bpf-catalog.h"
#include "dso-build-id.h"
#include "parse-time.h"
#include "record.h"

/* Synthesizes records of what existed before the recording began: kernel, modules, processes and their maps, in perf's
 * order and with its values. All functions append to b. root: the prefix of "/proc", "" for the real one.
 *
 * A process may have far more mappings than all others together. So each process has a share, in number and in bytes
 * of records, half of which data may take. There is a total too: when half of it is used, the rest is divided evenly
 * among the processes that follow. */

/* Called for a process with mappings beyond its share: there are n of them or more, since counting stops soon. */
typedef void (*SynthesisLeftOut)(void *userdata, pid_t pid, uint64_t n);

typedef struct SynthesisRoom {
        size_t used;      /* bytes of mappings so far */
        size_t all;       /* processes */
        size_t processes; /* that are still to come, with this one */
} SynthesisRoom;

typedef struct Synthesis {
        const char *root;
        RecordTrailer trailer; /* all zero except sample_type, as in perf */
        usec_t map_timeout;    /* for the mappings of one process; 0: no limit */
        bool data;             /* mappings of data too */
        bool namespaces;       /* of each thread */
        bool build_ids;        /* records of maps have them */
        BuildIdCache *cache;   /* with build_ids */
        RecordBuffer *b;
        SynthesisRoom *room;    /* NULL: each process has its share, and there is no total */
        SynthesisLeftOut left_out; /* may be NULL */
        void *userdata;        /* of left_out */
} Synthesis;

/* -EPERM: the kernel hides its addresses; nothing was appended then. */
int synthesis_put_kernel(const Synthesis *s);
int synthesis_put_modules(const Synthesis *s); /* only the modules, which synthesis_put_kernel() puts too */

/* Puts the BPF programs that the last update of the catalog saw: their functions and, unless functions_only, the
 * events of their loading. */
int synthesis_put_bpf(const Synthesis *s, const BpfCatalog *catalog, bool functions_only);

/* Puts all processes and threads of the system: fork, comm, and the maps of a process. */
int synthesis_put_all(const Synthesis *s);

/* The same of these processes. Those that have exited are left out. */
int synthesis_put_processes(const Synthesis *s, const pid_t *pids, size_t n_pids);

/* Puts these threads and their processes: comm, and the maps of a process. Those that have exited are left out. */
int synthesis_put_threads(const Synthesis *s, const pid_t *tids, size_t n_tids);

/* Puts the namespaces of the thread, if s->namespaces. Namespaces that can't be read are zero, as in perf. 0 or -ENOMEM. */
int synthesis_put_namespaces(const Synthesis *s, pid_t pid, pid_t tid);

/* Puts all control groups of the hierarchy that events use, from the directory top on; NULL: its mount point. 0 or
 * -ENOMEM. */
int synthesis_put_cgroups(const Synthesis *s, const char *top);

/* Puts the name of a command before its exec. */
int synthesis_put_comm(const Synthesis *s, pid_t pid);
