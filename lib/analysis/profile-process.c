/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An entry for each name that a process was sampled under: a name without samples gives way to the next one. The
 * newest entry of a process comes first in its chain, and is the one that counts. */

#include "profile-process.h"

void named_processes_done(NamedProcesses *p) {
        free(p->processes);
        *p = (NamedProcesses) {};
}

static NamedProcess *find(const NamedProcesses *p, uint32_t pid) {
        uint32_t i = p->chains[pid % NAMED_PROCESS_CHAINS];

        while (i > 0 && p->processes[i - 1].pid != pid)
                i = p->processes[i - 1].next;
        return i > 0 ? p->processes + i - 1 : NULL;
}

static int add(NamedProcesses *p, uint32_t pid, NamedProcess **ret) {
        uint32_t *chain = p->chains + pid % NAMED_PROCESS_CHAINS;

        if (p->n >= NAMED_PROCESSES_MAX)
                return -ENOSPC;
        if (p->n >= p->allocated) {
                size_t allocated = p->allocated > 0 ? p->allocated * 2 : 256;
                NamedProcess *processes = reallocarray(p->processes, allocated, sizeof(*processes));

                if (!processes)
                        return -ENOMEM;
                p->processes = processes;
                p->allocated = allocated;
        }
        p->processes[p->n] = (NamedProcess) { .pid = pid, .next = *chain };
        *ret = p->processes + p->n++;
        *chain = (uint32_t) p->n;
        return 0;
}

static int get(NamedProcesses *p, uint32_t pid, NamedProcess **ret) {
        *ret = find(p, pid);
        return *ret ? 0 : add(p, pid, ret);
}

int named_processes_rename(NamedProcesses *p, uint32_t pid, const char *comm) {
        NamedProcess *n = find(p, pid);
        int r = 0;

        if (n && strncmp(n->comm, comm, sizeof(n->comm) - 1) == 0)
                return 0;
        if (!n || (n->samples > 0 && *n->comm))
                r = add(p, pid, &n);
        if (r >= 0)
                (void) snprintf(n->comm, sizeof(n->comm), "%s", comm);
        return r;
}

int named_processes_fork(NamedProcesses *p, uint32_t pid, uint32_t parent) {
        const NamedProcess *from = find(p, parent);
        char comm[PROCESS_NAME_SIZE];

        if (pid == parent || !from)
                return 0;
        memcpy(comm, from->comm, sizeof(comm)); /* the array may move */
        return named_processes_rename(p, pid, comm);
}

int named_processes_count(NamedProcesses *p, uint32_t pid) {
        NamedProcess *n;
        int r = get(p, pid, &n);

        if (r >= 0)
                n->samples++;
        return r;
}

const char *named_processes_comm(const NamedProcesses *p, uint32_t pid) {
        const NamedProcess *n = find(p, pid);

        return n && (*n->comm || pid != 0) ? n->comm : pid == 0 ? "swapper" : "";
}
