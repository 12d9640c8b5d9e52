/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of trace about what happens now. */

#define TRACE_LIVE_ROWS \
        CALL_SELECTION_ROWS(TraceLiveOptions), \
        VIEW_SET(TraceLiveOptions, target.all_cpus, "all-cpus", 'a', "Trace all CPUs"), \
        LIVE_TARGET_ROWS(TraceLiveOptions, "Trace"), \
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
