/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state of the machine's processes, record by record. Names are those of threads, as perf shows them: a thread has its
 * parent's until it sets one of its own. Ended threads are kept, since what was counted for them refers to them. A recording
 * may be read more than once: instances, and not numbers, are the same each time. */

#include "process-view.h"

#include "array.h"
#include "utf8.h"

void process_view_done(ProcessView *v) {
        free(v->threads);
        hash_index_done(&v->by_tid);
        byte_pool_done(&v->names);
        *v = (ProcessView) {};
}

void process_view_restart(ProcessView *v) {
        hash_index_done(&v->by_tid);
        v->by_tid = (HashIndex) {};
}

static uint64_t view_hash_thread(const void *owner, uintptr_t entry) {
        const ProcessView *v = owner;

        return v->threads[entry - 1].tid;
}

static uintptr_t view_find_thread(const ProcessView *v, uint32_t tid) {
        return HASH_INDEX_FIND(&v->by_tid, tid, entry, v->threads[entry - 1].tid == tid);
}

static int view_add_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t name, uint32_t *ret) {
        uintptr_t before = view_find_thread(v, tid);
        const NamedThread *last;
        int r = 0;

        if (v->n_threads >= PROCESS_VIEW_THREADS_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(v->threads, v->threads_allocated, v->n_threads + 1) < 0)
                return -ENOMEM;
        last = before > 0 ? v->threads + before - 1 : NULL;
        v->threads[v->n_threads] = (NamedThread) {
                .tid = tid, .pid = pid, .name = name, .instance = last ? last->instance + (last->pid == last->tid) : 0,
        };
        if (before > 0)
                hash_index_replace(&v->by_tid, tid, before, v->n_threads + 1);
        else
                r = hash_index_add(&v->by_tid, tid, v->n_threads + 1, view_hash_thread, v);
        if (r >= 0)
                *ret = (uint32_t) v->n_threads++;
        return r;
}

int process_view_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t *ret) {
        uintptr_t found = view_find_thread(v, tid);

        if (found == 0)
                return view_add_thread(v, pid, tid, 0, ret);
        *ret = (uint32_t) found - 1;
        return 0;
}

/* A name that was made of the thread's number is not inherited. */
static uint32_t view_inherit_name(const ProcessView *v, uintptr_t parent) {
        const NamedThread *n = parent > 0 ? v->threads + parent - 1 : NULL;
        char made[THREAD_NAME_SIZE];

        if (!n || n->name == 0)
                return 0;
        (void) snprintf(made, sizeof(made), ":%d", (int) n->tid);
        return streq(process_view_name(v, n->name), made) ? 0 : n->name;
}

static int view_intern_name(ProcessView *v, const char *text, uint32_t *ret) {
        char name[THREAD_NAME_SIZE];

        (void) utf8_line_to(name, sizeof(name), text);
        return byte_pool_intern(&v->names, name, strlen(name) + 1, ret);
}

static int view_take_comm(ProcessView *v, const PerfRecordComm *comm) {
        uint32_t number, name;
        int r = process_view_thread(v, comm->pid, comm->tid, &number);

        if (r >= 0)
                r = view_intern_name(v, comm->name, &name);
        if (r >= 0)
                v->threads[number].name = name;
        return r;
}

int process_view_take(ProcessView *v, const struct perf_event_header *record) {
        const PerfRecordTask *task = (const void *) record;
        uint32_t number;
        int r = 0;

        if (record->type == PERF_RECORD_FORK)
                r = view_add_thread(v, task->pid, task->tid, view_inherit_name(v, view_find_thread(v, task->ptid)), &number);
        else if (record->type == PERF_RECORD_COMM)
                r = view_take_comm(v, (const void *) record);
        return r == -ENOMEM ? r : 0;
}

uint32_t process_view_name_of_tid(const ProcessView *v, uint32_t tid) {
        uintptr_t found = view_find_thread(v, tid);

        return found > 0 ? v->threads[found - 1].name : 0;
}

uint32_t process_view_name_of_process(const ProcessView *v, const NamedThread *thread) {
        uintptr_t found = view_find_thread(v, thread->pid);
        const NamedThread *leader = found > 0 ? v->threads + found - 1 : NULL;

        return leader && leader->pid == thread->pid ? leader->name : 0;
}

int process_view_name_thread(ProcessView *v, uint32_t thread, uint32_t *ret) {
        NamedThread *n = v->threads + thread;
        char name[THREAD_NAME_SIZE];
        int r = 0;

        if (n->name == 0) {
                (void) snprintf(name, sizeof(name), n->tid == 0 ? "swapper" : ":%d", (int) n->tid);
                r = view_intern_name(v, name, &n->name);
        }
        if (r >= 0)
                *ret = n->name;
        return r;
}
