/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An end belongs to the begin before it if both have the same number. After events were lost, the begin that is known may be that
 * of an earlier call of the same number: it is forgotten, and the next end has no begin. */

#include "call-model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "array.h"

void call_model_done(CallModel *m) {
        for (size_t i = 0; i < m->n_threads; i++)
                (void) call_memory_free(m->threads[i].memory);
        free(m->threads);
        hash_index_done(&m->by_tid);
        *m = (CallModel) {};
}

static uint64_t call_hash_of(const void *owner, uintptr_t entry) {
        return hash_mix(0, ((const CallModel *) owner)->threads[entry - 1].tid);
}

static uintptr_t call_model_entry(const CallModel *m, uint32_t tid) {
        return HASH_INDEX_FIND(&m->by_tid, hash_mix(0, tid), entry, m->threads[entry - 1].tid == tid);
}

const CallThread *call_model_find(const CallModel *m, uint32_t tid) {
        uintptr_t found = call_model_entry(m, tid);

        return found > 0 ? m->threads + found - 1 : NULL;
}

CallThread *call_model_leader(CallModel *m, CallThread *t) {
        uintptr_t found = t->pid == t->tid ? 0 : call_model_entry(m, t->pid);

        return found > 0 ? m->threads + found - 1 : t;
}

/* Adds a thread; before: the entry of the one that had its id; 0: there was none. */
static int call_model_add(CallModel *m, uint32_t tid, uintptr_t before, CallThread **ret) {
        uint64_t hash = hash_mix(0, tid);

        if (before > 0)
                call_model_end(m, m->threads + before - 1);
        if (before > 0 && m->reuses) {
                *ret = m->threads + before - 1;
                (void) call_memory_free((*ret)->memory);
        } else {
                if (m->n_threads >= CALL_THREADS_MAX)
                        return -ENOSPC;
                if (ARRAY_RESERVE(m->threads, m->threads_allocated, m->n_threads + 1) < 0)
                        return -ENOMEM;
                *ret = m->threads + m->n_threads++;
        }
        **ret = (CallThread) { .tid = tid };
        m->n_alive++;
        if (before == 0)
                return hash_index_add(&m->by_tid, hash, m->n_threads, call_hash_of, m);
        if (!m->reuses)
                hash_index_replace(&m->by_tid, hash, before, m->n_threads);
        return 0;
}

int call_model_thread(CallModel *m, uint32_t tid, CallThread **ret) {
        uintptr_t found = call_model_entry(m, tid);

        if (found == 0 || m->threads[found - 1].ended)
                return call_model_add(m, tid, found, ret);
        *ret = m->threads + found - 1;
        return 0;
}

int call_model_fork(CallModel *m, uint32_t pid, uint32_t tid, const char *name) {
        CallThread *t;
        int r = call_model_add(m, tid, call_model_entry(m, tid), &t);

        if (r < 0)
                return r;
        t->pid = pid;
        t->born = true;
        call_model_leader(m, t)->others += pid != tid;
        (void) snprintf(t->name, sizeof(t->name), "%s", name);
        return 0;
}

void call_model_end(CallModel *m, CallThread *t) {
        CallThread *leader = call_model_leader(m, t);

        if (t->ended)
                return;
        t->ended = true;
        m->n_alive--;
        if (leader != t && leader->others > 0)
                leader->others--;
}

int call_thread_take_memory(CallThread *t, const void *record, size_t size) {
        return call_memory_take(&t->memory, record, size);
}

const CallMemory *call_thread_memory(const CallThread *t, uint32_t number) {
        return t->memory && t->memory->number == number ? t->memory : NULL;
}

bool call_thread_begin(CallThread *t, uint64_t time, uint32_t number, const uint64_t arguments[static CALL_ARGUMENTS]) {
        bool lost = t->in_call;
        uint32_t interrupted = !lost && t->call.result == -CALL_RESTARTS_LAST ? t->call.number + 1 : 0;

        t->in_call = true;
        t->shown = false;
        t->call = (Call) { .number = number, .since = time, .interrupted = interrupted };
        memcpy(t->call.arguments, arguments, sizeof(t->call.arguments));
        return lost;
}

uint32_t call_thread_number(const CallThread *t, SyscallAbi abi, uint32_t number) {
        const char *begun = t->in_call ? syscall_name(abi, t->call.number) : NULL, *ended = syscall_name(abi, number);

        return begun && ended && startswith(begun, "execve") && streq(ended, "execve") ? t->call.number : number;
}

bool call_thread_end(CallThread *t, uint64_t time, uint32_t number, int64_t result, Call *ret) {
        bool same = t->in_call && t->call.since <= time && (t->call.number == number || number == CALL_NUMBER_NONE);

        *ret = same ? t->call : (Call) { .number = number };
        ret->until = time;
        ret->result = result;
        t->in_call = false;
        t->call = *ret;
        return number != CALL_NUMBER_NONE || same;
}

void call_model_lose(CallModel *m) {
        for (size_t i = 0; i < m->n_threads; i++)
                m->threads[i].in_call = false;
}
