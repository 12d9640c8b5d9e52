/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-model.h"
#include "call-options.h"
#include "run-mean.h"
#include "text-buffer.h"

/* System calls summed up by thread, or control group, and number. */

/* An error that a call failed with, so many times. */
typedef struct CallError {
        uint32_t next; /* of the same sum: number + 1; 0: none */
        uint32_t error;
        uint64_t n;
} CallError;

typedef struct CallSum {
        uint32_t thread;  /* a number of a CallSumThread */
        uint32_t errors;  /* the first CallError: number + 1; 0: none */
        uint32_t number;  /* of the call; CALL_NUMBER_NONE: the thread has page faults */
        uint64_t n, failed;
        RunMean times;    /* nanoseconds, of those whose begin is known */
        uint64_t shortest, longest;
} CallSum;

typedef struct CallSumThread {
        uint32_t tid;     /* 0: all threads, or those of a group */
        char *group;      /* the path of a control group; "": not known; NULL: it is none */
        uint64_t n;       /* events: begins and ends */
        uint64_t major_faults, minor_faults;
        char name[CALL_NAME_SIZE];
} CallSumThread;

/* Zero-initialise. */
typedef struct CallSums {
        CallSumThread *threads;
        size_t n_threads, threads_allocated;
        CallSum *sums;
        size_t n_sums, sums_allocated;
        CallError *errors;
        size_t n_errors, errors_allocated;
        HashIndex index;      /* of sums: number + 1 */
        uint32_t *thread_of;  /* by the number of a thread of the model: number + 1 */
        size_t thread_of_n, thread_of_allocated;
        uint64_t n;           /* events */
} CallSums;

void call_sums_done(CallSums *s);

/* Another model begins: numbers of threads are others. What was summed up stays. */
void call_sums_begin(CallSums *s);

/* The thread is in the control group of that path from now on; NULL: it is not known. 0, -ENOMEM. */
int call_sums_set_group(CallSums *s, CallThread *t, const char *path);

/* They count the begin of a call, and its end, of the thread of that number of the model. 0, -ENOMEM. */
int call_sums_add_begin(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread);
int call_sums_add_end(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread, const Call *c);

/* The same for a page fault. */
int call_sums_add_fault(CallSums *s, const CallOptions *o, CallModel *m, uint32_t thread, bool major);

/* They add a thread that was summed up elsewhere, with so many events, and calls of it; thread: *ret. 0, -ENOMEM. */
int call_sums_merge_thread(CallSums *s, const CallOptions *o, uint32_t tid, const char *name, uint64_t n, uint32_t *ret);
int call_sums_merge(CallSums *s, uint32_t thread, const CallSum *sum);
int call_sums_merge_error(CallSums *s, uint32_t thread, uint32_t number, uint32_t error, uint64_t n);

/* Puts them as perf trace --summary does, or as an object of JSON. 0, -ENOMEM. */
int call_sums_put(const CallSums *s, const CallOptions *o, SyscallAbi abi, TextBuffer *out);
int call_sums_put_json(const CallSums *s, SyscallAbi abi, TextBuffer *out);
