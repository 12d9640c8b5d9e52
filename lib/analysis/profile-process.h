/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "process-table.h"

/* The processes of a recording with their names over time, and the number of samples of each process under each name.
 * Zero-initialise. */
#define PROCESS_NAME_SIZE 16 /* bytes, with the zero: TASK_COMM_LEN */

typedef struct NamedProcess {
        uint32_t pid;
        char comm[PROCESS_NAME_SIZE]; /* "" until it is known */
        uint64_t samples;
} NamedProcess;

#define NAMED_PROCESSES_MAX (1u << 20)

typedef struct NamedProcesses {
        NamedProcess *processes;
        size_t n, allocated;
        ProcessTable table; /* name: number + 1 of the newest entry */
} NamedProcesses;

void named_processes_done(NamedProcesses *p);

/* All of them count from now on. 0; -ENOSPC (more than NAMED_PROCESSES_MAX: nothing was noted), -ENOMEM. */
int named_processes_rename(NamedProcesses *p, uint32_t pid, const char *comm);
int named_processes_fork(NamedProcesses *p, const PerfRecordTask *task);
int named_processes_count(NamedProcesses *p, uint32_t pid);

/* Returns its name now, "" if it is not known. */
const char *named_processes_comm(NamedProcesses *p, uint32_t pid);
