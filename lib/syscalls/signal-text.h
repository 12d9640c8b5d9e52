/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Signals that threads get, and the ends of threads, as lines of strace. */

/* A signal as the tracepoint signal:signal_deliver has it, and what is known of its sender. */
typedef struct SyscallSignal {
        int32_t number, code, error;
        bool has_code;
        bool by_default;    /* no handler was set, and it is not ignored */
        uint32_t sender;    /* a process; 0: not known */
        bool has_status;    /* SIGCHLD: status is the exit status of the child, or the signal that ended it */
        int32_t status;
} SyscallSignal;

/* A thread ended by itself, with its process, or by a signal. */
typedef enum ThreadEndKind {
        THREAD_END_UNKNOWN,
        THREAD_END_STATUS, /* number is the exit status */
        THREAD_END_SIGNAL, /* number is the signal */
        _THREAD_END_KIND_MAX,
} ThreadEndKind;

typedef struct ThreadEnd {
        ThreadEndKind kind;
        int32_t number;
} ThreadEnd;

/* The signal does by default end the process; or stop it. */
bool signal_ends_process(int32_t number);
bool signal_stops_process(int32_t number);

/* Puts "--- SIGTERM {si_signo=SIGTERM, si_code=SI_USER, si_pid=2895, ...} ---"; the dots are for fields that are not known. */
void signal_put_line(TextBuffer *b, const SyscallSignal *s);

/* Puts "--- stopped by SIGSTOP ---". */
void signal_put_stop(TextBuffer *b, int32_t number);

/* Puts "+++ exited with 0 +++", "+++ killed by SIGKILL +++", "+++ exited +++". */
void signal_put_end(TextBuffer *b, ThreadEnd end);
