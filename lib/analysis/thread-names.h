/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "hash-index.h"
#include "record-layout.h"

/* The threads of a recording and their names, as lines of valid UTF-8, at the record that was read last. A thread id that is
 * given again is another thread. Zero-initialise. */
typedef struct NamedThread {
        uint32_t tid, pid;
        uint32_t name; /* a number of names, whose blocks end in a zero byte; 0: not known */
        uint32_t instance; /* the number of processes that had this id before */
} NamedThread;

#define THREAD_NAMES_MAX (4u << 20) /* threads */
#define THREAD_NAME_SIZE 64u        /* bytes, with the zero; longer names are cut */

typedef struct ThreadNames {
        NamedThread *threads;
        size_t n, allocated;
        HashIndex by_tid; /* of the newest thread of each id: number + 1 */
        BytePool names;
} ThreadNames;

void thread_names_done(ThreadNames *t);

/* Forgets which threads live, as another recording begins; their numbers stay valid. */
void thread_names_begin(ThreadNames *t);

/* Finds or adds the thread with that id. -ENOSPC beyond THREAD_NAMES_MAX, -ENOMEM. */
int thread_names_get(ThreadNames *t, uint32_t pid, uint32_t tid, uint32_t *ret);

/* Follow the records. 0; -ENOSPC, -ENOMEM. */
int thread_names_fork(ThreadNames *t, const PerfRecordTask *task);
int thread_names_comm(ThreadNames *t, const PerfRecordComm *comm);

/* Returns the number of the thread's name; one without has that of ":TID", as in perf, or "swapper". */
int thread_names_name(ThreadNames *t, uint32_t thread, uint32_t *ret);

/* Returns the last name of the newest thread with that id; 0: not known. */
uint32_t thread_names_of_tid(const ThreadNames *t, uint32_t tid);

/* Returns the name of the thread's process, that of its main thread as it was last; 0: not known. */
uint32_t thread_names_of_process(const ThreadNames *t, const NamedThread *thread);

static inline const char *thread_names_text(const ThreadNames *t, uint32_t name) {
        return (const char *) byte_pool_get(&t->names, name)->data;
}
