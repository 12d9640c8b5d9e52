/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about what happens now. */

#define TRACE_LIVE_ROWS \
        VIEW_CALL(TraceLiveOptions, calls, "expr", 0, "=CALL[,CALL...]", call_options_take_calls, NULL), \
        VIEW_CALL(TraceLiveOptions, calls, "event", 'e', "=CALL[,CALL...]", call_options_take_calls, \
                  "Only these system calls, patterns of names, or @groups:\n" \
                  "@desc, @file, @ipc, @memory, @network, @process, @signal;\n!CALL,...: all but these"), \
        VIEW_CALL(TraceLiveOptions, calls.longer, "duration", 0, "=MSEC", call_options_take_msec, \
                  "Only calls that took so many milliseconds or more"), \
        VIEW_SET(TraceLiveOptions, calls.failures, "failure", 0, "Only calls that failed"), \
        VIEW_SET(TraceLiveOptions, target.all_cpus, "all-cpus", 'a', "Trace all CPUs"), \
        VIEW_CALL(TraceLiveOptions, target, "cpu", 'C', "=LIST", trace_live_take_target, "Trace these CPUs: 0-3,5", \
                  .number = TRACE_LIVE_CPUS), \
        VIEW_CALL(TraceLiveOptions, target, "pid", 'p', "=PID[,PID...]", trace_live_take_target, "Trace these processes", \
                  .number = TRACE_LIVE_PIDS), \
        VIEW_CALL(TraceLiveOptions, target, "tid", 't', "=TID[,TID...]", trace_live_take_target, "Trace these threads", \
                  .number = TRACE_LIVE_TIDS), \
        VIEW_CALL(TraceLiveOptions, target, "uid", 'u', "=USER", trace_live_take_target, "Trace the processes of this user", \
                  .number = TRACE_LIVE_USER), \
        VIEW_SET(TraceLiveOptions, no_inherit, "no-inherit", 0, "Do not trace new processes and threads"), \
        VIEW_CALL(TraceLiveOptions, pages, "mmap-pages", 'm', "=PAGES", trace_live_take_pages, \
                  "Size of the buffer of each CPU, in pages, or with B, K, M"), \
        VIEW_SET(TraceLiveOptions, calls.summary_only, "summary", 's', "Show only sums of the calls of each thread"), \
        VIEW_SET(TraceLiveOptions, calls.summary, "with-summary", 'S', "Show these behind the calls"), \
        VIEW_CALL(TraceLiveOptions, calls.mode, "summary-mode", 0, "=MODE", call_options_take_mode, \
                  "Sum up by thread (the default), or in total"), \
        VIEW_SET(TraceLiveOptions, calls.errnos, "errno-summary", 0, "Show the errors in sums, too"), \
        VIEW_CALL(TraceLiveOptions, calls.max_events, "max-events", 0, "=NUMBER", call_options_take_number, \
                  "End after so many lines"), \
        VIEW_SET(TraceLiveOptions, calls.absolute, "full-time", 'T', "Show times of the clock, not since the begin"), \
        VIEW_CLEAR(TraceLiveOptions, calls.anonymous, "comm", 0, NULL), \
        VIEW_SET(TraceLiveOptions, calls.anonymous, "no-comm", 0, "Show names of threads (the default), or only their ids"), \
        VIEW_SET(TraceLiveOptions, calls.strace, "strace", 0, "Show calls as strace does"), \
        VIEW_SET(TraceLiveOptions, calls.json, "json", 0, "Show each call as an object of JSON; sums as one"), \
        VIEW_TEXT(TraceLiveOptions, output, "output", 'o', "=FILE", "Write to this file, not to standard error")
