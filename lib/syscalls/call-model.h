/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "call-memory.h"
#include "hash-index.h"
#include "signal-text.h"
#include "syscall-table.h"

/* Threads that are in a system call, and since when, out of the events that calls begin and end with (raw_syscalls:sys_enter and
 * sys_exit), in the order of time. Times are in nanoseconds; 0: not known, since it was before the first event that there is, or
 * since events were lost. */

#define CALL_ARGUMENTS 6u
#define CALL_THREADS_MAX (4u << 20)
#define CALL_NAME_SIZE 64u

/* Results of calls that the kernel begins again, which no program sees: include/linux/errno.h. */
#define CALL_RESTARTS_FIRST 512
#define CALL_RESTARTS_LAST 516 /* by restart_syscall(2) */

/* The number that the kernel gives at the end of sigreturn(2), and of calls that were not made (seccomp, ptrace). */
#define CALL_NUMBER_NONE UINT32_MAX

/* A call, as far as it is known. */
typedef struct Call {
        uint32_t number;
        uint64_t arguments[CALL_ARGUMENTS];
        uint64_t since; /* 0: neither this nor the arguments are known */
        uint64_t until; /* 0: it has not returned */
        int64_t result;
        uint32_t interrupted; /* restart_syscall(2): the call that it resumes, number + 1; 0: not known */
} Call;

/* A process that ended. */
typedef struct CallChild {
        uint32_t pid;
        ThreadEnd end;
} CallChild;

#define CALL_CHILDREN_MAX 4u /* of further ones that end at once, no signal is shown */

typedef struct CallThread {
        uint32_t tid, pid;
        char name[CALL_NAME_SIZE]; /* a line of UTF-8; "": not known */
        uint32_t group;  /* its control group: the number of a CallSumThread + 1; 0: not known */
        bool born;       /* it began in the recording, and was in no call before */
        bool seen;       /* it, or the one that it comes from, made a call that was selected */
        bool ended;
        bool ending;     /* the first of its process: it ended before others of it, and still counts */
        bool handles_children; /* the first of its process: it got SIGCHLD */
        bool held;       /* its call returned, and is shown when it is known whether the thread ended with it */
        uint32_t replacing; /* the first of its process: the thread that executes a program, which ends the others; 0: none */
        uint32_t others; /* the first of its process: threads of it that began and did not end */
        CallChild dead[CALL_CHILDREN_MAX]; /* the first of its process: children that ended, whose SIGCHLD is due */
        uint8_t n_dead;
        bool took_end;   /* the first of its process: the signal that ends it has its line */
        ThreadEnd end;   /* the first of its process: of all that do not end by themselves */
        int32_t sent;    /* the last signal that was sent to it and did not arrive; 0: none */
        int32_t sent_code;
        uint32_t sender; /* the process that sent it */
        bool in_call;
        bool wanted;     /* its call is one of those that are to be shown */
        bool shown;      /* the begin of its call was shown, see call-lines.h */
        bool named;      /* others lived when its call began */
        Call call;       /* in which it is; without one: the last one */
        CallMemory *memory; /* of a call's arguments; NULL: nothing is known */
} CallThread;

/* Zero-initialise. */
typedef struct CallModel {
        CallThread *threads;
        size_t n_threads, threads_allocated;
        size_t n_alive;   /* of them */
        HashIndex by_tid; /* of the newest thread of each id: number + 1 */
        bool reuses;      /* a thread takes the number of the one that had its id, so that there are never more than ids */
} CallModel;

void call_model_done(CallModel *m);

/* Returns the newest thread of that id; NULL: there is none. */
const CallThread *call_model_find(const CallModel *m, uint32_t tid);

/* Returns the first thread of the process of t, or t if that is not known. */
CallThread *call_model_leader(CallModel *m, CallThread *t);

/* Finds or adds the newest thread of that id. It is valid until the next call. 0, -ENOMEM, -ENOSPC: there are CALL_THREADS_MAX. */
int call_model_thread(CallModel *m, uint32_t tid, CallThread **ret);

/* A thread begins, whose id may have been another one's. Errors as above. */
int call_model_fork(CallModel *m, uint32_t pid, uint32_t tid, const char *name);

/* A thread ends. */
void call_model_end(CallModel *m, CallThread *t);

/* Something of the memory of a call is known, see call_memory_take(): of the one that begins or ends next. 0, -ENOMEM. */
int call_thread_take_memory(CallThread *t, const void *record, size_t size);

/* Returns what is known of the memory of a call of that number; NULL: nothing. */
const CallMemory *call_thread_memory(const CallThread *t, uint32_t number);

/* A call begins. Returns whether the thread was in another one, whose end was lost. */
bool call_thread_begin(CallThread *t, uint64_t time, uint32_t number, const uint64_t arguments[static CALL_ARGUMENTS]);

/* Returns the number of the call that ends if the kernel says that it has this one: execve(2) and execveat(2) that succeed end as
 * execve(2) of the ABI of the new program. */
uint32_t call_thread_number(const CallThread *t, SyscallAbi abi, uint32_t number);

/* A call ends: *ret is it. Returns false if it ends none that can be named. */
bool call_thread_end(CallThread *t, uint64_t time, uint32_t number, int64_t result, Call *ret);

/* Events of a CPU were lost, or of all: any thread may have come out of its call, and gone into another one. */
void call_model_lose(CallModel *m);
