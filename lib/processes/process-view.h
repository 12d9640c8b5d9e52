/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "hash-index.h"
#include "record-layout.h"

/* The threads and processes that live at the moment of the record that was read last. A thread id that is given again is
 * another thread. */
typedef struct NamedThread {
        uint32_t tid, pid;
        uint32_t name; /* a number of names, whose blocks are lines of UTF-8 and end in a zero byte; 0: not known */
        uint32_t instance; /* the number of processes that had this id before */
} NamedThread;

#define PROCESS_VIEW_THREADS_MAX (4u << 20)
#define THREAD_NAME_SIZE 64u /* bytes, with the zero; longer names are cut */

/* Zero-initialise. */
typedef struct ProcessView {
        NamedThread *threads;
        size_t n_threads, threads_allocated;
        HashIndex by_tid; /* of the newest thread of each id: number + 1 */
        BytePool names;
} ProcessView;

void process_view_done(ProcessView *v);

/* Forgets who lives, as another recording begins, or the same one again. Numbers of threads and names stay valid. */
void process_view_restart(ProcessView *v);

/* Follows a whole record: FORK, COMM. Threads beyond the limit are left out. 0 or -ENOMEM. */
int process_view_take(ProcessView *v, const struct perf_event_header *record);

/* Finds or adds the thread with that id. -ENOSPC beyond PROCESS_VIEW_THREADS_MAX, -ENOMEM. */
int process_view_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t *ret);

/* Returns the number of the thread's name; one without has that of ":TID", as in perf, or "swapper". */
int process_view_name_thread(ProcessView *v, uint32_t thread, uint32_t *ret);

/* Returns the last name of the newest thread with that id; 0: not known. */
uint32_t process_view_name_of_tid(const ProcessView *v, uint32_t tid);

/* Returns the name of the thread's process, that of its main thread as it was last; 0: not known. */
uint32_t process_view_name_of_process(const ProcessView *v, const NamedThread *thread);

static inline const char *process_view_name(const ProcessView *v, uint32_t name) {
        return (const char *) byte_pool_get(&v->names, name)->data;
}
