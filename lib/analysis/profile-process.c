/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There is an entry for each name that a process was sampled under; a name without samples is replaced by the next
 * one. The newest entry of a process is the current one. */

#include "profile-process.h"

#include "array.h"
#include "process-rules.h"

void named_processes_done(NamedProcesses *p) {
        process_table_done(&p->table);
        free(p->processes);
        *p = (NamedProcesses) {};
}

static NamedProcess *named_processes_find(NamedProcesses *p, uint32_t pid) {
        const Process *process = process_table_find(&p->table, pid);

        return process && process->name > 0 ? p->processes + process->name - 1 : NULL;
}

static int named_processes_add(NamedProcesses *p, uint32_t pid, NamedProcess **ret) {
        Process *process;
        int r;

        if (p->n >= NAMED_PROCESSES_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(p->processes, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        r = process_table_get(&p->table, pid, &process);
        if (r < 0)
                return r;
        *ret = p->processes + p->n++;
        **ret = (NamedProcess) { .pid = pid };
        process->name = (uint32_t) p->n;
        return 0;
}

int named_processes_rename(NamedProcesses *p, uint32_t pid, const char *comm) {
        NamedProcess *n = named_processes_find(p, pid);
        int r = 0;

        if (n && strncmp(n->comm, comm, sizeof(n->comm) - 1) == 0)
                return 0;
        if (!n || (n->samples > 0 && *n->comm))
                r = named_processes_add(p, pid, &n);
        if (r >= 0)
                (void) snprintf(n->comm, sizeof(n->comm), "%s", comm);
        return r;
}

int named_processes_fork(NamedProcesses *p, const PerfRecordTask *task) {
        const NamedProcess *from = named_processes_find(p, task->ppid);
        char comm[PROCESS_NAME_SIZE];

        if (!from || !fork_is_of_process(task))
                return 0;
        memcpy(comm, from->comm, sizeof(comm)); /* the array may move */
        return named_processes_rename(p, task->pid, comm);
}

int named_processes_count(NamedProcesses *p, uint32_t pid) {
        NamedProcess *n = named_processes_find(p, pid);
        int r = n ? 0 : named_processes_add(p, pid, &n);

        if (r >= 0)
                n->samples++;
        return r;
}

const char *named_processes_comm(NamedProcesses *p, uint32_t pid) {
        const NamedProcess *n = named_processes_find(p, pid);

        return n && (*n->comm || pid != 0) ? n->comm : pid == 0 ? "swapper" : "";
}
