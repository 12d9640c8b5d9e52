/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>

#include "call-descriptors.h"
#include "call-event.h"
#include "call-model.h"
#include "call-options.h"
#include "syscall-text.h"

/* System calls as lines, in the order in which they return: those of perf trace, of strace(1), or objects of JSON. When a thread
 * begins a call while another one is in its own, a line shows the begin of that, and another one later its end. */

/* When lines of strace's name the thread: while several threads live; always; always, as in strace's files, by its number only. */
typedef enum CallHeads {
        CALL_HEADS_OF_SEVERAL,
        CALL_HEADS_ALWAYS,
        CALL_HEADS_OF_FILE,
        _CALL_HEADS_MAX,
} CallHeads;

/* Zero-initialise, but for what comes first. */
typedef struct CallLines {
        const CallOptions *options;
        SyscallAbi abi;
        CallHeads heads;
        CallDescriptors *descriptors; /* which has what is open; NULL: it is not shown */
        bool memory;       /* of arguments is read */
        const CallModel *model; /* which has names of threads, and how many live */
        TextBuffer *out;
        int64_t to_wall;   /* what is added to a time for nanoseconds since the epoch; for times of day */
        uint64_t first;    /* the time of the first event; 0: there was none */
        uint32_t current;  /* the thread whose call began last, and is not shown: number + 1; 0: none */
        uint64_t n;        /* lines of calls */
        uint32_t pid;      /* of the line that is put */
        time_t second;     /* of the last time of day that was put … */
        char second_text[16]; /* … with hours and minutes */
        TextBuffer line;
} CallLines;

void call_lines_done(CallLines *l);

/* Another model begins: numbers of threads are others. */
void call_lines_begin(CallLines *l);

/* A thread began the call in which it is. */
void call_lines_add_begin(CallLines *l, CallModel *m, uint32_t thread, uint64_t time);

/* A call ended; descriptors follow it. 0, -ENOMEM. */
int call_lines_add_end(CallLines *l, CallModel *m, uint32_t thread, const Call *c);

/* Another event of a thread, or a page fault. */
void call_lines_add_event(CallLines *l, CallModel *m, const CallThread *t, uint64_t time, const CallEvent *e, const void *raw,
                          size_t size);

void call_lines_add_fault(CallLines *l, CallModel *m, const CallThread *t, uint64_t time, const CallFault *f);

/* strace: a thread ended in its call, if it is in one, or got a signal, or its line of the end is due. */
void call_lines_add_kill(CallLines *l, CallModel *m, uint32_t thread);
void call_lines_add_signal(CallLines *l, CallModel *m, uint32_t thread, const SyscallSignal *s);
void call_lines_add_thread_end(CallLines *l, CallModel *m, uint32_t thread, ThreadEnd end);

/* So many events were lost at that time; 0: it is not known how many. */
void call_lines_add_loss(CallLines *l, uint64_t time, uint64_t n);

/* Shows the calls that have not returned. */
void call_lines_end(CallLines *l, CallModel *m);

/* Returns whether as many lines were shown as are wanted. */
bool call_lines_are_enough(const CallLines *l);
