/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "common-rows.h"

/* These are the options of sched latency. */

#define SCHED_LATENCY_ROWS \
        RECORDING_ROWS(SchedOptions, "several: one after the other"), \
        SELECTION_ROW(SchedOptions, COMMS, "comms", 0, "=NAME[,NAME...]", "Only threads with these names"), \
        SELECTION_TIME_ROWS(SchedOptions), \
        SELECTION_ROW(SchedOptions, PID, "pid", 0, "=PID[,PID...]", "Only these processes"), \
        SELECTION_ROW(SchedOptions, TID, "tid", 0, "=TID[,TID...]", "Only these threads"), \
        SELECTION_ROW(SchedOptions, CPU, "CPU", 'C', "=CPU[,CPU...]", NULL), \
        SELECTION_ROW(SchedOptions, CPU, "cpu", 0, "=CPU[,CPU...]", "Only these CPUs"), \
        VIEW_CALL(SchedOptions, by, "by", 0, "=WHAT", sched_take_by, \
                  "A row for each comm (the default), thread, process,\nunit or cpu"), \
        VIEW_CALL(SchedOptions, by, "pids", 'p', NULL, sched_take_by, "As --by thread"), \
        VIEW_WHOLE("sort", 's', "=KEY[,KEY...]", sched_take_sort, \
                  "Sort by runtime, switch, avg, max, p50, p95, p99, pid\n(avg,max,switch,runtime)"), \
        VIEW_SET(SchedOptions, latency.histogram, "histogram", 0, "Show how many delays were how long, in powers of two"), \
        VIEW_SET(SchedOptions, json, "json", 0, "Show all of it as an object of JSON"), \
        VIEW_ACCEPTED("verbose", 'v'), \
        VIEW_ACCEPTED("force", 'f')
