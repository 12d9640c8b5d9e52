/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names are those of threads, as perf shows them: a thread has its parent's until it sets one of its own. Ended
 * threads are kept, since what was counted for them refers to them. A recording may be read more than once: instances,
 * and not numbers, are the same each time. */

#include "thread-names.h"

#include "array.h"
#include "utf8.h"

void thread_names_done(ThreadNames *t) {
        free(t->threads);
        hash_index_done(&t->by_tid);
        byte_pool_done(&t->names);
        *t = (ThreadNames) {};
}

void thread_names_begin(ThreadNames *t) {
        hash_index_done(&t->by_tid);
        t->by_tid = (HashIndex) {};
}

static uint64_t thread_hash(const void *owner, uintptr_t entry) {
        const ThreadNames *t = owner;

        return t->threads[entry - 1].tid;
}

static uintptr_t thread_find(const ThreadNames *t, uint32_t tid) {
        return HASH_INDEX_FIND(&t->by_tid, tid, entry, t->threads[entry - 1].tid == tid);
}

static int thread_add(ThreadNames *t, uint32_t pid, uint32_t tid, uint32_t name, uint32_t *ret) {
        uintptr_t before = thread_find(t, tid);
        const NamedThread *last;
        int r = 0;

        if (t->n >= THREAD_NAMES_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(t->threads, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        last = before > 0 ? t->threads + before - 1 : NULL;
        t->threads[t->n] = (NamedThread) {
                .tid = tid, .pid = pid, .name = name, .instance = last ? last->instance + (last->pid == last->tid) : 0,
        };
        if (before > 0)
                hash_index_replace(&t->by_tid, tid, before, t->n + 1);
        else
                r = hash_index_add(&t->by_tid, tid, t->n + 1, thread_hash, t);
        if (r >= 0)
                *ret = (uint32_t) t->n++;
        return r;
}

int thread_names_get(ThreadNames *t, uint32_t pid, uint32_t tid, uint32_t *ret) {
        uintptr_t found = thread_find(t, tid);

        if (found == 0)
                return thread_add(t, pid, tid, 0, ret);
        *ret = (uint32_t) found - 1;
        return 0;
}

/* A name that was made of the thread's number is not inherited. */
static uint32_t inherited_name(const ThreadNames *t, uintptr_t parent) {
        const NamedThread *n = parent > 0 ? t->threads + parent - 1 : NULL;
        char made[THREAD_NAME_SIZE];

        if (!n || n->name == 0)
                return 0;
        (void) snprintf(made, sizeof(made), ":%d", (int) n->tid);
        return streq(thread_names_text(t, n->name), made) ? 0 : n->name;
}

int thread_names_fork(ThreadNames *t, const PerfRecordTask *task) {
        uint32_t number;

        return thread_add(t, task->pid, task->tid, inherited_name(t, thread_find(t, task->ptid)), &number);
}

static int thread_names_intern(ThreadNames *t, const char *text, uint32_t *ret) {
        char name[THREAD_NAME_SIZE];

        (void) utf8_line_to(name, sizeof(name), text);
        return byte_pool_intern(&t->names, name, strlen(name) + 1, ret);
}

int thread_names_comm(ThreadNames *t, const PerfRecordComm *comm) {
        uint32_t number, name;
        int r = thread_names_get(t, comm->pid, comm->tid, &number);

        if (r >= 0)
                r = thread_names_intern(t, comm->name, &name);
        if (r >= 0)
                t->threads[number].name = name;
        return r;
}

uint32_t thread_names_of_tid(const ThreadNames *t, uint32_t tid) {
        uintptr_t found = thread_find(t, tid);

        return found > 0 ? t->threads[found - 1].name : 0;
}

uint32_t thread_names_of_process(const ThreadNames *t, const NamedThread *thread) {
        uintptr_t found = thread_find(t, thread->pid);
        const NamedThread *leader = found > 0 ? t->threads + found - 1 : NULL;

        return leader && leader->pid == thread->pid ? leader->name : 0;
}

int thread_names_name(ThreadNames *t, uint32_t thread, uint32_t *ret) {
        NamedThread *n = t->threads + thread;
        char name[THREAD_NAME_SIZE];
        int r = 0;

        if (n->name == 0) {
                (void) snprintf(name, sizeof(name), n->tid == 0 ? "swapper" : ":%d", (int) n->tid);
                r = thread_names_intern(t, name, &n->name);
        }
        if (r >= 0)
                *ret = n->name;
        return r;
}
