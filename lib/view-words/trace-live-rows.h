/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about what happens now. */

#define TRACE_LIVE_ROWS \
        CALL_SELECTION_ROWS(TraceLiveOptions), \
        VIEW_SET(TraceLiveOptions, target.all_cpus, "all-cpus", 'a', "Trace all CPUs"), \
        VIEW_CALL(TraceLiveOptions, target, "cpu", 'C', "=LIST", trace_live_take_target, "Trace these CPUs: 0-3,5", \
                  .number = TRACE_LIVE_CPUS), \
        VIEW_CALL(TraceLiveOptions, target, "pid", 'p', "=PID[,PID...]", trace_live_take_target, "Trace these processes", \
                  .number = TRACE_LIVE_PIDS), \
        VIEW_CALL(TraceLiveOptions, target, "tid", 't', "=TID[,TID...]", trace_live_take_target, "Trace these threads", \
                  .number = TRACE_LIVE_TIDS), \
        VIEW_CALL(TraceLiveOptions, target, "uid", 'u', "=USER", trace_live_take_target, "Trace the processes of this user", \
                  .number = TRACE_LIVE_USER), \
        VIEW_CALL(TraceLiveOptions, groups, "cgroup", 'G', "=NAME[,NAME...]", trace_live_take_groups, \
                  "Trace these control groups, on all CPUs without -C", .number = TRACE_LIVE_CGROUPS), \
        VIEW_CALL(TraceLiveOptions, groups, "unit", 0, "=UNIT[,UNIT...]", trace_live_take_groups, \
                  "Trace the control groups of these units, as web.service", .number = TRACE_LIVE_UNITS), \
        VIEW_CALL(TraceLiveOptions, left_out, "filter-pids", 0, "=PID[,PID...]", trace_live_take_target, \
                  "Leave out these processes", .number = TRACE_LIVE_PIDS), \
        VIEW_CALL(TraceLiveOptions, delay, "delay", 'D', "=MSEC", call_options_take_number, \
                  "Begin so many milliseconds after the command"), \
        VIEW_CLEAR(TraceLiveOptions, by_events, "bpf-summary", 0, NULL), \
        VIEW_SET(TraceLiveOptions, by_events, "no-bpf-summary", 0, \
                 "Sum up in the kernel where that can be done (the default), or here"), \
        VIEW_WHOLE("filter", 0, "=FILTER", trace_live_take_filter, "Show only what of the tracepoints of the last -e passes it"), \
        VIEW_SET(TraceLiveOptions, no_inherit, "no-inherit", 0, "Do not trace new processes and threads"), \
        VIEW_CALL(TraceLiveOptions, pages, "mmap-pages", 'm', "=PAGES", trace_live_take_pages, \
                  "Size of the buffer of each CPU, in pages, or with B, K, M"), \
        CALL_SHOWN_ROWS(TraceLiveOptions), \
        VIEW_TEXT(TraceLiveOptions, output, "output", 'o', "=FILE", "Write to this file, not to standard error")
