/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about what happens now. */

#define TRACE_LIVE_ROWS \
        CALL_SELECTION_ROWS(TraceLiveOptions), \
        VIEW_SET(TraceLiveOptions, target.all_cpus, "all-cpus", 'a', "Trace all CPUs"), \
        VIEW_CALL(TraceLiveOptions, target, "cpu", 'C', "=LIST", live_target_take, "Trace these CPUs: 0-3,5", \
                  .number = LIVE_TARGET_CPUS), \
        VIEW_CALL(TraceLiveOptions, target, "pid", 'p', "=PID[,PID...]", live_target_take, "Trace these processes", \
                  .number = LIVE_TARGET_PIDS), \
        VIEW_CALL(TraceLiveOptions, target, "tid", 't', "=TID[,TID...]", live_target_take, "Trace these threads", \
                  .number = LIVE_TARGET_TIDS), \
        VIEW_CALL(TraceLiveOptions, target, "uid", 'u', "=USER", live_target_take, "Trace the processes of this user", \
                  .number = LIVE_TARGET_USER), \
        VIEW_CALL(TraceLiveOptions, groups, "cgroup", 'G', "=NAME[,NAME...]", live_target_take_groups, \
                  "Trace these control groups, on all CPUs without -C", .number = LIVE_TARGET_CGROUPS), \
        VIEW_CALL(TraceLiveOptions, groups, "unit", 0, "=UNIT[,UNIT...]", live_target_take_groups, \
                  "Trace the control groups of these units, as web.service", .number = LIVE_TARGET_UNITS), \
        VIEW_CALL(TraceLiveOptions, left_out, "filter-pids", 0, "=PID[,PID...]", live_target_take, \
                  "Leave out these processes", .number = LIVE_TARGET_PIDS), \
        VIEW_CALL(TraceLiveOptions, delay, "delay", 'D', "=MSEC", call_options_take_number, \
                  "Begin so many milliseconds after the command"), \
        VIEW_CLEAR(TraceLiveOptions, by_events, "bpf-summary", 0, NULL), \
        VIEW_SET(TraceLiveOptions, by_events, "no-bpf-summary", 0, \
                 "Sum up in the kernel where that can be done (the default), or here"), \
        VIEW_WHOLE("filter", 0, "=FILTER", trace_live_take_filter, "Show only what of the tracepoints of the last -e passes it"), \
        VIEW_SET(TraceLiveOptions, no_inherit, "no-inherit", 0, "Do not trace new processes and threads"), \
        VIEW_CALL(TraceLiveOptions, pages, "mmap-pages", 'm', "=PAGES", live_target_take_pages, \
                  "Size of the buffer of each CPU, in pages, or with B, K, M"), \
        CALL_SHOWN_ROWS(TraceLiveOptions), \
        VIEW_TEXT(TraceLiveOptions, output, "output", 'o', "=FILE", "Write to this file, not to standard error")
