/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "trace-layout.h"

/* An event that is shown among system calls: a tracepoint. Zero-initialise. */
typedef struct CallEvent {
        char *name;         /* "sched:sched_switch" */
        TraceLayout layout; /* without fields: these are not known */
} CallEvent;

void call_event_done(CallEvent *e);

/* A page fault: where the code was that caused it, and the memory that it touched, as texts. */
typedef struct CallFault {
        bool major;         /* it was read from a file */
        const char *code;   /* "memset+0x32" */
        const char *memory; /* "/usr/lib/libc.so.6@0x1d4868" */
        char map, level;    /* 'd' or '?': not mapped; '.' or 'k': the kernel's */
} CallFault;

/* Makes the buffer one of these texts, with a zero byte: "FUNCTION+0x12"; without a function "FILE@0x1234"; without both the
 * address. */
void call_place_put(TextBuffer *b, const char *function, const char *file, uint64_t place);

/* Puts "prev_comm: "sh", prev_pid: 7 (sh)", without fields that are 0, as perf trace does. thread_name: as in SyscallCall. */
void call_event_put(TextBuffer *b, const CallEvent *e, const void *raw, size_t size,
                    const char *(*thread_name)(void *userdata, uint32_t tid), void *userdata);

/* Puts all fields as the member "fields", an object of numbers and texts. */
void call_event_put_json(JsonWriter *w, const CallEvent *e, const void *raw, size_t size);
