/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"
#include "record-layout.h"

/* The rules by which records begin, change and end a process. The process table (process-table.h), which knows the
 * present, and the side band table (sideband-table.h), which knows every moment that has samples, share them, and the
 * maps of map-list.h.
 *
 * Both find a process by its pid, in an index of objects whose first member is the pid. */

static inline uint64_t process_hash(const void *owner, uintptr_t process) {
        return *(const uint32_t *) process; /* the index spreads it */
}

/* NULL: none. */
static inline void *process_find(const HashIndex *by_pid, uint32_t pid) {
        return (void *) HASH_INDEX_FIND(by_pid, pid, process, *(const uint32_t *) process == pid);
}

/* True for the FORK or EXIT of a process's first thread, which has the process's number. */
static inline bool task_is_leader(const PerfRecordTask *task) {
        return task->pid == task->tid;
}

/* True for the FORK of a process, which starts with its parent's name; false for that of a thread. */
static inline bool fork_is_of_process(const PerfRecordTask *task) {
        return task->pid != task->ppid;
}

/* True if the process starts with its parent's maps too. FORK_EXEC marks synthesized FORKs, whose maps follow one by
 * one. */
static inline bool fork_inherits_maps(const PerfRecordTask *task) {
        return fork_is_of_process(task) && !(task->header.misc & PERF_RECORD_MISC_FORK_EXEC);
}

/* The threads of a process that are known to live. A process exits with its last thread: the first one, whose number it has,
 * may exit before others. If only that one is known, it is the last. Records of different CPUs may be read in another order
 * than that of time, so a thread's EXIT may come before its FORK. */
typedef struct ProcessThreads {
        int n_others; /* FORKs without EXITs, except those of the first one */
        bool leader_exited;
} ProcessThreads;

/* Follows the FORK of a thread. */
static inline void process_threads_fork(ProcessThreads *t) {
        t->n_others++;
}

/* Follows an EXIT; true: the process exits. */
static inline bool process_threads_exit(ProcessThreads *t, bool leader) {
        if (leader)
                t->leader_exited = true;
        else
                t->n_others--;
        return t->leader_exited && t->n_others <= 0;
}

/* Follows exec, which ends all other threads; the calling thread becomes the first one. */
static inline void process_threads_exec(ProcessThreads *t) {
        *t = (ProcessThreads) {};
}

/* exec leaves a process no maps, and no threads except its leader. */
static inline bool record_is_exec(const struct perf_event_header *record) {
        return record->type == PERF_RECORD_COMM && record->misc & PERF_RECORD_MISC_COMM_EXEC;
}
