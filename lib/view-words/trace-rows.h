/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about recordings. */

#define TRACE_ROWS \
        RECORDING_ROWS(TraceOptions, "several: one after the other"), \
        VIEW_CALL(TraceOptions, calls, "expr", 0, "=CALL[,CALL...]", call_options_take_calls, NULL), \
        VIEW_CALL(TraceOptions, calls, "event", 'e', "=CALL[,CALL...]", call_options_take_calls, \
                  "Only these system calls, patterns of names, or @groups:\n" \
                  "@desc, @file, @ipc, @memory, @network, @process, @signal;\n!CALL,...: all but these"), \
        VIEW_CALL(TraceOptions, calls.longer, "duration", 0, "=MSEC", call_options_take_msec, \
                  "Only calls that took so many milliseconds or more"), \
        VIEW_SET(TraceOptions, calls.failures, "failure", 0, "Only calls that failed"), \
        SELECTION_ROW(TraceOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(TraceOptions), \
        SELECTION_ROW(TraceOptions, PID, "pid", 'p', "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(TraceOptions, TID, "tid", 't', "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(TraceOptions, CPU, "cpu", 'C', "=CPU[,CPU...]", "Only these CPUs"), \
        VIEW_SET(TraceOptions, calls.summary_only, "summary", 's', "Show only sums of the calls of each thread"), \
        VIEW_SET(TraceOptions, calls.summary, "with-summary", 'S', "Show these behind the calls"), \
        VIEW_CALL(TraceOptions, calls.mode, "summary-mode", 0, "=MODE", call_options_take_mode, \
                  "Sum up by thread (the default), or in total"), \
        VIEW_SET(TraceOptions, calls.errnos, "errno-summary", 0, "Show the errors in sums, too"), \
        VIEW_CALL(TraceOptions, calls.max_events, "max-events", 0, "=NUMBER", call_options_take_number, \
                  "End after so many lines"), \
        VIEW_SET(TraceOptions, calls.absolute, "full-time", 'T', "Show times of the recording's clock, not since its begin"), \
        VIEW_CLEAR(TraceOptions, calls.anonymous, "comm", 0, NULL), \
        VIEW_SET(TraceOptions, calls.anonymous, "no-comm", 0, "Show names of threads (the default), or only their ids"), \
        VIEW_SET(TraceOptions, calls.strace, "strace", 0, "Show calls as strace does"), \
        VIEW_SET(TraceOptions, calls.json, "json", 0, "Show each call as an object of JSON; sums as one"), \
        VIEW_SET(TraceOptions, verbose, "verbose", 'v', "Report all files that are not used, not only the first"), \
        VIEW_ACCEPTED("force", 'f')
