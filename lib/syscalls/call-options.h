/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "call-model.h"
#include "syscall-table.h"
#include "view-options.h"

/* Options of trace say which system calls are shown, and how. These are the same for what happens now and for recordings. */

typedef enum CallSummary {
        CALL_SUMMARY_THREAD,
        CALL_SUMMARY_TOTAL,
        CALL_SUMMARY_CGROUP,
        _CALL_SUMMARY_MAX,
} CallSummary;

/* Zero-initialise. */
typedef struct CallOptions {
        char **words;              /* of -e: names, patterns and @groups; NULL: all calls */
        bool others;               /* -e !...: all but these */
        char **events;             /* of -e: names and patterns of tracepoints, with a colon */
        size_t last_events;        /* those of the last -e begin there */
        bool minor_faults, major_faults; /* -F */
        bool with_calls, no_calls; /* --syscalls, --no-syscalls */
        uint64_t longer;           /* nanoseconds: only calls that took so long */
        uint64_t max_events;       /* lines of calls; 0: all */
        CallSummary mode;
        bool summary_only, summary, errnos;
        bool failures;             /* only calls that failed */
        bool absolute;             /* times are those of the clock */
        bool time_of_day;          /* times are those of the day */
        bool anonymous;            /* without the names of threads */
        bool strace, json;
        bool descriptors;          /* what is open is shown with its number */
} CallOptions;

/* For rows: -e, --duration, --max-events, --summary-mode. */
int call_options_take_calls(void *options, const ViewOption *option, const char *value);
int call_options_take_msec(void *nsec, const ViewOption *option, const char *value);
int call_options_take_number(void *number, const ViewOption *option, const char *value);
int call_options_take_mode(void *mode, const ViewOption *option, const char *value);
int call_options_take_faults(void *options, const ViewOption *option, const char *value); /* -F */
void call_options_done(CallOptions *o);

/* Returns whether calls are shown: unless it was said, if -e names some, or if nothing else was asked for. */
bool call_options_have_calls(const CallOptions *o);

/* Returns whether -e names the event, as "sched:sched_switch". */
bool call_options_want_event(const CallOptions *o, const char *name);

/* Returns whether -e names the call. */
bool call_options_want(const CallOptions *o, SyscallAbi abi, uint32_t number);

/* Returns whether lines are those of strace, which has signals and the ends of threads, too. */
static inline bool call_options_show_threads(const CallOptions *o) {
        return o->strace && !o->json && !o->summary_only;
}

/* Returns whether descriptors are shown with what they are. perf trace does it of what happens now (live). */
static inline bool call_options_name_descriptors(const CallOptions *o, bool live) {
        return !o->summary_only && (o->descriptors || (live && !o->strace && !o->json));
}

/* Returns whether a call that has returned is to be shown: it took long enough, and failed if only such are wanted. */
bool call_options_want_result(const CallOptions *o, const Call *c);

/* Returns whether a call failed: its result is the negative number of an error. */
static inline bool call_failed(const Call *c) {
        return c->until > 0 && c->result < 0 && c->result >= -4095;
}
