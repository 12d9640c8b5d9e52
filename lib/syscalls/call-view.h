/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-lines.h"
#include "call-sums.h"

/* A trace as it is shown: events of system calls go in, in the order of time, and lines and sums come out. Zero-initialise, but for
 * what comes first. */

#define CALL_VIEW_NUMBERS 1024u /* calls of which it is known whether they are wanted */

typedef struct CallView {
        const CallOptions *options;
        SyscallAbi abi;
        TextBuffer out;
        CallModel model;
        CallLines lines;
        CallSums sums;
        CallDescriptors descriptors;
        int8_t wanted[CALL_VIEW_NUMBERS]; /* 1, -1: it is not; 0: not known yet */
} CallView;

void call_view_done(CallView *v);

/* Another recording begins, or what happens now. */
void call_view_begin(CallView *v, SyscallAbi abi, CallHeads heads);

/* A thread began, of the same process or of a new one, with what its parent has. 0, -ENOMEM, -ENOSPC. */
int call_view_fork(CallView *v, uint32_t parent, uint32_t parent_tid, uint32_t pid, uint32_t tid);

/* Finds or adds the thread, whose name may have changed; name: NULL: it did not. Valid until the next call. 0, -ENOMEM, -ENOSPC. */
int call_view_thread(CallView *v, uint32_t pid, uint32_t tid, const char *name, CallThread **ret);

/* Something of the memory of a call of the thread is known, see call_memory_take(). 0, -ENOMEM. */
int call_view_take_memory(CallView *v, CallThread *t, const void *record, size_t size);

/* A thread ends, whose process has this parent. 0, errors of writing. */
int call_view_end_thread(CallView *v, uint32_t tid, uint32_t parent, bool selected);

/* A thread gets a signal; or one is sent to it by a process. */
int call_view_signal(CallView *v, CallThread *t, const SyscallSignal *s, bool selected);
void call_view_send(CallView *v, uint32_t tid, int32_t number, int32_t code, uint32_t sender);

/* It is known from elsewhere that a signal ends the process. */
void call_view_kill(CallView *v, uint32_t pid, int32_t number);

/* A call begins, or ends. selected: its thread and time are. 0, -ENOMEM, errors of writing. */
int call_view_enter(CallView *v, CallThread *t, uint64_t time, uint32_t number, const uint64_t arguments[static CALL_ARGUMENTS],
                    bool selected);
int call_view_exit(CallView *v, CallThread *t, uint64_t time, uint32_t number, int64_t result, bool selected);

/* Another event of a thread, or a page fault. Errors as above. */
int call_view_event(CallView *v, const CallThread *t, uint64_t time, const CallEvent *e, const void *raw, size_t size);

int call_view_fault(CallView *v, const CallThread *t, uint64_t time, const CallFault *f);

/* So many events were lost at that time; 0: it is not known how many. */
void call_view_lose(CallView *v, uint64_t time, uint64_t n, bool selected);

/* Returns whether as many lines were shown as are wanted. */
bool call_view_is_enough(const CallView *v);

/* The recording ends: calls that have not returned are shown. */
void call_view_end(CallView *v);

/* Shows the sums, and writes all. 0, -ENOMEM, errors of writing. */
int call_view_finish(CallView *v);
