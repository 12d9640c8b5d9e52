/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There is an entry for each name that a process was sampled under; a name without samples is replaced by the next
 * one. The newest entry of a process is the current one. */

#include "profile-process.h"

#include "array.h"

void named_processes_done(NamedProcesses *p) {
        hash_index_done(&p->index);
        free(p->processes);
        *p = (NamedProcesses) {};
}

static uint64_t hash_of_pid(uint32_t pid) {
        return pid; /* the index spreads it */
}

static uint64_t hash_of_entry(const void *owner, uintptr_t entry) {
        const NamedProcesses *p = owner;

        return hash_of_pid(p->processes[entry - 1].pid);
}

static uintptr_t find_entry_of_pid(const NamedProcesses *p, uint32_t pid) {
        return HASH_INDEX_FIND(&p->index, hash_of_pid(pid), entry, p->processes[entry - 1].pid == pid);
}

static NamedProcess *named_processes_find(const NamedProcesses *p, uint32_t pid) {
        uintptr_t found = find_entry_of_pid(p, pid);

        return found > 0 ? p->processes + found - 1 : NULL;
}

static int named_processes_add(NamedProcesses *p, uint32_t pid, NamedProcess **ret) {
        uintptr_t older = find_entry_of_pid(p, pid);

        if (p->n >= NAMED_PROCESSES_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(p->processes, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        if (older > 0)
                hash_index_replace(&p->index, hash_of_pid(pid), older, p->n + 1);
        else if (hash_index_add(&p->index, hash_of_pid(pid), p->n + 1, hash_of_entry, p) < 0)
                return -ENOMEM;
        p->processes[p->n] = (NamedProcess) { .pid = pid };
        *ret = p->processes + p->n++;
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

int named_processes_fork(NamedProcesses *p, uint32_t pid, uint32_t parent) {
        const NamedProcess *from = named_processes_find(p, parent);
        char comm[PROCESS_NAME_SIZE];

        if (pid == parent || !from)
                return 0;
        memcpy(comm, from->comm, sizeof(comm)); /* the array may move */
        return named_processes_rename(p, pid, comm);
}

int named_processes_count(NamedProcesses *p, uint32_t pid) {
        NamedProcess *n = named_processes_find(p, pid);
        int r = n ? 0 : named_processes_add(p, pid, &n);

        if (r >= 0)
                n->samples++;
        return r;
}

const char *named_processes_comm(const NamedProcesses *p, uint32_t pid) {
        const NamedProcess *n = named_processes_find(p, pid);

        return n && (*n->comm || pid != 0) ? n->comm : pid == 0 ? "swapper" : "";
}
