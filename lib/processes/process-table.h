/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"
#include "map-list.h"
#include "process-rules.h"

/* The processes of a recording and their maps, at the record that was read last. A process that exited is
 * kept until the second FINISHED_ROUND after it, since other CPUs' older records may follow its EXIT in the file.
 * Zero-initialise. */
typedef struct Process {
        uint32_t pid;
        uint32_t generation, life, jit_dump; /* of process-view.h */
        bool begun; /* a FORK of it was read */
        bool exited;
        bool known; /* by who reads what happens now: all of its maps are there, since they were read or it began meanwhile */
        uint64_t exit_round;
        ProcessThreads threads;
        MapList maps;
} Process;

/* So many take 88 MiB without their maps. Those of the recorder are processes of the machine, whose kernel has a hundred
 * times as much for them. */
#define PROCESS_MAX (1u << 20)
#define PROCESS_TABLE_MAPS_MAX ((size_t) 1 << 20) /* of all */

typedef struct ProcessTable {
        Process **processes; /* in no order */
        size_t n, allocated, n_exited;
        HashIndex by_pid;
        Process *recent; /* found last: a sample looks its process up for each address of its call chain */
        size_t added; /* maps, since all were counted */
        uint64_t round;
} ProcessTable;

void process_table_done(ProcessTable *t);

Process *process_table_search(ProcessTable *t, uint32_t pid);

/* NULL: none. */
static inline Process *process_table_find(ProcessTable *t, uint32_t pid) {
        return t->recent && t->recent->pid == pid ? t->recent : process_table_search(t, pid);
}

/* Finds or adds. -ENOSPC beyond PROCESS_MAX, -ENOMEM. */
int process_table_get(ProcessTable *t, uint32_t pid, Process **ret);

/* Returns the pids of all processes that have maps, in no order, in a new array. 0 or -ENOMEM. */
int process_table_pids(const ProcessTable *t, uint32_t **ret, size_t *ret_n);

/* To be called when so many maps were added to lists. If there are too many in all, the longest lists lose older maps
 * until a quarter of the room is free. 0 or -ENOMEM. */
int process_table_note_maps(ProcessTable *t, size_t n);

/* The lists that are more than half as long as the longest lose their older half. 0 or -ENOMEM. */
int process_table_cut(ProcessTable *t);

/* Follows a FORK: a new process may get its parent's maps, see process-rules.h; a thread shares its process's. A process
 * whose own maps were read before its first FORK keeps them, over its parent's. 1: the child's maps are its parent's; 2:
 * they are its parent's and its own; 0: they did not change; -ENOSPC, -ENOMEM. */
int process_table_fork(ProcessTable *t, const PerfRecordTask *task);

/* Follows an EXIT: the last thread's ends the process. */
void process_table_exit(ProcessTable *t, const PerfRecordTask *task);
/* Follows an exec of a process. */
void process_table_exec(ProcessTable *t, uint32_t pid);
void process_table_finish_round(ProcessTable *t);
